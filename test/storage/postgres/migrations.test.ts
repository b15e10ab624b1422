import { expect, test } from 'vitest';
import { POSTGRES_MIGRATIONS } from '../../../src/storage/postgres/schema/list.ts';

/** The last step of which the first release that knows PostgreSQL consists: until it is out, steps may still change. */
const FIRST_RELEASE = 9;

/** What an older program that still runs would miss, or stumble over. */
const TAKES_AWAY =
  /\bDROP\b|\bRENAME\b|\bALTER\s+COLUMN\s+"?\w+"?\s+(?:SET\s+DATA\s+)?TYPE\b|\bSET\s+NOT\s+NULL\b|\bADD\s+CONSTRAINT\b|\bTRUNCATE\b/i;
const ADDED_COLUMN = /\bADD\s+COLUMN\s+[^,;]*/gi;

test('steps rise by one, and the oldest program that supports a step never falls', () => {
  expect(POSTGRES_MIGRATIONS.map(({ id }) => id)).toEqual(POSTGRES_MIGRATIONS.map((_, at) => at + 1));
  for (const [at, { id, oldest }] of POSTGRES_MIGRATIONS.entries()) {
    expect(oldest).toBeLessThanOrEqual(id);
    expect(oldest).toBeGreaterThanOrEqual(POSTGRES_MIGRATIONS[at - 1]?.oldest ?? 1);
  }
});

test('a step that removes something names the older programs that it excludes', () => {
  for (const [at, { name, oldest, sql }] of POSTGRES_MIGRATIONS.entries()) {
    const leaves = oldest > (POSTGRES_MIGRATIONS[at - 1]?.oldest ?? 1);
    expect([name, TAKES_AWAY.test(sql)]).toEqual([name, leaves]);
  }
});

test('a step excludes no program of the same release: its removals are unused since an earlier release', () => {
  for (const { id, oldest, name } of POSTGRES_MIGRATIONS.slice(FIRST_RELEASE)) {
    expect([name, oldest < id]).toEqual([name, true]);
  }
});

test('an added column may be null or has a default, since an older program does not write it', () => {
  for (const { sql } of POSTGRES_MIGRATIONS) {
    for (const [column] of sql.matchAll(ADDED_COLUMN)) {
      expect(!/NOT NULL/i.test(column) || /DEFAULT/i.test(column)).toBe(true);
    }
  }
});

test('names used for searching or sorting rows have one collation in any database', () => {
  for (const { sql } of POSTGRES_MIGRATIONS) {
    const keyed =
      /^\s*"?(?:owner|user|id|name|key|url|credential|collection|digest|infrastructure|target)"? text\b(?! COLLATE "C")/gim;
    const found = [...sql.matchAll(keyed)].map(([line]) => line.trim());
    expect(found.filter((line) => !line.startsWith('name '))).toEqual([]);
  }
});
