import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createDailyQuotaCounter } from '../../../src/access/limits/daily-quota-counter.ts';
import { createUsageStore } from '../../../src/access/stores/usage.ts';
import type { AccessAlert, CallUsageLog, KeyRecord, UsageEntry } from '../../../src/access/types.ts';
import { createAlertWebhook } from '../../../src/access/usage/alert-webhook.ts';
import { type AccessAlerts, createAccessAlerts } from '../../../src/access/usage/alerts.ts';
import {
  type CredentialWatcher,
  createCredentialWatcher,
} from '../../../src/access/usage/credential-watcher.ts';
import { createCallUsageLog } from '../../../src/access/usage/usage.ts';
import type { UsageStore } from '../../../src/access/usage/usage-store.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createLog } from '../../../src/log.ts';
import { type Database, openDatabase } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';

/** The record of use and the alerts, with a clock of the test's own. */

const DAY = 86_400_000;
let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let store: UsageStore;
let usage: CallUsageLog;
let alerts: AccessAlerts;
let watchman: CredentialWatcher;
let raised: AccessAlert[];
let logged: string[];
let now: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  now = Date.UTC(2026, 10, 21, 12);
  [raised, logged] = [[], []];
  const clock = () => now;
  const log = createLog('info', (line) => logged.push(line));
  store = createUsageStore(db);
  usage = createCallUsageLog({
    store,
    counts: createDailyQuotaCounter(store, clock),
    keepDays: 30,
    log,
    now: clock,
    writeIntervalMs: 5,
  });
  alerts = createAccessAlerts({ log, now: clock });
  alerts.onAlert((alert) => raised.push(alert));
  watchman = createCredentialWatcher({ store, alerts, log, now: clock });
});
afterEach(async () => {
  await usage.close();
  db.close();
  folder.remove();
});

const entry = (fields: Partial<UsageEntry> = {}): UsageEntry => {
  return {
    at: now,
    credential: 'k1',
    user: 'ada',
    operation: 'search',
    outcome: 'ok',
    ms: 12.4,
    address: '192.0.2.1',
    ...fields,
  };
};
const key = (fields: Partial<KeyRecord> = {}): KeyRecord => {
  return {
    id: 'k1',
    user: 'ada',
    name: '',
    prefix: 'magpie_abcd',
    scopes: ['read'],
    createdAt: now,
    expiresAt: undefined,
    revokedAt: undefined,
    replacedBy: undefined,
    usedAt: undefined,
    ...fields,
  };
};

test('calls are written automatically, counted by day, and listed newest first', async () => {
  usage.recordCall(entry());
  usage.recordCall(entry({ outcome: 'timeout' }));
  usage.recordCall(entry({ credential: 'k2' }));
  await vi.waitFor(async () => expect(await usage.listNewestCalls('k1', 10)).toHaveLength(2), 60_000);
  now += DAY;
  usage.recordCall(entry({ operation: 'insert' }));
  await usage.flush();
  expect(await usage.listDays('k1', 30)).toEqual([
    { day: now / DAY - 1.5, operation: 'search', outcome: 'ok', calls: 1 },
    { day: now / DAY - 1.5, operation: 'search', outcome: 'timeout', calls: 1 },
    { day: now / DAY - 0.5, operation: 'insert', outcome: 'ok', calls: 1 },
  ]);
  expect(await usage.listDays('k1', 1)).toHaveLength(1);
  expect(await usage.listNewestCalls('k1', 1)).toEqual([entry({ operation: 'insert', ms: 12 })]);
});

test('records older than their retention are deleted', async () => {
  usage.recordCall(entry());
  await usage.flush();
  now += 31 * DAY;
  usage.recordCall(entry());
  await usage.flush();
  expect(await usage.listNewestCalls('k1', 10)).toHaveLength(1);
  expect(await usage.listDays('k1', 3650)).toHaveLength(1);
});

test('calls are kept up to the limit, and none is lost while the database is locked', async () => {
  for (let i = 0; i < 10; i++) usage.recordCall(entry({ at: now + i }));
  await usage.flush();
  await store.deleteOldUsage(0, 4);
  expect((await usage.listNewestCalls('k1', 10)).map(({ at }) => at - now)).toEqual([9, 8, 7, 6]);
  usage.recordCall(entry());
  await db.write((sql) => sql.run('ALTER TABLE access_usage RENAME TO held'));
  await usage.flush();
  expect(logged.join()).toContain('the record of use cannot be written');
  await db.write((sql) => sql.run('ALTER TABLE held RENAME TO access_usage'));
  await usage.flush();
  expect(await usage.listNewestCalls('k1', 10)).toHaveLength(5);
});

test('a burst of refusals raises one alert, for a key or an address', () => {
  for (let i = 0; i < 19; i++) alerts.countRefusal({ address: '192.0.2.1' });
  expect(raised).toEqual([]);
  now += 60_000;
  for (let i = 0; i < 19; i++) alerts.countRefusal({ address: '192.0.2.1' });
  expect(raised).toEqual([]);
  for (let i = 0; i < 30; i++) alerts.countRefusal({ address: '192.0.2.1' });
  expect(raised).toMatchObject([{ kind: 'refusals', address: '192.0.2.1' }]);
  for (let i = 0; i < 20; i++) alerts.countRefusal({ credential: 'k1', address: `198.51.100.${i}` });
  expect(raised).toMatchObject([{}, { kind: 'refusals', credential: 'k1' }]);
  expect(logged.filter((line) => line.includes('"alert":"refusals"'))).toHaveLength(2);
});

test('a new network is reported once, across restarts; the first network is not new', async () => {
  await watchman.noteAddress('k1', 'ada', '192.0.2.1');
  await watchman.noteAddress('k1', 'ada', '192.0.2.200');
  expect(raised).toEqual([]);
  await watchman.noteAddress('k1', 'ada', '198.51.100.1');
  await watchman.noteAddress('k2', 'bob', '203.0.113.1');
  expect(raised).toMatchObject([{ kind: 'new-network', credential: 'k1', address: '198.51.100.1' }]);
  expect(raised[0]?.message).toContain('198.51.100.0/24');
  now += 2 * DAY;
  const again = createCredentialWatcher({ store, alerts, log: createLog('silent'), now: () => now });
  await again.noteAddress('k1', 'ada', '198.51.100.9');
  expect(raised).toHaveLength(1);
  await again.noteAddress('k1', 'ada', '2001:db8::1');
  expect(raised).toHaveLength(2);
});

test('a bounded number of networks is remembered', async () => {
  for (let i = 0; i < 205; i++) await store.rememberNetwork('k1', `10.0.${i}.0/24`, now + i);
  const count = await db.read((sql) => sql.get('SELECT count(*) AS count FROM access_networks'));
  expect(count).toEqual({ count: 200 });
  expect(await store.rememberNetwork('k1', '10.0.204.0/24', now)).toBe(false);
  expect(await store.rememberNetwork('k1', '10.0.0.0/24', now)).toBe(true);
});

test('age and use after rotation are reported by a header and a daily alert', async () => {
  const headers: string[] = [];
  const setHeader = (name: string, value: string) => void headers.push(`${name}: ${value}`);
  const client = { address: '192.0.2.1', setHeader };
  await watchman.noteUse(key({ createdAt: now - 90 * DAY }), client);
  expect([headers, raised]).toEqual([[], []]);
  for (let i = 0; i < 2; i++) await watchman.noteUse(key({ createdAt: now - 91 * DAY }), client);
  const words = 'the key k1 is 91 days old: rotate it with magpie key rotate k1';
  expect(headers).toEqual([`Warning: 299 - "${words}"`, `Warning: 299 - "${words}"`]);
  expect(raised).toMatchObject([{ kind: 'old-key', message: words }]);
  now += DAY;
  await watchman.noteUse(key({ createdAt: now - 92 * DAY }), client);
  expect(raised).toHaveLength(2);

  await watchman.noteUse(key({ id: 'k2', replacedBy: 'k3', expiresAt: now + 3_600_000 }), client);
  expect(raised[2]).toMatchObject({ kind: 'rotated-key', credential: 'k2' });
  expect(raised[2]?.message).toContain('expires in 1 hour: its holder has to change to k3');
  watchman.noteEndedKey(key({ id: 'k4', replacedBy: 'k5', expiresAt: now }), '192.0.2.1');
  watchman.noteEndedKey(key({ id: 'k6' }), '192.0.2.1');
  expect(raised.slice(3)).toMatchObject([{ kind: 'rotated-key', credential: 'k4' }]);
});

test('alerts reach the webhook on a private address, with a retry after a failure', async () => {
  const bodies: unknown[] = [];
  let failing = true;
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (!failing) bodies.push([request.method, request.headers['content-type'], JSON.parse(body)]);
    response.writeHead(failing ? 500 : 204).end();
    failing = false;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
  const url = `http://127.0.0.1:${port}/hook`;
  const webhook = createAlertWebhook({ url, fetch, log: createLog('silent'), now: () => now });
  webhook.send({ kind: 'new-network', message: 'look', credential: 'k1', user: 'ada', address: '192.0.2.1' });
  await vi.waitFor(() => expect(bodies).toHaveLength(1), 60_000);
  const time = new Date(now).toISOString();
  expect(bodies[0]).toEqual([
    'POST',
    'application/json',
    { kind: 'new-network', message: 'look', key: 'k1', user: 'ada', address: '192.0.2.1', time },
  ]);
  webhook.close();
  await fetch.close();
  server.close();
});

test('calls that arrive during a write are written next, each once', async () => {
  usage.recordCall(entry({ at: now }));
  const writing = usage.flush();
  usage.recordCall(entry({ at: now + 1 }));
  await Promise.all([writing, usage.flush(), usage.flush()]);
  expect((await usage.listNewestCalls('k1', 10)).map(({ at }) => at - now)).toEqual([1, 0]);
  expect((await usage.listDays('k1', 30))[0]?.calls).toBe(2);
});
