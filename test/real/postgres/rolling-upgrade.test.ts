import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callsDuring,
  expectAlertsOnce,
  expectNothingLost,
  haveRounds,
  others,
} from '../../helpers/faults-suite.ts';
import { type Fleet, startFleet } from '../../helpers/fleet.ts';
import { type Load, startLoad } from '../../helpers/load-clients.ts';

/** Nodes of one version are replaced by those of the next one, whose schema has more, while clients go on. */

/** Each surface at each node. */
const CLIENTS = 6;
/** A version of the program whose schema has that many steps more. */
const newer = (steps: number) => ({
  NODE_OPTIONS: `--import=${new URL('../../helpers/newer-schema.ts', import.meta.url).href}`,
  TEST_NEWER_SCHEMA: String(steps),
});
let fleet: Fleet;
let load: Load;

beforeAll(async () => {
  fleet = await startFleet();
  load = startLoad({ nodes: fleet.nodes, users: fleet.users, clients: CLIENTS });
  await haveRounds(load);
});
afterAll(async () => {
  await load?.stop();
  await fleet?.remove();
});

/** Only calls at the node that is replaced may fail, with its end. */
async function replace(node: number, env?: Readonly<Record<string, string>>): Promise<void> {
  const calls = await callsDuring(load, async () => {
    await fleet.stop(node);
    await fleet.start(node, env);
  });
  const mayFail = new Set(['unavailable', 'gone']);
  expect(others(calls, (call) => call.node === node && mayFail.has(call.outcome))).toEqual([]);
}

test('a newer node migrates under load, and the older node beside it continues to serve', async () => {
  await replace(0, newer(1));
  await expectNothingLost(fleet, load, fleet.pair.primary);
  expectAlertsOnce(fleet);
});

test('an older node starts beside a newer one as long as the schema has all the parts it needs', async () => {
  await replace(1);
  await expectNothingLost(fleet, load, fleet.pair.primary);
});

test('a database that lacks parts that an older node needs refuses it with a message', async () => {
  await replace(1, newer(2));
  await fleet.stop(0);
  await expect(fleet.start(0)).rejects.toThrow(/was migrated by a newer Magpie .*: update Magpie/);
  await fleet.start(0, newer(2));
  await haveRounds(load);
  await expectNothingLost(fleet, load, fleet.pair.primary);
});
