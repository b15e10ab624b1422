import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openReserve } from '../../src/storage/reserve.ts';
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

test('room that was released is set aside again while the process runs [knowledge.storage]', async () => {
  const reserve = openReserve(folder.path, { retryMs: 5 });
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

test('where another process has made it meanwhile, that one stays [knowledge.storage]', async () => {
  const reserve = openReserve(folder.path, { retryMs: 5 });
  expect(reserve.release()).toBe(true);
  writeFileSync(path(), 'of another');
  await setTimeout(50);
  expect(existsSync(path())).toBe(true);
  reserve.close();
  rmSync(path());
  expect(reserve.release()).toBe(false);
});
