import { expect, test } from 'vitest';
import { createDayCounts } from '../../src/access/day-counts.ts';

test('with more subjects than are remembered, all of them with something to write, counting goes on', async () => {
  let reads = 0;
  const counts = createDayCounts(
    {
      async readCount() {
        if (++reads > 50_000) throw new Error('it reads for ever');
        return 0;
      },
    },
    () => Date.UTC(2026, 10, 22),
  );
  const quota = (subject: string) => ({ subject, what: 'fetches', max: 2 });
  for (let at = 0; at < 20_000; at++) await counts.countWithin([quota(`key ${at}`)]);
  const both = [quota('key of ann'), quota('address of ann')];
  expect(await counts.countWithin(both)).toBeUndefined();
  expect(await counts.countWithin(both)).toBeUndefined();
  expect(await counts.countWithin(both)).toBe(both[0]);
  expect(counts.pending().counts).toHaveLength(20_002);
});
