import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type AuthorizationServer,
  createAuthorizationServer,
} from '../../../src/access/grants/authorization-server.ts';
import { createGrantStore } from '../../../src/access/stores/grants.ts';
import { createKeyStore } from '../../../src/access/stores/keys.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { toAnyDatabase } from '../../../src/storage/any-database.ts';
import type { Database } from '../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../helpers/magpie.ts';
import { openTestDatabase } from '../../helpers/test-database.ts';

/** The authorization server with a clock that the test sets, and apps that a server on loopback describes. */

const ISSUER = 'https://magpie.example.org';
const BACK = 'https://app.example/back';
const guarded = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'test' });
const asked: string[] = [];
let hold: Promise<unknown> = Promise.resolve();
let describe: (path: string) => { status?: number; headers?: Record<string, string>; body: unknown } =
  () => ({ body: {} });
const apps = createServer((request, response) => {
  asked.push(request.url ?? '');
  const { status = 200, headers = {}, body } = describe(request.url ?? '');
  const answer = () =>
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body));
  if (request.url?.startsWith('/slow')) void hold.then(answer);
  else answer();
});
const documents = () => `https://127.0.0.1:${(apps.address() as AddressInfo).port}`;
/** Asks the server by http for what is named by https: the guard trusts no authority of a test. */
const fetch = Object.assign(
  (url: string, options: Parameters<typeof guarded>[1]) => guarded(url.replace('https:', 'http:'), options),
  { close: () => guarded.close() },
);

let at = 1_800_000_000_000;
let db: Database;
let server: AuthorizationServer;

beforeAll(async () => {
  await new Promise<void>((resolve) => apps.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  apps.close();
  await guarded.close();
});
beforeEach(async () => {
  const folder = temporaryFolder();
  db = await openTestDatabase({ folder: folder.path });
  const times = { createdAt: at, expiresAt: undefined, revokedAt: undefined, usedAt: undefined };
  await createKeyStore(db).insertKey(
    { id: 'k1', user: 'ada', name: '', prefix: '', scopes: ['read'], replacedBy: undefined, ...times },
    randomBytes(32),
  );
  const store = createGrantStore(db);
  server = createAuthorizationServer({
    issuer: ISSUER,
    store,
    secret: Buffer.alloc(32, 7),
    fetch,
    now: () => at,
  });
  return () => {
    db.close();
    folder.remove();
  };
});

const verifier = 'v'.repeat(43);
const challenge = createHash('sha256').update(verifier).digest('base64url');
const register = (body: object = {}) =>
  server.registerClient({ redirect_uris: [BACK], ...body }, '198.51.100.7');
const ask = (client_id: string, more: Record<string, string> = {}, address = '198.51.100.7') => {
  const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
  const parameters = { response_type: 'code', client_id, redirect_uri: BACK, ...pkce, ...more };
  return server.readRequest(new URLSearchParams(parameters), address);
};
const exchange = (fields: Record<string, string>) => server.exchange(new URLSearchParams(fields));
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'ok',
    (error: { oauth?: string; code: string }) => error.oauth ?? error.code,
  );

async function codeOf(client: string): Promise<string> {
  const { request } = await ask(client);
  return server.grant(request, { user: 'ada', keyId: 'k1', scopes: ['read'] });
}
const redeem = (client_id: string, code: string) =>
  exchange({ grant_type: 'authorization_code', client_id, code, code_verifier: verifier });
const refresh = (client_id: string, refresh_token: string) =>
  exchange({ grant_type: 'refresh_token', client_id, refresh_token });

async function signedIn() {
  const client = String(register().client_id);
  return { client, ...(await redeem(client, await codeOf(client))) };
}

test('a code lasts a minute, an access token an hour, and a refresh token a month', async () => {
  const client = String(register().client_id);
  const [early, late] = [await codeOf(client), await codeOf(client)];
  at += 59_999;
  const tokens = await redeem(client, early);
  at += 1;
  expect(await outcome(redeem(client, late))).toBe('invalid_grant');
  at += 3_599_998;
  expect(await server.verifyToken(tokens.access_token)).toMatchObject({
    user: 'ada',
    scopes: new Set(['read']),
  });
  at += 1;
  expect(await outcome(server.verifyToken(tokens.access_token))).toBe('unauthenticated');
  at += 30 * 86_400_000 - 3_600_001;
  const next = await refresh(client, tokens.refresh_token);
  at += 30 * 86_400_000;
  expect(await outcome(refresh(client, next.refresh_token))).toBe('invalid_grant');
});

test('a code that was redeemed ends the grant when it comes again, also after its minute', async () => {
  const client = String(register().client_id);
  const code = await codeOf(client);
  const tokens = await redeem(client, code);
  at += 30 * 60_000;
  expect(await outcome(redeem(client, code))).toBe('invalid_grant');
  expect(await outcome(server.verifyToken(tokens.access_token))).toBe('unauthenticated');
});

test('a refresh token can come again for two minutes, as from a second process, and then ends the grant', async () => {
  const { client, refresh_token: first } = await signedIn();
  const one = await refresh(client, first);
  at += 119_999;
  const two = await refresh(client, first);
  expect(two.refresh_token).not.toBe(one.refresh_token);
  expect(await outcome(refresh(client, one.refresh_token))).toBe('ok');
  at += 1;
  expect(await outcome(refresh(client, first))).toBe('invalid_grant');
  for (const { access_token, refresh_token } of [one, two]) {
    expect(await outcome(server.verifyToken(access_token))).toBe('unauthenticated');
    expect(await outcome(refresh(client, refresh_token))).toBe('invalid_grant');
  }
});

test('an app that asks for a new token again and again has to wait', async () => {
  let { client, refresh_token: token } = await signedIn();
  for (let count = 1; count < 30; count++) ({ refresh_token: token } = await refresh(client, token));
  expect(await outcome(refresh(client, token))).toBe('rate_limited');
  at += 3_600_000;
  expect(await outcome(refresh(client, token))).toBe('ok');
});

test('the database has no token and no code, and nothing of what expired', async () => {
  const { client, access_token, refresh_token } = await signedIn();
  const code = await codeOf(client);
  const rows = (table: string) => toAnyDatabase(db).read((sql) => sql.all<object>(`SELECT * FROM ${table}`));
  const text = JSON.stringify([await rows('access_tokens'), await rows('access_grants')]);
  for (const secret of [access_token, refresh_token, code, verifier]) expect(text).not.toContain(secret);
  at += 31 * 86_400_000;
  await outcome(redeem(client, 'mpc_x'));
  expect([await rows('access_tokens'), await rows('access_grants')]).toEqual([[], []]);
});

test('registrations are stored nowhere, and those of another installation are unknown', async () => {
  const made = register({
    client_name: ' An\u200bapp ',
    token_endpoint_auth_method: 'client_secret_post',
    scope: 'x',
  });
  expect(made).toMatchObject({ token_endpoint_auth_method: 'none', redirect_uris: [BACK] });
  expect((await ask(String(made.client_id))).request.clientName).toBe('An app');
  const other = createAuthorizationServer({
    ...{ issuer: ISSUER, store: createGrantStore(db), secret: Buffer.alloc(32, 8), fetch, now: () => at },
  });
  const foreign = String(other.registerClient({ redirect_uris: [BACK] }, '198.51.100.7').client_id);
  expect(await outcome(ask(foreign))).toBe('bad_request');
});

const documentOf = (path: string, more: object = {}) => ({
  client_id: `${documents()}${path}`,
  client_name: 'ChatGPT',
  redirect_uris: [BACK],
  token_endpoint_auth_method: 'none',
  ...more,
});

test('an app is known by its document, which is fetched once in ten minutes', async () => {
  describe = (path) => ({ body: documentOf(path) });
  const id = `${documents()}/apps/1/client.json`;
  const both = await Promise.all([ask(id), ask(id)]);
  expect(both.map(({ request, refusal }) => [request.clientId, request.clientName, refusal])).toEqual(
    both.map(() => [id, 'ChatGPT', undefined]),
  );
  expect(await outcome(ask(id, { redirect_uri: 'https://app.example/other' }))).toBe('bad_request');
  expect(asked.filter((path) => path === '/apps/1/client.json')).toHaveLength(1);
  at += 600_001;
  await ask(id);
  expect(asked.filter((path) => path === '/apps/1/client.json')).toHaveLength(2);
  const code = await codeOf(id);
  expect((await redeem(id, code)).scope).toBe('read');
});

test('one network that names many slow apps keeps no other from its app, and has to wait itself', async () => {
  const [release, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  hold = release.promise;
  describe = (path) => {
    if (path.startsWith('/slow/')) arrived.resolve();
    return { body: documentOf(path) };
  };
  const slow = Array.from({ length: 5 }, (_, count) => outcome(ask(`${documents()}/slow/${count}.json`)));
  await arrived.promise;
  expect(await outcome(ask(`${documents()}/fair.json`))).toBe('rate_limited');
  await expect(ask(`${documents()}/fair.json`)).rejects.toMatchObject({ retryAfter: 5 });
  // Its app is known to others at once, also one that the network waits for, and no refusal was kept.
  expect(await outcome(ask(`${documents()}/fair.json`, {}, '203.0.113.9'))).toBe('ok');
  expect(await outcome(ask(`${documents()}/fair.json`))).toBe('ok');
  expect(asked.filter((path) => path.startsWith('/slow/'))).toHaveLength(1);
  const other = outcome(ask(`${documents()}/slow/4.json`, {}, '203.0.113.9'));
  release.resolve();
  expect(await other).toBe('ok');
  expect(await Promise.all(slow)).toEqual(slow.map(() => 'ok'));
  expect(asked.filter((path) => path.startsWith('/slow/'))).toHaveLength(5);
});

test('an app that prefers to sign its requests is taken if its document says that it can do without', async () => {
  const more = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks' };
  const both = { ...more, token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] };
  describe = (path) => ({ body: documentOf(path, path.includes('both') ? both : more) });
  expect(await outcome(ask(`${documents()}/both.json`))).toBe('ok');
  expect(await outcome(ask(`${documents()}/signs.json`))).toBe('bad_request');
});

test.each([
  ['of another address', { body: { client_id: 'https://other.example/c', redirect_uris: [BACK] } }],
  ['that is missing', { status: 404, body: {} }],
  ['that is elsewhere', { status: 302, headers: { location: '/elsewhere' }, body: '' }],
  ['that is no JSON', { body: '<html>' }],
  ['that is too large', { body: ' '.repeat(20_000) }],
  ['with a secret', { body: {}, more: { token_endpoint_auth_method: 'client_secret_basic' } }],
  ['without addresses', { body: {}, more: { redirect_uris: [] } }],
  ['with an address that runs a script', { body: {}, more: { redirect_uris: ['javascript:alert(1)'] } }],
] as [string, { status?: number; headers?: Record<string, string>; body: unknown; more?: object }][])(
  'an app is not known by a document %s, and it is not fetched again at once',
  async (_what, { more, ...answer }) => {
    const id = `${documents()}/wrong.json`;
    const before = asked.length;
    describe = (path) => (more ? { body: documentOf(path, more) } : answer);
    expect([await outcome(ask(id)), await outcome(ask(id))]).toEqual(['bad_request', 'bad_request']);
    expect(asked.length).toBe(before + 1);
    describe = (path) => ({ body: documentOf(path) });
    at += 30_001;
    expect(await outcome(ask(id))).toBe('ok');
  },
);
