import { expect, test } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import { createBatcher } from '../../../src/lib/concurrency/batcher.ts';

test('items that arrive together form one batch with a result for each, and batches never overlap', async () => {
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

test('if a batch fails, only the bad item fails', async () => {
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

test('a failure that affects every item fails the batch and the waiting items at once', async () => {
  const away = new AppError('unavailable', 'the database does not answer', { retryAfter: 2 });
  let handled = 0;
  const batcher = createBatcher<number, number>({
    maxItems: 2,
    async handle(items) {
      if (handled++ === 0) throw away;
      return items;
    },
  });
  const ended = await Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)));
  expect(ended).toEqual(ended.map(() => ({ status: 'rejected', reason: away })));
  expect(handled).toBe(1);
  expect(await batcher.add(5)).toBe(5);
});

test('an item that can never be handled fails alone, also where its error is a 503', async () => {
  const batcher = createBatcher<number, number>({
    async handle(items) {
      if (items.includes(2)) throw new AppError('unavailable', 'the database has no room for owners');
      return items;
    },
  });
  const ended = await Promise.allSettled([1, 2, 3].map((item) => batcher.add(item)));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('lanes run concurrently, and batches within one lane run one after the other', async () => {
  const held = Promise.withResolvers<void>();
  const batches: string[][] = [];
  const batcher = createBatcher<string, string>({
    laneOf: (item) => item.slice(0, 1),
    async handle(items) {
      batches.push([...items]);
      if (items.includes('a1')) await held.promise;
      return items;
    },
  });
  const first = batcher.add('a1');
  expect(await Promise.all(['b1', 'b2'].map((item) => batcher.add(item)))).toEqual(['b1', 'b2']);
  const second = batcher.add('a2');
  held.resolve();
  expect(await Promise.all([first, second])).toEqual(['a1', 'a2']);
  await batcher.idle();
  expect(batches).toEqual([['a1'], ['b1', 'b2'], ['a2']]);
});
