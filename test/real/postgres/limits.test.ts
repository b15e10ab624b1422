import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSharedRateCounter,
  createSharedRateLimiter,
} from '../../../src/access/limits/shared-rate-limiter.ts';
import { createRateLimitStore } from '../../../src/access/stores/rates.ts';
import { describeRateStore } from '../../contracts/rate-store.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { dropPostgres, emptyPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Limits by the minute, and the revocation of keys, at two nodes of one database. */

/** So few that the next one comes back after 20 s. */
const REQUESTS = 3;
/** Of a key on one day. */
const INSERTS = 2;
const folders = [temporaryFolder(), temporaryFolder()];
let place: PostgresPlace;
let nodes: RunningProcess[];

const settings = (node: number) => ({
  ...environment(folders[node]?.path ?? ''),
  DATABASE_URL: place.url,
});

async function makeKey(user: string): Promise<{ key: string; id: string }> {
  const run = await runMagpie(['key', 'create', '--scope', 'read', '--user', user, '--json'], settings(0));
  return JSON.parse(run.stdout);
}

beforeAll(async () => {
  place = await makePostgres('none');
  const { key } = await makeKey('first');
  const words = await withoutModel();
  nodes = await Promise.all(
    [0, 1].map((node) =>
      spawnServer({
        ...settings(node),
        MAGPIE_RATE_REQUESTS: String(REQUESTS),
        MAGPIE_DAY_INSERTS: String(INSERTS),
        MAGPIE_PROXIES: '127.0.0.1/32',
        ...words,
      }),
    ),
  );
  // What each node loads with its first requests takes none of the seconds after which one comes back.
  for (const node of [0, 1])
    for (const surface of ['REST', 'MCP'] as const) await ask(surface, node, key, '198.51.100.9');
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  await place.remove();
  await dropPostgres();
  for (const { remove } of folders) remove();
});

describeRateStore('PostgreSQL', () => emptyPostgres(createRateLimitStore));

test('the cost of an accepted request at one node is owed by the next request at the other', async () => {
  const database = await emptyPostgres(createRateLimitStore);
  const counters = [
    createSharedRateCounter(await database.open()),
    createSharedRateCounter(await database.open()),
  ] as const;
  const [one, other] = counters.map((counter) =>
    createSharedRateLimiter({ counter, policy: 'key', quota: 10, windowMs: 3_600_000, now: Date.now }),
  );
  expect(await one?.countRequest('a')).toMatchObject({ ok: true, remaining: 9 });
  expect(one?.countWork('a', 4)).toMatchObject({ ok: true, remaining: 5 });
  one?.addCost('a', 3);
  await counters[0].idle();
  expect(await other?.countRequest('a')).toMatchObject({ ok: true, remaining: 1 });
  // What this node knows by now is enough to refuse.
  expect(other?.countWork('a', 4)).toMatchObject({ ok: false });
  expect(await other?.countRequest('a')).toMatchObject({ ok: true, remaining: 0 });
  expect(other?.countRequest('a')).toMatchObject({ ok: false });
  expect(await one?.countRequest('a')).toMatchObject({ ok: false, remaining: 0 });
  expect(await one?.countRequest('b')).toMatchObject({ ok: true, remaining: 9 });
  await database.remove();
});

test('while the database does not answer, a request fails, and the cost of another counts at its own node', async () => {
  const database = await emptyPostgres(createRateLimitStore);
  const counter = createSharedRateCounter(await database.open());
  await database.remove();
  const rate = createSharedRateLimiter({
    counter,
    policy: 'key',
    quota: 10,
    windowMs: 3_600_000,
    now: Date.now,
  });
  await expect(rate.countRequest('a')).rejects.toThrow();
  expect(rate.addCost('a', 10)).toMatchObject({ remaining: 0 });
  await counter.idle();
  expect(rate.countRequest('a')).toMatchObject({ ok: false });
});

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'limits', version: '1.0.0' },
  },
};

/** One request with a key, from an address that the test chooses. */
async function ask(surface: 'REST' | 'MCP', node: number, key: string, address: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    'x-forwarded-for': address,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response =
    surface === 'REST'
      ? await fetch(new URL('/list', nodes[node]?.url), { headers })
      : await fetch(new URL('/mcp', nodes[node]?.url), {
          method: 'POST',
          headers,
          body: JSON.stringify(INITIALIZE),
        });
  await response.text();
  return response;
}

test('requests of a key at both nodes use up one limit, over REST and MCP', async () => {
  const { key } = await makeKey('ada');
  const address = '198.51.100.1';
  const accepted = [
    await ask('REST', 0, key, address),
    await ask('MCP', 1, key, address),
    await ask('REST', 0, key, address),
  ];
  expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(accepted.map(({ headers }) => headers.get('ratelimit')?.split(';')[1])).toEqual([
    'r=2',
    'r=1',
    'r=0',
  ]);
  for (const [surface, node] of [
    ['REST', 1],
    ['MCP', 0],
    ['MCP', 1],
    ['REST', 0],
  ] as const) {
    const refused = await ask(surface, node, key, address);
    expect([surface, node, refused.status]).toEqual([surface, node, 429]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const other = await makeKey('ada');
  expect((await ask('REST', 1, other.key, address)).status).toBe(200);
});

test('requests of an address at both nodes use up one limit, with any keys', async () => {
  const sent = Array.from({ length: 20 }, (_, at) =>
    ask('REST', at % 2, `magpie_unknown${at}`, '198.51.100.2'),
  );
  const statuses = (await Promise.all(sent)).map(({ status }) => status);
  // Each node alone has been asked less than the twelve that an address may ask.
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await ask('REST', 0, 'magpie_unknown', '198.51.100.3')).status).toBe(401);
});

test('daily calls at both nodes use up one limit, without a prior exchange between the nodes', async () => {
  const run = await runMagpie(['key', 'create', '--scope', 'write', '--user', 'eve', '--json'], settings(0));
  const { key }: { key: string } = JSON.parse(run.stdout);
  const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': '198.51.100.5' };
  const insert = async (node: number, text: string) => {
    const answer = await fetch(new URL(`/upsert?q=${text}`, nodes[node]?.url), { headers });
    return { status: answer.status, body: await answer.text() };
  };
  expect((await insert(0, 'one')).status).toBe(200);
  expect((await insert(1, 'two')).status).toBe(200);
  expect(await insert(0, 'three')).toMatchObject({
    status: 429,
    body: expect.stringContaining('2 calls of today stored something'),
  });
});

test.each(['REST', 'MCP'] as const)(
  'a revoked key that one node accepted is refused by both at the next request over %s',
  async (surface) => {
    const { key, id } = await makeKey('ada');
    const statuses = async () => [
      (await ask(surface, 0, key, '198.51.100.4')).status,
      (await ask(surface, 1, key, '198.51.100.4')).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    await runMagpie(['key', 'revoke', id], settings(0));
    expect(await statuses()).toEqual([401, 401]);
  },
);
