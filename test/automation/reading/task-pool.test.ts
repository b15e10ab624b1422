import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readTask } from '../../../src/automation/reading/read-task.ts';
import { readTaskInPool } from '../../../src/automation/reading/task-pool.ts';
import type { AppError } from '../../../src/errors.ts';

const SENTENCES = readFileSync(new URL('../sentences.txt', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => line.split(' | ')[1] ?? [])
  .filter((line) => line.length > 30);
const { signal } = new AbortController();

test('a long task is read as in the main thread, and its errors have the same words', async () => {
  const texts = [0, 20, 40].map((from) => SENTENCES.slice(from, from + 20).join('. '));
  const conditions = SENTENCES.join(' ').slice(0, 4000);
  const outcomeOf = (read: () => unknown) =>
    new Promise((resolve) => resolve(read())).catch(({ code, message }: AppError) => ({ code, message }));
  for (const text of [...texts, conditions]) {
    const there = await outcomeOf(() => readTaskInPool(text, 'ada', signal));
    expect(there).toEqual(await outcomeOf(() => readTask(text)));
  }
  await expect(readTaskInPool(conditions, 'ada', signal)).rejects.toThrow('q combines too many conditions');
});

test('a long task is read off the main thread', async () => {
  const long = SENTENCES.slice(0, 20).join('. ');
  await readTaskInPool(long, 'ada', signal);
  let turns = 0;
  let isDone = false;
  const reading = readTaskInPool(long, 'ada', signal).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
  }
  await reading;
  // In the main thread it would take one turn.
  expect(turns).toBeGreaterThan(3);
});

test('a cancelled caller of a long task waits no longer', async () => {
  const stop = new AbortController();
  const reading = readTaskInPool(SENTENCES.slice(0, 60).join('. '), 'ada', stop.signal);
  stop.abort(new Error('the client is gone'));
  await expect(reading).rejects.toThrow('the client is gone');
});
