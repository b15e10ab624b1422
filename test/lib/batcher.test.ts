import { expect, test } from 'vitest';
import { createBatcher } from '../../src/lib/batcher.ts';

test('what comes together is one batch, each with its own result; batches never overlap', async () => {
  const batches: number[][] = [];
  let busy = 0;
  const batcher = createBatcher<number, string>({
    maxItems: 3,
    async handle(items) {
      expect(++busy).toBe(1);
      batches.push([...items]);
      await new Promise(setImmediate);
      busy -= 1;
      return items.map((item) => `done ${item}`);
    },
  });
  const all = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4, 5].map((item) => `done ${item}`));
  expect(batches).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
  await batcher.idle();
});

test('a batch is bounded by size, and a large item goes alone', async () => {
  const batches: string[][] = [];
  const batcher = createBatcher<string, void>({
    maxSize: 4,
    sizeOf: (item) => item.length,
    async handle(items) {
      batches.push([...items]);
      return [];
    },
  });
  await Promise.all(['aaaaaaaa', 'bb', 'cc', 'd'].map((item) => batcher.add(item)));
  expect(batches).toEqual([['aaaaaaaa'], ['bb', 'cc'], ['d']]);
});

test('where a batch fails, the bad item fails alone', async () => {
  const kept: number[] = [];
  const batcher = createBatcher<number, number>({
    waitMs: 1,
    async handle(items) {
      if (items.includes(2)) throw new Error('2 is bad');
      kept.push(...items);
      return items;
    },
  });
  const results = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(kept).toEqual([1, 3]);
});
