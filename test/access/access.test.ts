import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createAccessControl } from '../../src/access/access.ts';
import { generateAccessKey } from '../../src/access/keys/key.ts';
import { createAccessKeys } from '../../src/access/keys/keys.ts';
import { createDailyQuotaCounter } from '../../src/access/limits/daily-quota-counter.ts';
import { createCallerLimiter, type LimitRules } from '../../src/access/limits/limits.ts';
import { createKeyStore } from '../../src/access/stores/keys.ts';
import { createUsageStore } from '../../src/access/stores/usage.ts';
import type { AccessAlert, AccessControl, MadeKey } from '../../src/access/types.ts';
import { createAccessAlerts } from '../../src/access/usage/alerts.ts';
import { createCredentialWatcher } from '../../src/access/usage/credential-watcher.ts';
import { createCallUsageLog } from '../../src/access/usage/usage.ts';
import { ACCESS_SCOPES } from '../../src/caller.ts';
import { AppError } from '../../src/errors.ts';
import { unauthenticated } from '../../src/lib/network/bearer.ts';
import { createLog } from '../../src/log.ts';
import { type Database, openDatabase } from '../../src/storage/sqlite.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

/** Who is let in, as whom, and what is recorded of those who are not: the room over a real database. */

const DAY = 86_400_000;
const HOME = '192.0.2.1';
/** The token that the issuer of these tests knows. */
const TOKEN = 'good.access.token';
const TOKEN_USER = 'ann@https://issuer.example';

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let now: number;
let alerts: AccessAlert[];
let logged: Record<string, unknown>[];
let headers: Record<string, string>;
let closed: number;

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  now = Date.UTC(2026, 10, 21, 12);
  [alerts, logged, headers, closed] = [[], [], {}, 0];
});
afterEach(() => {
  db.close();
  folder.remove();
});

/** A room; with an issuer, whose `verify` judges tokens. */
function openRoom(
  rules: Partial<LimitRules> = {},
  verify?: (token: string) => Promise<void>,
  keyStore = createKeyStore(db),
): AccessControl {
  const clock = () => now;
  const log = createLog('info', (line) => logged.push(JSON.parse(line)));
  const store = createUsageStore(db);
  const days = createDailyQuotaCounter(store, clock);
  const raised = createAccessAlerts({ log, now: clock });
  const room = createAccessControl({
    keys: createAccessKeys({ store: keyStore, secret: Buffer.alloc(32, 7), now: clock }),
    localUser: 'owner',
    limits: createCallerLimiter({
      rules: { requests: 0, concurrent: 0, fetches: 0, inserts: 0, bytes: 0, ...rules },
      days,
      readStoredBytes: async () => 0,
      now: clock,
      processorCount: 2,
    }),
    usage: createCallUsageLog({ store, counts: days, keepDays: 30, log, now: clock }),
    alerts: raised,
    watchman: createCredentialWatcher({ store, alerts: raised, log, now: clock }),
    log,
    now: clock,
    close: () => void closed++,
    ...(verify && {
      tokens: async () => ({
        async verifyToken(token: string) {
          await verify(token);
          return {
            sub: 'ann',
            user: TOKEN_USER,
            scopes: new Set(['read'] as const),
            clientId: undefined,
            expiresAt: now + 60_000,
          };
        },
      }),
    }),
  });
  room.onAlert((alert) => alerts.push(alert));
  return room;
}

const onlyGood = async (token: string) => {
  if (token !== TOKEN) throw unauthenticated();
};
const client = (address = HOME) => ({
  address,
  setHeader(name: string, value: string) {
    headers[name] = value;
  },
});
const identify = (room: AccessControl, credential?: string, address = HOME) =>
  room.identify({
    authorization: credential === undefined ? null : `Bearer ${credential}`,
    ...client(address),
  });
/** What is on record of a credential, newest first, without the times. */
async function recorded(room: AccessControl, credential: string) {
  await room.usage.flush();
  const calls = await room.usage.listNewestCalls(credential, 10);
  return calls.map(({ user, operation, outcome, address }) => ({ user, operation, outcome, address }));
}
const refusals = () =>
  logged
    .filter(({ msg }) => msg === 'a request is refused at the edge')
    .map(({ key, reason, address }) => ({ key, reason, address }));
const refusedAs = (code: string) => expect.objectContaining({ code });

test('an open server treats everyone as the local user, with any credentials, and records and limits nothing', async () => {
  const room = openRoom({ requests: 1 });
  expect(await room.isOpen()).toBe(true);
  for (const credential of [undefined, generateAccessKey(), TOKEN]) {
    const caller = await identify(room, credential);
    expect(caller).toEqual({ id: 'owner', via: 'http', scopes: new Set(ACCESS_SCOPES) });
    room.recordCall(caller, 'list', 'ok', 3);
    room.countWork(caller, { requests: 100 }, client());
    room.createMeter(caller, client())(1e9);
    expect(await room.standingOf(caller)).toBe('valid');
  }
  expect(await room.identifyPageUser('ada', client())).toEqual({
    id: 'ada',
    via: 'http',
    scopes: new Set(ACCESS_SCOPES),
  });
  for (let time = 0; time < 9; time++) {
    expect(await room.identifyPageUser(undefined, client())).toBeUndefined();
  }
  expect(headers).toEqual({});
  expect(await recorded(room, '')).toEqual([]);
});

test('a key determines user, scopes and credential, and only its own calls are recorded under it', async () => {
  const room = openRoom();
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read', 'scan'] });
  expect(await room.isOpen()).toBe(false);
  const caller = await identify(room, key);
  expect(caller).toEqual({
    id: 'ada',
    via: 'http',
    scopes: new Set(['read', 'scan']),
    credential: record.id,
    address: HOME,
  });
  room.recordCall(caller, 'list', 'ok', 3);
  room.recordCall({ id: 'ada', via: 'http', scopes: new Set(), credential: record.id }, 'query', 'ok', 3);
  expect(await recorded(room, record.id)).toEqual([
    { user: 'ada', operation: 'query', outcome: 'ok', address: '' },
    { user: 'ada', operation: 'list', outcome: 'ok', address: HOME },
  ]);
});

test('the answer to any invalid key is the same; the record and the log give the reason', async () => {
  const room = openRoom();
  const make = () => room.keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: DAY });
  const [revoked, expired] = [await make(), await make()];
  await room.keys.revokeKey(revoked.record.id);
  now += DAY;
  const mistyped = `${revoked.key.slice(0, -1)}${revoked.key.endsWith('x') ? 'y' : 'x'}`;
  for (const credential of [undefined, 'abc', generateAccessKey(), mistyped, revoked.key, expired.key]) {
    const answer = await identify(room, credential).catch((error: unknown) => error);
    expect(answer).toMatchObject({ code: 'unauthenticated', message: unauthenticated().message });
  }
  expect(refusals()).toEqual([
    ...['unknown', 'unknown', 'unknown', 'mistyped'].map((reason) => ({
      key: undefined,
      reason,
      address: HOME,
    })),
    { key: revoked.record.id, reason: 'revoked', address: HOME },
    { key: expired.record.id, reason: 'expired', address: HOME },
  ]);
  const refusal = { operation: '', outcome: 'unauthenticated', address: HOME };
  expect(await recorded(room, '')).toEqual(Array.from({ length: 4 }, () => ({ user: '', ...refusal })));
  for (const { record } of [revoked, expired]) {
    expect(await recorded(room, record.id)).toEqual([{ user: 'ada', ...refusal }]);
  }
});

test('use of a rotated key raises an alert, also after its expiry, and use of an active key is monitored', async () => {
  const room = openRoom();
  const old = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  const next = await room.keys.rotateKey(old.record.id, { overlapMs: DAY });
  await identify(room, old.key);
  expect(alerts).toMatchObject([
    { kind: 'rotated-key', credential: old.record.id, user: 'ada', address: HOME },
  ]);
  now += DAY;
  await expect(identify(room, old.key)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(alerts[1]?.message).toContain(`after it expired: its holder has to change to ${next.record.id}`);
  await identify(room, next.key);
  await identify(room, next.key, '198.51.100.1');
  expect(alerts[2]).toMatchObject({ kind: 'new-network', credential: next.record.id, user: 'ada' });
  now += 91 * DAY;
  await identify(room, next.key);
  expect(headers.Warning).toContain(`the key ${next.record.id} is 92 days old`);
  expect(alerts).toHaveLength(4);
});

test('with an issuer a server is closed, keys work beside tokens, and a token determines user and expiry', async () => {
  const asked: string[] = [];
  const room = openRoom({}, async (token) => {
    asked.push(token);
    await onlyGood(token);
  });
  expect(await room.isOpen()).toBe(false);
  await expect(identify(room)).rejects.toMatchObject({ code: 'unauthenticated' });
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  expect((await identify(room, key)).credential).toBe(record.id);
  // What has the form of a key is never sent to the judge of tokens.
  const mistyped = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
  await expect(identify(room, mistyped)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(asked).toEqual([]);
  expect(await identify(room, TOKEN)).toEqual({
    id: TOKEN_USER,
    via: 'http',
    scopes: new Set(['read']),
    credential: TOKEN_USER,
    expiresAt: now + 60_000,
    address: HOME,
  });
  await identify(room, TOKEN, '198.51.100.1');
  expect(alerts).toMatchObject([{ kind: 'new-network', credential: TOKEN_USER, user: TOKEN_USER }]);
  expect(asked).toEqual([TOKEN, TOKEN]);
});

test('a refused token is recorded; a temporary failure to check tokens is not a refusal', async () => {
  const room = openRoom({}, async (token) => {
    if (token === 'later') throw new AppError('unavailable', 'the issuer is down');
    await onlyGood(token);
  });
  await expect(identify(room, 'forged')).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(identify(room, 'later')).rejects.toMatchObject({ code: 'unavailable' });
  expect(refusals()).toEqual([{ key: undefined, reason: 'token', address: HOME }]);
  expect(await recorded(room, '')).toEqual([
    { user: '', operation: '', outcome: 'unauthenticated', address: HOME },
  ]);
});

test('a valid key is limited by key and user, and its address counts what has no valid key', async () => {
  const room = openRoom({ requests: 2 });
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  const other = await room.keys.createKey({ user: 'bob', scopes: ['read'] });
  await identify(room, key);
  await identify(room, key);
  // However often a key is refused, others behind its address are served.
  for (let time = 0; time < 5; time++)
    await expect(identify(room, key)).rejects.toEqual(refusedAs('rate_limited'));
  expect(headers['RateLimit-Policy']).toBe('"key";q=2;w=60');
  const refusal = { user: 'ada', operation: '', outcome: 'rate_limited', address: HOME };
  expect(await recorded(room, record.id)).toEqual(Array.from({ length: 5 }, () => refusal));
  expect(refusals()).toEqual(
    Array.from({ length: 5 }, () => ({ key: record.id, reason: 'rate', address: HOME })),
  );
  for (let time = 0; time < 8; time++) {
    const guess = time % 2 === 0 ? generateAccessKey() : 'magpie_guess';
    await expect(identify(room, guess)).rejects.toEqual(refusedAs('unauthenticated'));
  }
  await expect(identify(room, generateAccessKey())).rejects.toEqual(refusedAs('rate_limited'));
  expect(headers['RateLimit-Policy']).toBe('"address";q=8;w=60');
  expect(await identify(room, other.key)).toMatchObject({ id: 'bob' });
  const token = openRoom({ requests: 1 }, onlyGood);
  await identify(token, TOKEN);
  await expect(identify(token, TOKEN)).rejects.toEqual(refusedAs('rate_limited'));
  expect(await recorded(token, TOKEN_USER)).toEqual([{ ...refusal, user: TOKEN_USER }]);
});

test('work counts for its key, and refused work is recorded', async () => {
  const room = openRoom({ requests: 10 });
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  const caller = await identify(room, key);
  room.countWork(caller, { requests: 9 }, client());
  expect(headers.RateLimit).toMatch(/^"key";r=0;/);
  expect(() => room.countWork(caller, { requests: 1 }, client())).toThrow(refusedAs('rate_limited'));
  expect(await recorded(room, record.id)).toEqual([
    { user: 'ada', operation: '', outcome: 'rate_limited', address: HOME },
  ]);
  expect(refusals()).toEqual([{ key: record.id, reason: 'rate', address: HOME }]);
});

test('processor time counts for the key, and at the upload page for the user', async () => {
  const room = openRoom({ requests: 60 });
  const { key } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  const caller = await identify(room, key);
  // One of two processors for a minute is worth 60 requests.
  room.createMeter(caller, client())(10_000);
  expect([headers['RateLimit-Policy'], headers.RateLimit]).toEqual(['"key";q=60;w=60', '"key";r=49;t=11']);
  const visitor = await room.identifyPageUser('ada', client());
  if (!visitor) return expect.fail('the user of the page is known');
  room.createMeter(visitor, client())(10_000);
  expect([headers['RateLimit-Policy'], headers.RateLimit]).toEqual(['"page";q=60;w=60', '"page";r=49;t=11']);
});

test('a visitor of the upload page has the quota of the page, and a separate record', async () => {
  const room = openRoom({ requests: 2 });
  await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  const visitor = await room.identifyPageUser('ada', client());
  expect(visitor).toEqual({
    id: 'ada',
    via: 'http',
    scopes: new Set(ACCESS_SCOPES),
    credential: 'page:ada',
    address: HOME,
  });
  await room.identifyPageUser('ada', client());
  await room.identifyPageUser('bob', client());
  await expect(room.identifyPageUser('ada', client())).rejects.toEqual(refusedAs('rate_limited'));
  expect(await recorded(room, 'page:ada')).toEqual([
    { user: 'ada', operation: '', outcome: 'rate_limited', address: HOME },
  ]);
  expect(refusals()).toEqual([{ key: 'page:ada', reason: 'rate', address: HOME }]);
  // Without a session only the address counts.
  for (let time = 0; time < 8; time++) {
    expect(await room.identifyPageUser(undefined, client())).toBeUndefined();
  }
  await expect(room.identifyPageUser(undefined, client())).rejects.toEqual(refusedAs('rate_limited'));
  expect(await room.identifyPageUser(undefined, client('198.51.100.1'))).toBeUndefined();
});

test('a token is valid until it expires, a key until its record changes', async () => {
  const room = openRoom({}, onlyGood);
  const bearer = await identify(room, TOKEN);
  now += 59_999;
  expect(await room.standingOf(bearer)).toBe('valid');
  now += 1;
  expect(await room.standingOf(bearer)).toBe('ended');
  const make = (): Promise<MadeKey> =>
    room.keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: DAY });
  const [first, second] = [await make(), await make()];
  const callers = [await identify(room, first.key), await identify(room, second.key)];
  await room.keys.revokeKey(second.record.id);
  expect(await Promise.all(callers.map(room.standingOf))).toEqual(['valid', 'revoked']);
  now += DAY;
  expect(await Promise.all(callers.map(room.standingOf))).toEqual(['ended', 'revoked']);
  expect(await room.standingOf({ id: 'owner', via: 'http', scopes: new Set() })).toBe('ended');
});

test('work that outlasts its call may fetch while its key is valid, or if a token began it', async () => {
  const room = openRoom({}, onlyGood);
  const bearer = await identify(room, TOKEN);
  const make = () => room.keys.createKey({ user: 'ada', scopes: ['read'], lifetimeMs: DAY });
  const [first, second] = [await make(), await make()];
  const [expires, revoked] = [await identify(room, first.key), await identify(room, second.key)];
  const all = () =>
    Promise.all(
      [bearer, expires, revoked].map((caller) =>
        room.countFetch(caller).catch((error: Error) => error.message),
      ),
    );
  expect(await all()).toEqual([true, true, true]);
  await room.keys.revokeKey(second.record.id);
  now += DAY;
  expect(await all()).toEqual([
    true,
    'the credential of this call has expired while it ran',
    'the credential of this call was revoked while it ran',
  ]);
});

test.each(['unauthenticated', 'forbidden', 'rate_limited'])(
  'twenty calls of one key that are refused as %s raise an alert, and other failures do not',
  async (outcome) => {
    const room = openRoom();
    const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
    const caller = await identify(room, key);
    for (let time = 0; time < 30; time++) room.recordCall(caller, 'list', 'timeout', 1);
    for (let time = 0; time < 19; time++) room.recordCall(caller, 'list', outcome, 1);
    expect(alerts).toEqual([]);
    room.recordCall(caller, 'list', outcome, 1);
    expect(alerts).toMatchObject([{ kind: 'refusals', credential: record.id, address: HOME }]);
  },
);

test('twenty requests that are refused before authentication raise an alert for their address', async () => {
  const room = openRoom();
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  for (let time = 0; time < 20; time++) await identify(room, generateAccessKey()).catch(() => {});
  expect(alerts).toMatchObject([{ kind: 'refusals', address: HOME }]);
  expect(alerts[0]?.credential).toBeUndefined();
  await room.keys.revokeKey(record.id);
  for (let time = 0; time < 20; time++) await identify(room, key, `198.51.100.${time}`).catch(() => {});
  expect(alerts[1]).toMatchObject({ kind: 'refusals', credential: record.id });
});

/** Requests of unknown credentials that are checked at once for addresses without requests left, and that wait for an address. */
const [CHECKED_AT_ONCE, WAITING] = [4, 100];

describe('an address that has used up its requests without a valid key', () => {
  /** Uses up the requests of an address: four times those of a key. */
  async function spend(room: AccessControl): Promise<void> {
    while (!(await isSpent(room)));
  }
  const isSpent = (room: AccessControl) =>
    identify(room, generateAccessKey()).catch((error: AppError) => error.code === 'rate_limited');

  test('is passed by keys in use, while unknown ones wait for a check', async () => {
    const store = createKeyStore(db);
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    const room = openRoom({ requests: 2 }, undefined, {
      ...store,
      async findByHash(hash) {
        if (isHeld) await held.promise;
        return store.findByHash(hash);
      },
    });
    const [inUse, unseen] = [
      await room.keys.createKey({ user: 'ada', scopes: ['read'] }),
      await room.keys.createKey({ user: 'bob', scopes: ['read'] }),
    ];
    await identify(room, inUse.key, '198.51.100.9');
    await spend(room);
    isHeld = true;
    const unknown = Array.from({ length: CHECKED_AT_ONCE + WAITING }, () =>
      identify(room, generateAccessKey()).catch((error: unknown) => error),
    );
    await expect(identify(room, unseen.key)).rejects.toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('too many requests without a valid key'),
    });
    expect((await identify(room, inUse.key)).id).toBe('ada');
    held.resolve();
    for (const refused of await Promise.all(unknown)) expect(refused).toBeInstanceOf(AppError);
  });

  test('has the places of clients that closed their connections', async () => {
    const checks = Promise.withResolvers<void>();
    const room = openRoom({ requests: 200 }, () => checks.promise);
    await spend(room);
    const clients = Array.from({ length: CHECKED_AT_ONCE + WAITING }, () => new AbortController());
    const wait = ({ signal }: AbortController) =>
      room
        .identify({ authorization: `Bearer ${TOKEN}`, ...client(), disconnected: () => signal })
        .catch((error: unknown) => error);
    const waiting = clients.map(wait);
    const busy = refusedAs('rate_limited');
    expect(await wait(new AbortController())).toEqual(busy);
    for (const gone of clients.slice(-2)) gone.abort();
    for (const refused of await Promise.all(waiting.slice(-2))) {
      expect((refused as Error).name).toBe('AbortError');
    }
    const late = [wait(new AbortController()), wait(new AbortController())];
    expect(await wait(new AbortController())).toEqual(busy);
    checks.resolve();
    const callers = await Promise.all([...waiting.slice(0, -2), ...late]);
    expect(new Set(callers.map((caller) => (caller as { id?: string }).id))).toEqual(new Set([TOKEN_USER]));
  });
});

test('closing writes pending records, and then closes the dependencies', async () => {
  const room = openRoom();
  const { key, record } = await room.keys.createKey({ user: 'ada', scopes: ['read'] });
  room.recordCall(await identify(room, key), 'list', 'ok', 1);
  await room.close();
  expect(closed).toBe(1);
  expect(await room.usage.listNewestCalls(record.id, 10)).toHaveLength(1);
});
