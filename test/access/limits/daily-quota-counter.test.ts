import { expect, test } from 'vitest';
import { createDailyQuotaCounter } from '../../../src/access/limits/daily-quota-counter.ts';

test('with more pending subjects than the memory limit, counting continues', async () => {
  let reads = 0;
  const counts = createDailyQuotaCounter(
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

const TODAY = Math.floor(Date.UTC(2026, 10, 22) / 86_400_000);

/** Counts over a store that notes what is read of it. */
function counting(written = 0) {
  const reads: string[] = [];
  let now = Date.UTC(2026, 10, 22, 12);
  const readCount = async (day: number, subject: string, what: string) => {
    reads.push(`${day - TODAY} ${subject} ${what}`);
    return written;
  };
  const counts = createDailyQuotaCounter({ readCount }, () => now);
  return {
    counts,
    reads,
    later: (ms: number) => {
      now += ms;
    },
  };
}
const of = (subject: string, max = 9) => ({ subject, what: 'fetches', max });

test('counts are read once from the store, separately for each subject and kind', async () => {
  const { counts, reads } = counting(3);
  expect(await counts.readCount('ada', 'fetches')).toBe(3);
  expect(await counts.countWithin([of('ada'), of('bob')])).toBeUndefined();
  expect(await counts.countWithin([of('ada'), of('bob')])).toBeUndefined();
  expect(await Promise.all([counts.readCount('ada', 'fetches'), counts.readCount('ada', 'inserts')])).toEqual(
    [5, 3],
  );
  // Of two of which one is known, both are read: the known one may be dropped meanwhile.
  expect(reads).toEqual(['0 ada fetches', '0 ada fetches', '0 bob fetches', '0 ada inserts']);
});

test('of several quotas the first exhausted one is named, and then none is counted', async () => {
  const { counts } = counting();
  const [wide, narrow] = [of('ada', 9), { subject: 'ada', what: 'inserts', max: 1 }];
  expect(await counts.countWithin([wide, narrow])).toBeUndefined();
  expect(await counts.countWithin([wide, narrow])).toBe(narrow);
  expect(counts.pending()).toEqual({
    day: TODAY,
    counts: [
      { subject: 'ada', what: 'fetches', count: 1 },
      { subject: 'ada', what: 'inserts', count: 1 },
    ],
  });
  expect(await counts.countWithin([])).toBeUndefined();
});

test('written counts are dropped for new subjects, oldest first, and read again when needed', async () => {
  const { counts, reads } = counting();
  for (let at = 0; at < 20_000; at++) await counts.countWithin([of(`${at}`)]);
  const pending = counts.pending();
  counts.markWritten(
    pending,
    pending.counts.map((count) => ({ ...count, count: 4 })),
  );
  expect(counts.pending().counts).toEqual([]);
  await counts.countWithin([of('new')]);
  reads.length = 0;
  expect(await counts.readCount('1', 'fetches')).toBe(4);
  expect(reads).toEqual([]);
  expect(await counts.readCount('0', 'fetches')).toBe(0);
  expect(reads).toEqual(['0 0 fetches']);
});

test('a day begins at midnight in UTC: counts start again, including those being read', async () => {
  const gate = Promise.withResolvers<void>();
  const reads: number[] = [];
  let now = Date.UTC(2026, 10, 22, 23, 59, 59, 999);
  const counts = createDailyQuotaCounter(
    {
      async readCount(day) {
        reads.push(day - TODAY);
        await gate.promise;
        return day === TODAY ? 7 : 0;
      },
    },
    () => now,
  );
  expect(counts.leftMs()).toBe(1);
  const read = counts.readCount('ada', 'fetches');
  now += 1;
  expect(counts.leftMs()).toBe(86_400_000);
  gate.resolve();
  expect(await read).toBe(0);
  expect(reads).toEqual([0, 1]);
});

test('where the store returns no total, the written count is added to the known one', async () => {
  const { counts } = counting(3);
  await counts.countWithin([of('ada')]);
  const pending = counts.pending();
  await counts.countWithin([of('ada')]);
  counts.markWritten(pending, []);
  expect(await counts.readCount('ada', 'fetches')).toBe(5);
  expect(counts.pending().counts).toEqual([{ subject: 'ada', what: 'fetches', count: 1 }]);
});

test('totals of a forgotten subject or of the previous day change nothing', async () => {
  const { counts, later } = counting();
  await counts.countWithin([of('ada')]);
  const before = counts.pending();
  later(86_400_000);
  await counts.countWithin([of('ada')]);
  counts.markWritten(before, [{ subject: 'ada', what: 'fetches', count: 50 }]);
  expect(await counts.readCount('ada', 'fetches')).toBe(1);
  const strange = { day: TODAY + 1, counts: [{ subject: 'eve', what: 'fetches', count: 1 }] };
  counts.markWritten(strange, strange.counts);
  expect(counts.pending().counts).toHaveLength(1);
});
