import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FINDING_PLACE_FIELDS, groupRepeats } from '../../src/lib/group-repeats.ts';

const finding = fc.record(
  {
    id: fc.constantFrom('a', 'b'),
    fix: fc.constantFrom('x', 'y'),
    location: fc.string(),
    fingerprint: fc.string(),
    excerpt: fc.string(),
  },
  { requiredKeys: ['id', 'fix', 'location', 'fingerprint'] },
);

test('every place of every finding is in one group of its own words', () => {
  fc.assert(
    fc.property(fc.array(finding), (found) => {
      const grouped = groupRepeats(found as Required<(typeof found)[number]>[], [
        'location',
        'fingerprint',
        'excerpt',
      ]);
      const again = grouped.flatMap(({ also = [], ...first }) => [
        first,
        ...also.map((one) => Object.assign({ ...first, excerpt: undefined }, one)),
      ]);
      const sorted = (list: readonly object[]) =>
        list
          .map((one) =>
            JSON.stringify(
              Object.entries(one)
                .filter(([, value]) => value !== undefined)
                .sort(),
            ),
          )
          .sort();
      expect(sorted(again)).toEqual(sorted(found));
      expect(new Set(grouped.map(({ id, fix }) => id + fix)).size).toBe(grouped.length);
    }),
  );
});

test('the order of members does not matter, and a field that differs keeps findings apart', () => {
  const one = { id: 'a', severity: 'high', location: 'a.js:1', fingerprint: '1' };
  const same = { severity: 'high', id: 'a', fingerprint: '2', location: 'b.js:2' };
  const other = { ...one, severity: 'low' };
  expect(
    groupRepeats([one, other, same], FINDING_PLACE_FIELDS as readonly ('location' | 'fingerprint')[]),
  ).toEqual([{ ...one, also: [{ location: 'b.js:2', fingerprint: '2' }] }, other]);
});
