import { expect, test } from 'vitest';
import { createKeyedLock } from '../../../src/lib/concurrency/keyed-lock.ts';

test('work under one key runs one after the other, and concurrently with work under another key', async () => {
  const lock = createKeyedLock();
  const events: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = lock.run('a', async () => {
    await gate.promise;
    events.push('a 1');
  });
  const second = lock.run('a', async () => void events.push('a 2'));
  await lock.run('b', async () => void events.push('b'));
  expect(events).toEqual(['b']);
  gate.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(['b', 'a 1', 'a 2']);
  expect(lock.size).toBe(0);
});

test('failed work lets the next work start', async () => {
  const lock = createKeyedLock();
  const failed = lock.run('a', () => Promise.reject(new Error('broken')));
  const next = lock.run('a', async () => 'done');
  await expect(failed).rejects.toThrow('broken');
  expect(await next).toBe('done');
});

test('a caller that gives up is answered at once, and the next work does not overlap with the running work', async () => {
  const lock = createKeyedLock();
  const gate = Promise.withResolvers<void>();
  const stop = new AbortController();
  const events: string[] = [];
  const first = lock.run('a', () => gate.promise);
  const second = lock.run('a', async () => void events.push('never'), stop.signal);
  const third = lock.run('a', async () => void events.push('third'));
  stop.abort(new Error('given up'));
  await expect(second).rejects.toThrow('given up');
  expect(events).toEqual([]);
  gate.resolve();
  await Promise.all([first, third]);
  expect(events).toEqual(['third']);
  expect(lock.size).toBe(0);
});

test('idle waits for all running and waiting work under any key, also for failed work', async () => {
  const lock = createKeyedLock();
  const gate = Promise.withResolvers<void>();
  const done: string[] = [];
  const first = lock.run('a', () => gate.promise.then(() => void done.push('a')));
  const second = lock.run('a', async () => {
    done.push('fails');
    throw new Error('broken');
  });
  const other = lock.run('b', async () => void done.push('b'));
  const idle = lock.idle().then(() => void done.push('idle'));
  gate.resolve();
  await expect(second).rejects.toThrow('broken');
  await Promise.all([first, other, idle]);
  expect(done.at(-1)).toBe('idle');
  expect(lock.size).toBe(0);
  await lock.idle();
});
