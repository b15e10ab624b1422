import { beforeEach, expect, test } from 'vitest';
import type { AccessAlert, KeyRecord } from '../../src/access/types.ts';
import { type AccessAlerts, createAccessAlerts } from '../../src/access/usage/alerts.ts';
import {
  type CredentialWatcher,
  createCredentialWatcher,
} from '../../src/access/usage/credential-watcher.ts';
import { createLog } from '../../src/log.ts';

/** When alerts are raised, how often, and how much is remembered for that; by a clock of the test's own. */

const DAY = 86_400_000;
const HOME = '192.0.2.1';
let now: number;
let raised: AccessAlert[];
let logged: Record<string, unknown>[];
let alerts: AccessAlerts;
let watchman: CredentialWatcher;
/** Networks that the store was asked to remember, and what it says. */
let asked: string[];
let remember: () => Promise<boolean>;

beforeEach(() => {
  now = Date.UTC(2026, 10, 21, 12);
  [raised, logged, asked] = [[], [], []];
  remember = async () => true;
  const log = createLog('info', (line) => logged.push(JSON.parse(line)));
  alerts = createAccessAlerts({ log, now: () => now });
  alerts.onAlert((alert) => raised.push(alert));
  const store = {
    rememberNetwork(credential: string, network: string, at: number) {
      asked.push(`${credential} ${network} ${at - now}`);
      return remember();
    },
  };
  watchman = createCredentialWatcher({ store, alerts, log, now: () => now });
});

const refuse = (times: number, subject: { credential?: string; address: string }) => {
  for (let at = 0; at < times; at++) alerts.countRefusal(subject);
};
const key = (fields: Partial<KeyRecord>): KeyRecord => ({
  id: 'k1',
  user: 'ada',
  name: '',
  prefix: '',
  scopes: ['read'],
  createdAt: now,
  expiresAt: undefined,
  revokedAt: undefined,
  replacedBy: undefined,
  usedAt: undefined,
  ...fields,
});
const client = { address: HOME, setHeader() {} };

test('an alert is reported to every listener and in the log, with its subject', () => {
  const others: AccessAlert[] = [];
  alerts.onAlert((alert) => others.push(alert));
  const alert: AccessAlert = {
    kind: 'old-key',
    message: 'rotate it',
    credential: 'k1',
    user: 'ada',
    address: HOME,
  };
  alerts.raiseAlert(alert);
  expect([raised, others]).toEqual([[alert], [alert]]);
  expect(logged).toMatchObject([
    { level: 'warn', msg: 'rotate it', alert: 'old-key', key: 'k1', user: 'ada', address: HOME },
  ]);
});

test('the same kind and subject are reported once a day; another kind or subject is reported at once', () => {
  const raise = (kind: AccessAlert['kind'], credential?: string, address?: string) =>
    alerts.raiseAlert({ kind, message: '', ...(credential && { credential }), ...(address && { address }) });
  raise('old-key', 'k1', HOME);
  raise('old-key', 'k1', '198.51.100.1');
  expect(raised).toHaveLength(1);
  raise('rotated-key', 'k1');
  raise('old-key', 'k2');
  raise('refusals', undefined, HOME);
  raise('refusals', undefined, '198.51.100.1');
  expect(raised).toHaveLength(5);
  now += DAY - 1;
  raise('old-key', 'k1');
  expect(raised).toHaveLength(5);
  now += 1;
  raise('old-key', 'k1');
  expect(raised).toHaveLength(6);
});

test('twenty refusals of a key in a minute raise one alert for the key, and none for its address', () => {
  refuse(20, { credential: 'k1', address: HOME });
  expect(raised).toEqual([
    {
      kind: 'refusals',
      credential: 'k1',
      address: HOME,
      message:
        '20 refusals within a minute of the key k1: it is expired, revoked, or used for what it may not do',
    },
  ]);
  // Nineteen of them counted for the address too.
  refuse(1, { address: HOME });
  expect(raised[1]).toEqual({
    kind: 'refusals',
    address: HOME,
    message: `20 refusals within a minute from ${HOME}: someone may be trying keys`,
  });
});

test('each key is counted separately, from any address', () => {
  for (let at = 0; at < 19; at++) refuse(1, { credential: 'k1', address: `a${at}` });
  for (let at = 0; at < 19; at++) refuse(1, { credential: 'k2', address: `b${at}` });
  expect(raised).toEqual([]);
  refuse(1, { credential: 'k2', address: HOME });
  expect(raised).toMatchObject([{ credential: 'k2', address: HOME }]);
});

test('a minute begins with the first refusal', () => {
  refuse(1, { address: HOME });
  now += 59_999;
  refuse(18, { address: HOME });
  expect(raised).toEqual([]);
  refuse(1, { address: HOME });
  expect(raised).toHaveLength(1);
  refuse(1, { address: '198.51.100.1' });
  now += 60_000;
  refuse(19, { address: '198.51.100.1' });
  expect(raised).toHaveLength(1);
});

test('the latest of ten thousand subjects are remembered', () => {
  refuse(19, { address: 'first' });
  refuse(19, { address: 'second' });
  refuse(1, { credential: 'k1', address: 'third' });
  // Two subjects of that one, and as many others as there is room for.
  for (let at = 0; at < 9_996; at++) refuse(1, { address: `a${at}` });
  expect(raised).toEqual([]);
  refuse(1, { address: 'first' });
  expect(raised).toMatchObject([{ address: 'first' }]);
  // One more: the second is the oldest now, and is forgotten.
  refuse(1, { address: 'one more' });
  refuse(1, { address: 'second' });
  expect(raised).toHaveLength(1);
});

test('the network of a credential is determined once, for any of its addresses', async () => {
  await Promise.all([
    watchman.noteAddress('k1', 'ada', HOME),
    watchman.noteAddress('k1', 'ada', '192.0.2.77'),
  ]);
  await watchman.noteAddress('k1', 'ada', HOME);
  expect(asked).toEqual(['k1 192.0.2.0/24 0']);
  expect(raised).toEqual([
    {
      kind: 'new-network',
      credential: 'k1',
      user: 'ada',
      address: HOME,
      message: 'k1 is used from a network that it was not used from before, 192.0.2.0/24',
    },
  ]);
  await watchman.noteAddress('k2', 'bob', HOME);
  expect(asked).toHaveLength(2);
});

test('the memory of networks is bounded', async () => {
  remember = async () => false;
  const use = (at: number) => watchman.noteAddress(`k${at}`, 'ada', HOME);
  for (let at = 0; at < 20_000; at++) await use(at);
  await use(0);
  expect(asked).toHaveLength(20_000);
  await use(20_000);
  await use(0);
  expect(asked).toHaveLength(20_002);
  expect(raised).toEqual([]);
});

test('a failing store refuses no one: the log reports the failure, and no alert is raised', async () => {
  remember = () => Promise.reject(new Error('full'));
  await watchman.noteUse(key({}), client);
  expect(raised).toEqual([]);
  expect(logged).toMatchObject([
    { level: 'warn', msg: 'the networks of keys cannot be recorded', err: { message: 'full' } },
  ]);
});

test('a key is old after ninety days, to the millisecond', async () => {
  const headers: string[] = [];
  const setHeader = (name: string) => void headers.push(name);
  remember = async () => false;
  await watchman.noteUse(key({ createdAt: now - 90 * DAY }), { address: HOME, setHeader });
  expect([headers, raised]).toEqual([[], []]);
  await watchman.noteUse(key({ createdAt: now - 90 * DAY - 1 }), { address: HOME, setHeader });
  expect([headers, raised]).toMatchObject([
    ['Warning'],
    [{ kind: 'old-key', credential: 'k1', user: 'ada', address: HOME }],
  ]);
});

test.each([
  [7_200_000, 'after its rotation, and expires in 2 hours'],
  [1, 'after its rotation, and expires in 0 seconds'],
  [0, 'after it expired'],
  [undefined, 'after it expired'],
])('a rotated key with %s ms left is reported with that time', async (left, words) => {
  remember = async () => false;
  const expiresAt = left === undefined ? undefined : now + left;
  await watchman.noteUse(key({ replacedBy: 'k9', expiresAt }), client);
  expect(raised).toEqual([
    {
      kind: 'rotated-key',
      credential: 'k1',
      user: 'ada',
      address: HOME,
      message: `the key k1 is still used ${words}: its holder has to change to k9`,
    },
  ]);
});
