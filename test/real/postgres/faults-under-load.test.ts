import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  callsDuring,
  expectAlertsOnce,
  expectNothingLost,
  haveAlerts,
  haveRounds,
  isUnavailable,
  others,
  PATIENCE,
} from '../../helpers/faults-suite.ts';
import { type Fleet, startFleet } from '../../helpers/fleet.ts';
import { type Load, startLoad } from '../../helpers/load-clients.ts';
import { SURFACES } from '../../helpers/load-surfaces.ts';

/** Two nodes under load from clients over REST and MCP while what they stand on fails: nothing that was answered is lost. */

/** More at each node than it has connections. */
const CLIENTS = 24;
const LATE_MS = 200;
let fleet: Fleet;
let load: Load;
/** Where the database is at present. */
let database: string;

beforeAll(async () => {
  fleet = await startFleet();
  database = fleet.pair.primary;
  load = startLoad({ nodes: fleet.nodes, users: fleet.users, clients: CLIENTS });
  await haveRounds(load);
});
afterEach(async () => {
  await expectNothingLost(fleet, load, database);
  expectAlertsOnce(fleet);
});
afterAll(async () => {
  await load?.stop();
  await fleet?.remove();
});

test('clients of a killed node continue at the other node, and the killed node joins again', async () => {
  fleet.site.up = false;
  const calls = await callsDuring(load, async () => {
    await fleet.kill(0);
    await haveAlerts(fleet, load, 'alert.raised', 1);
    await fleet.start(0);
  });
  expect(others(calls, ({ outcome, node }) => outcome === 'gone' && node === 0)).toEqual([]);
});

test.each(['fast', 'immediate'] as const)(
  'no answered write is lost when PostgreSQL is restarted (%s)',
  async (mode) => {
    fleet.site.up = true;
    const calls = await callsDuring(load, () => fleet.pair.restart(mode));
    expect(others(calls, isUnavailable)).toEqual([]);
    await haveAlerts(fleet, load, 'alert.cleared', 1);
  },
);

test('no answered write is lost while another client holds all connections of PostgreSQL', async () => {
  const taken: pg.Client[] = [];
  /** One more, and those of the nodes are ended, so that they need new ones. */
  const take = async () => {
    const client = new pg.Client({ connectionString: database });
    client.on('error', () => {});
    await client.connect();
    taken.push(client);
    await client.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'magpie%'",
    );
    return true;
  };
  const calls = await callsDuring(load, async () => {
    while (await take().catch(() => false));
    await expect.poll(() => load.calls.slice(-CLIENTS).every(isUnavailable), PATIENCE).toBe(true);
    for (const client of taken) await client.end();
  });
  expect(others(calls, isUnavailable)).toEqual([]);
});

test('no answered write is lost while answers of PostgreSQL arrive 200 ms late', async () => {
  const from = performance.now();
  const inserted = () =>
    load.calls.filter(
      ({ at, operation, outcome }) => at > from && operation === 'upsert' && outcome === 'ok',
    );
  const ways = () => new Set(inserted().map(({ surface, node }) => `${surface} ${node}`));
  const calls = await callsDuring(load, async () => {
    for (const way of fleet.ways) way.delay(LATE_MS);
    await expect.poll(() => ways().size, PATIENCE).toBe(SURFACES.length * fleet.nodes.length);
    for (const way of fleet.ways) way.delay(0);
  });
  expect(others(calls, isUnavailable)).toEqual([]);
});

test('no answered write is lost when PostgreSQL is silent until both nodes report it as unavailable', async () => {
  fleet.site.up = false;
  const before = load.calls.length;
  const refusing = () =>
    new Set(
      load.calls
        .slice(before)
        .filter(isUnavailable)
        .map(({ node }) => node),
    );
  const calls = await callsDuring(load, async () => {
    for (const way of fleet.ways) way.silence();
    await expect.poll(() => refusing().size, PATIENCE).toBe(fleet.nodes.length);
    for (const way of fleet.ways) way.mend();
  });
  expect(others(calls, isUnavailable)).toEqual([]);
  await haveAlerts(fleet, load, 'alert.raised', 2);
});

test('no answered write is lost when the primary is killed and a standby is promoted manually', async () => {
  fleet.site.up = true;
  const calls = await callsDuring(load, async () => {
    await fleet.pair.kill();
    for (const way of fleet.ways) way.leadTo(fleet.pair.standby);
    await fleet.pair.promote();
    database = fleet.pair.standby;
  });
  expect(others(calls, isUnavailable)).toEqual([]);
  await haveAlerts(fleet, load, 'alert.cleared', 2);
});
