import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDiskReserve } from '../../src/storage/reserve.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** The room that is set aside for deletions on a full disk; the full disk itself is in test/real/storage-failures.test.ts. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const path = () => join(folder.path, 'magpie.reserve');

async function comes(): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  while (!existsSync(path())) {
    limit.throwIfAborted();
    await setTimeout(5);
  }
}

test('a released reserve is set aside again while the process runs [knowledge.storage]', async () => {
  const reserve = openDiskReserve(folder.path, { setsAside: true, retryMs: 5 });
  expect(statSync(path()).size).toBe(8_000_000);
  for (let i = 0; i < 2; i++) {
    expect(reserve.release()).toBe(true);
    await comes();
    expect(statSync(path()).size).toBe(8_000_000);
  }
  reserve.close();
  expect(reserve.release()).toBe(true);
  expect(existsSync(path())).toBe(false);
});

test('a reserve that another process created meanwhile stays [knowledge.storage]', async () => {
  const reserve = openDiskReserve(folder.path, { setsAside: true, retryMs: 5 });
  expect(reserve.release()).toBe(true);
  writeFileSync(path(), 'b'.repeat(8_000_000));
  await setTimeout(50);
  expect(readFileSync(path(), 'latin1')).toBe('b'.repeat(8_000_000));
  reserve.close();
  rmSync(path());
  expect(reserve.release()).toBe(false);
});

test('leftovers of a process that was killed during a write do not count, and are removed [knowledge.storage]', async () => {
  writeFileSync(path(), 'short');
  const [left, fresh] = [`${path()}.left`, `${path()}.fresh`];
  for (const part of [left, fresh]) writeFileSync(part, 'part');
  utimesSync(left, 0, 0);
  const reserve = openDiskReserve(folder.path, { setsAside: true, retryMs: 5 });
  expect(statSync(path()).size).toBe(8_000_000);
  // One that was written just now may be another process's.
  expect([existsSync(left), existsSync(fresh)]).toEqual([false, true]);
  reserve.release();
  writeFileSync(path(), 'short');
  const limit = AbortSignal.timeout(60_000);
  while (statSync(path()).size < 8_000_000) {
    limit.throwIfAborted();
    await setTimeout(5);
  }
  reserve.close();
});

test('processes that start together leave one whole reserve [knowledge.storage]', async () => {
  const module = new URL('../../src/storage/reserve.ts', import.meta.url).href;
  const script =
    `const { openDiskReserve } = await import(${JSON.stringify(module)}); process.send('ready');` +
    `process.on('message', () => { openDiskReserve(${JSON.stringify(folder.path)}, { setsAside: true }).close(); process.send('done'); });`;
  const started = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    }),
  );
  /** Rejects where one ends instead, which an error of its own does. */
  const answers = () => {
    const ended = started.map((one) => once(one, 'exit').then((how) => Promise.reject(new Error(`${how}`))));
    for (const one of ended) one.catch(() => {});
    return Promise.race([Promise.all(started.map((one) => once(one, 'message'))), ...ended]);
  };
  await answers();
  for (let round = 0; round < 3; round++) {
    rmSync(path(), { force: true });
    const done = answers();
    for (const one of started) one.send('go');
    await done;
    expect(statSync(path()).size).toBe(8_000_000);
    expect(readdirSync(folder.path)).toEqual(['magpie.reserve']);
  }
  const exits = started.map((one) => once(one, 'exit'));
  for (const one of started) one.disconnect();
  expect(await Promise.all(exits)).toEqual(started.map(() => [0, null]));
});

test('an opener that sets no space aside uses the existing reserve, and creates none [knowledge.storage]', async () => {
  const none = openDiskReserve(folder.path, { setsAside: false, retryMs: 5 });
  expect([none.isReserved(), none.release(), existsSync(path())]).toEqual([false, false, false]);
  openDiskReserve(folder.path, { setsAside: true }).close();
  expect([none.isReserved(), none.release(), existsSync(path())]).toEqual([true, true, false]);
  none.close();
});
