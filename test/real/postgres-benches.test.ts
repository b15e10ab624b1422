import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PARTS } from '../../bench/parts.ts';
import { makePostgres, type PostgresPlace } from '../helpers/postgres.ts';
import { groupsOf, type Rows, runShortBenches } from '../helpers/short-benches.ts';

/** The short forms of the benches that measure a database of PostgreSQL; the others are in test/real/benches.test.ts. */

const names = Object.keys(PARTS).filter((name) => PARTS[name]?.onPostgres);
let database: PostgresPlace;
beforeAll(async () => {
  database = await makePostgres();
});
afterAll(() => database.remove());

describe.each(groupsOf(names).map((group) => [group]))('%s', (group) => {
  let ran: ReadonlyMap<string, Rows>;
  beforeAll(async () => {
    // A bench asks for a checkpoint, which an administrator may.
    const url = new URL(process.env.MAGPIE_TEST_POSTGRES ?? '');
    url.pathname = new URL(database.url).pathname;
    ran = await runShortBenches(group, { ...process.env, DATABASE_URL: url.href });
  });

  test.each(group)('%s', (name) => {
    const [, ...rows] = ran.get(name) ?? [];
    expect(rows.flat().join(' ')).toMatch(/\d/);
    // Words find the text whose title they are.
    if (name === 'retrieve') expect(rows[0]?.slice(3, 6)).toEqual(['12', '3', '1.000 / 1.000 / 1.000']);
  });
});
