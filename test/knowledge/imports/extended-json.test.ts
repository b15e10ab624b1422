import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExactJson } from '../../../src/knowledge/importing/format-other-fields.ts';
import { IMPORT_KINDS } from '../../../src/knowledge/imports/kinds.ts';
import { itemsOf, recognised } from '../../contracts/import-kind.ts';

/** What MongoDB writes around dates, ids and numbers is read as the plain value. */

const hex = fc.stringMatching(/^[0-9a-f]{24}$/);
const time = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2026, 0) });
const number = fc.constantFrom('9007199254740993', '320', '12.50', '-4', '1.10');
const isoOf = (ms: number) => new Date(ms).toISOString();

const FORMS = ['canonical', 'relaxed'] as const;
const NUMBERS = ['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'];

test('a record is the same in canonical and relaxed form as with plain values, in lines and lists', async () => {
  const given = fc.record({ id: hex, ms: time, count: number, name: fc.constantFrom(...NUMBERS) });
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(...FORMS), async ({ id, ms, count, name }, form) => {
      const date = form === 'canonical' ? { $date: { $numberLong: String(ms) } } : { $date: isoOf(ms) };
      const record = (_id: unknown, created: unknown, amount: unknown) =>
        JSON.stringify({
          _id,
          title: 'Roof',
          text: 'Tiles',
          tags: ['a'],
          created,
          log: { at: created, amount },
        });
      const wrapped = record({ $oid: id }, date, { [name]: count });
      const plain = record(id, isoOf(ms), count);
      const filesOf = (line: string) => [
        { 'a.json': `${line}\n${line.replace('Tiles', 'Beams')}\n` },
        { 'a.json': `[${line}]` },
        { 'a.json': `{"notes": [${line}, ${line.replace('Tiles', 'Beams')}]}` },
      ];
      for (const [at, files] of filesOf(wrapped).entries()) {
        const kind = IMPORT_KINDS.find((one) => one.name === (at === 0 ? 'jsonl' : 'records'));
        expect(await recognised(files)).toBe(kind?.name);
        if (kind === undefined) continue;
        const items = await itemsOf(kind, files);
        expect(items).toEqual(await itemsOf(kind, filesOf(plain)[at] ?? {}));
        expect(items[0]).toMatchObject({ entry: { createdAt: ms * 1000, title: 'Roof' } });
        expect(JSON.stringify(items)).not.toContain('$');
      }
    }),
    { seed: 11, numRuns: 60 },
  );
});

test.each([
  ['{"$date": {"$numberLong": "-86400000"}}', '1969-12-31T00:00:00.000Z'],
  ['{"$date": 1772705472000}', '2026-03-05T10:11:12.000Z'],
  ['{"$numberDouble": "NaN"}', 'NaN'],
  ['{"$uuid": "a-b"}', 'a-b'],
  ['{"$oid": "a", "$date": "b"}', { $oid: 'a', $date: 'b' }],
  ['{"$oid": {"a": "b"}}', { $oid: { a: 'b' } }],
  ['{"$numberLong": "1", "other": "2"}', { $numberLong: '1', other: '2' }],
  ['{"$date": {"$numberLong": "99999999999999999999"}}', '99999999999999999999'],
])('%s is read as %j', (json, value) => {
  expect(parseExactJson(json)).toEqual(value);
});
