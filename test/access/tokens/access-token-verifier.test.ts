import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { createAccessTokenVerifier } from '../../../src/access/tokens/access-token-verifier.ts';
import type { AccessTokenVerifier } from '../../../src/access/types.ts';
import { asAppError } from '../../../src/errors.ts';
import { unauthenticated } from '../../../src/lib/network/bearer.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createLog } from '../../../src/log.ts';

/** Tokens against an issuer on loopback: its answers are the test's to change. */

const AUDIENCE = 'https://magpie.example/mcp';
const REFUSED = unauthenticated().message;
const MINUTE = 60_000;

interface Key {
  readonly jwk: JWK;
  readonly privateKey: CryptoKey;
}

async function makeKey(kid: string, alg = 'ES256'): Promise<Key> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' }, privateKey };
}

const A = await makeKey('a');
const B = await makeKey('b', 'RS256');
const RSA_PRIVATE = await exportPKCS8(B.privateKey);

const ends: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

class Issuer {
  readonly url: string;
  keys: readonly JWK[] = [A.jwk];
  /** Paths that were asked for. */
  readonly asked: string[] = [];
  /** Answers in place of the usual ones, by path. */
  readonly instead = new Map<string, { status: number; body?: string; location?: string }>();
  /** Where its metadata is. */
  place: string;
  readonly server: Server;

  constructor(server: Server, path: string) {
    this.server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
    this.place = `/.well-known/oauth-authorization-server${path}`;
    server.on('request', ({ url = '/' }, response) => {
      this.asked.push(url);
      const other = this.instead.get(url);
      if (other) {
        response.writeHead(other.status, other.location === undefined ? {} : { location: other.location });
        return response.end(other.body);
      }
      if (url === this.place) return response.end(JSON.stringify(this.metadata()));
      if (url === '/keys') return response.end(JSON.stringify({ keys: this.keys }));
      return response.writeHead(404).end();
    });
  }

  metadata(): Record<string, unknown> {
    return { issuer: this.url, jwks_uri: new URL('/keys', this.url).href };
  }

  fetches(): number {
    return this.asked.filter((path) => path === '/keys').length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((resolve) => this.server.close(resolve));
  }
}

async function startIssuer(path = ''): Promise<Issuer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = new Issuer(server, path);
  ends.push(() => issuer.stop());
  return issuer;
}

interface Checked {
  readonly tokens: AccessTokenVerifier;
  readonly logged: string[];
  later(ms: number): void;
}

/** Tokens of that issuer, by a clock of the test's own. */
function check(issuer: string): Checked {
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
  ends.push(() => fetch.close());
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  let shift = 0;
  const tokens = createAccessTokenVerifier({
    issuer,
    audience: AUDIENCE,
    fetch,
    log,
    now: () => Date.now() + shift,
  });
  return {
    tokens,
    logged,
    later(ms) {
      shift += ms;
    },
  };
}

const seconds = () => Math.floor(Date.now() / 1000);

function claims(iss: string, other: JWTPayload = {}): JWTPayload {
  return { iss, aud: AUDIENCE, sub: 'ada', exp: seconds() + 86_400 * 3, scope: 'read', ...other };
}

function sign(payload: JWTPayload, key: Key = A, header: Record<string, unknown> = {}): Promise<string> {
  return new SignJWT(payload)
    .setProtectedHeader({ alg: key.jwk.alg ?? '', kid: key.jwk.kid ?? '', typ: 'at+jwt', ...header })
    .sign(key.privateKey);
}

async function refusal(work: Promise<unknown>): Promise<{ code: string; message: string; reason: string }> {
  const error = await work.then(
    () => expect.fail('the token was taken'),
    (thrown: unknown) => asAppError(thrown),
  );
  const { cause } = error;
  return { code: error.code, message: error.message, reason: cause instanceof Error ? cause.message : '' };
}

test('a valid token determines the user and the scopes', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  const exp = seconds() + 60;
  const token = await sign(
    claims(issuer.url, {
      scope: 'openid write read read admin',
      client_id: 'editor',
      exp,
      aud: ['x', AUDIENCE],
    }),
  );
  expect(await tokens.verifyToken(token)).toEqual({
    sub: 'ada',
    user: `ada@${issuer.url}`,
    scopes: new Set(['read', 'write']),
    clientId: 'editor',
    expiresAt: exp * 1000,
  });
});

test('scopes may be in scp, as a list or a text; a token without scopes permits nothing', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  const scopes = async (other: JWTPayload) => {
    const { scope: _, ...rest } = claims(issuer.url);
    return [...(await tokens.verifyToken(await sign({ ...rest, ...other }))).scopes];
  };
  expect(await scopes({ scp: ['scan', 'monitor', 7] })).toEqual(['scan', 'monitor']);
  expect(await scopes({ scp: 'write scan' })).toEqual(['write', 'scan']);
  expect(await scopes({})).toEqual([]);
  expect(await scopes({ scope: { read: true } })).toEqual([]);
  expect(await scopes({ scope: 'READ reading read,write' })).toEqual([]);
});

test('every common type and kind of key is accepted', async () => {
  const issuer = await startIssuer();
  const [ps, ed] = await Promise.all([makeKey('ps', 'PS256'), makeKey('ed', 'EdDSA')]);
  issuer.keys = [A.jwk, B.jwk, ps.jwk, ed.jwk];
  const { tokens } = check(issuer.url);
  for (const key of [A, B, ps, ed]) {
    for (const typ of ['at+jwt', 'application/at+jwt', 'JWT', 'application/jwt', undefined]) {
      const { sub } = await tokens.verifyToken(await sign(claims(issuer.url), key, { typ }));
      expect(sub).toBe('ada');
    }
  }
});

test('every asymmetric algorithm is accepted, and none with a shared secret', async () => {
  const issuer = await startIssuer();
  const { alg: _alg, ...rsa } = B.jwk;
  const made = await Promise.all(['ES384', 'ES512', 'Ed25519'].map((alg) => makeKey(alg, alg)));
  issuer.keys = [rsa, ...made.map(({ jwk }) => jwk)];
  const { tokens } = check(issuer.url);
  const token = claims(issuer.url);
  for (const alg of ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']) {
    const privateKey = await importPKCS8(RSA_PRIVATE, alg);
    expect((await tokens.verifyToken(await sign(token, { jwk: { ...rsa, alg }, privateKey }))).sub, alg).toBe(
      'ada',
    );
  }
  for (const key of made) {
    expect((await tokens.verifyToken(await sign(token, key))).sub, key.jwk.kid).toBe('ada');
  }
});

test('verified tokens are cached until they expire, up to the latest thousand', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  ends.push(() => vi.useRealTimers());
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  const lasting = { exp: seconds() + 300 };
  const all = await Promise.all(
    Array.from({ length: 1001 }, (_, at) => sign(claims(issuer.url, { ...lasting, jti: `${at}` }))),
  );
  // Whether a token is verified or remembered shows in what is given: a new object, or the one of before.
  const verify = (at: number) => tokens.verifyToken(all[at] ?? '');
  const before = [];
  for (let at = 0; at < 1000; at++) before.push(await verify(at));
  expect(await verify(0)).toBe(before[0]);
  expect(before[1]).not.toBe(before[0]);
  await verify(1000);
  expect(await verify(0)).toBe(before[0]);
  expect(await verify(2)).toBe(before[2]);
  const again = await verify(1);
  expect(again).toEqual(before[1]);
  expect(again).not.toBe(before[1]);
  // Half a minute after its end a token is refused, remembered or not.
  later(329_999);
  expect(await verify(0)).toBe(before[0]);
  later(1);
  expect(await refusal(verify(0))).toMatchObject({ code: 'unauthenticated' });
});

test('the answer to any invalid token is the same', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  const other = await makeKey('a');
  const good = await sign(claims(issuer.url));
  const [head = '', body = '', signature = ''] = good.split('.');
  const raised = Buffer.from(JSON.stringify(claims(issuer.url, { scope: 'read write' }))).toString(
    'base64url',
  );
  const hmac = await new SignJWT(claims(issuer.url))
    .setProtectedHeader({ alg: 'HS256', kid: 'a', typ: 'at+jwt' })
    .sign(new TextEncoder().encode(JSON.stringify(A.jwk)));
  const { exp: _e, ...endless } = claims(issuer.url);
  const { sub: _s, ...nobody } = claims(issuer.url);
  const { aud: _a, ...anywhere } = claims(issuer.url);
  const { iss: _i, ...unknown } = claims(issuer.url);
  const wrong: Record<string, string> = {
    'no token at all': '',
    'not a JWT': 'abc',
    'three parts of nothing': '..',
    'parts that are not JSON': 'YQ.YQ.YQ',
    'too long': `${good}${'a'.repeat(20_000)}`,
    'another audience': await sign(claims(issuer.url, { aud: 'https://other.example/mcp' })),
    'no audience': await sign(anywhere),
    'another issuer': await sign(claims('https://other.example')),
    'the issuer with a slash': await sign(claims(`${issuer.url}/`)),
    'no issuer': await sign(unknown),
    expired: await sign(claims(issuer.url, { exp: seconds() - 31 })),
    'no expiry': await sign(endless),
    'an expiry that is text': await sign({ ...claims(issuer.url), exp: '4102444800' as never }),
    'not valid yet': await sign(claims(issuer.url, { nbf: seconds() + 60 })),
    'no user': await sign(nobody),
    'an empty user': await sign(claims(issuer.url, { sub: '' })),
    'a user of control characters': await sign(claims(issuer.url, { sub: 'ada\u0000' })),
    'an endless user': await sign(claims(issuer.url, { sub: 'a'.repeat(256) })),
    'bound to a key': await sign(claims(issuer.url, { cnf: { jkt: 'x' } })),
    'no signature': new UnsecuredJWT(claims(issuer.url)).encode(),
    'the signature cut off': `${head}.${body}.`,
    'a secret made of the public key': hmac,
    'a claim changed': `${head}.${raised}.${signature}`,
    'a signature changed': `${head}.${body}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'the key of somebody else under a known name': await sign(claims(issuer.url), other),
    'an ID token of another type': await sign(claims(issuer.url), A, { typ: 'logout+jwt' }),
    'a type that is no text': await sign(claims(issuer.url), A, { typ: 7 as never }),
    'an algorithm other than the key is for': await sign(claims(issuer.url), B, { kid: 'a' }),
    'a key that the header brings along': await sign(claims(issuer.url), other, {
      kid: undefined,
      jwk: other.jwk,
    }),
  };
  await tokens.verifyToken(good);
  for (const [what, token] of Object.entries(wrong)) {
    const { code, message, reason } = await refusal(tokens.verifyToken(token));
    expect({ what, code, message }).toEqual({ what, code: 'unauthenticated', message: REFUSED });
    expect(reason, what).not.toBe('');
    if (what === 'too long') expect(reason).toBe('it is longer than 12000 characters');
  }
  await tokens.verifyToken(good);
});

test('the log gives the reason of a refused token, and no part of the token', async () => {
  const issuer = await startIssuer();
  const { tokens, logged } = check(issuer.url);
  const token = await sign(claims(issuer.url, { aud: 'https://other.example/mcp' }));
  await refusal(tokens.verifyToken(token));
  expect(logged.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      level: 'debug',
      msg: 'an access token was refused',
      reason: expect.stringContaining('aud'),
    }),
  );
  for (const part of token.split('.')) expect(logged.join()).not.toContain(part);
});

test('clocks may differ by half a minute', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  await tokens.verifyToken(await sign(claims(issuer.url, { exp: seconds() - 20 })));
  await tokens.verifyToken(await sign(claims(issuer.url, { nbf: seconds() + 20 })));
});

test('a valid token is refused once it has expired', async () => {
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  const token = await sign(claims(issuer.url, { exp: seconds() + 60 }));
  await tokens.verifyToken(token);
  later(60_000);
  await tokens.verifyToken(token);
  later(31_000);
  expect(await refusal(tokens.verifyToken(token))).toMatchObject({ code: 'unauthenticated' });
});

test('tokens of unknown issuers cause no request', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  await refusal(tokens.verifyToken(await sign(claims('https://other.example'))));
  await refusal(tokens.verifyToken('abc'));
  expect(issuer.asked).toEqual([]);
});

test('keys are fetched once, and again when they are ten minutes old', async () => {
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, i) => sign(claims(issuer.url, { jti: `${i}` }))),
  );
  await Promise.all(all.map((token) => tokens.verifyToken(token)));
  expect(issuer.fetches()).toBe(1);
  later(9 * MINUTE);
  await tokens.verifyToken(all[0] ?? '');
  expect(issuer.fetches()).toBe(1);
  later(2 * MINUTE);
  await tokens.verifyToken(all[0] ?? '');
  expect(issuer.fetches()).toBe(2);
});

test('fetching the same keys again keeps the tokens verified with them', async () => {
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  const token = await sign(claims(issuer.url));
  const found = await tokens.verifyToken(token);
  later(11 * MINUTE);
  expect(await tokens.verifyToken(token)).toBe(found);
  expect(issuer.fetches()).toBe(2);
  issuer.keys = [A.jwk, B.jwk];
  later(11 * MINUTE);
  const again = await tokens.verifyToken(token);
  expect(again).toEqual(found);
  expect(again).not.toBe(found);
});

test('a new key is fetched when a token names it, but not for every token that names an unknown key', async () => {
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  await tokens.verifyToken(await sign(claims(issuer.url)));
  issuer.keys = [A.jwk, B.jwk];
  const next = await sign(claims(issuer.url), B);
  expect(await refusal(tokens.verifyToken(next))).toMatchObject({ code: 'unauthenticated' });
  expect(issuer.fetches()).toBe(1);
  later(11_000);
  await tokens.verifyToken(next);
  expect(issuer.fetches()).toBe(2);

  const stranger = await makeKey('c');
  const forged = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      sign(claims(issuer.url, { jti: `${i}` }), { ...stranger, jwk: { ...stranger.jwk, kid: `k${i}` } }),
    ),
  );
  later(11_000);
  for (const token of forged) await refusal(tokens.verifyToken(token));
  expect(issuer.fetches()).toBe(3);
});

test('a key that the issuer withdraws is accepted for ten minutes at most, also for a token seen before', async () => {
  const issuer = await startIssuer();
  const { tokens, later } = check(issuer.url);
  const token = await sign(claims(issuer.url));
  await tokens.verifyToken(token);
  issuer.keys = [B.jwk];
  later(11 * MINUTE);
  expect(await refusal(tokens.verifyToken(token))).toMatchObject({
    code: 'unauthenticated',
    message: REFUSED,
  });
  await tokens.verifyToken(await sign(claims(issuer.url), B));
});

test('while the issuer is unavailable its keys are used for a day, and the log reports it', async () => {
  const issuer = await startIssuer();
  const { tokens, later, logged } = check(issuer.url);
  const token = await sign(claims(issuer.url));
  await tokens.verifyToken(token);
  await issuer.stop();
  later(23 * 60 * MINUTE);
  await tokens.verifyToken(token);
  await tokens.verifyToken(await sign(claims(issuer.url, { jti: 'new' })));
  expect(logged.filter((line) => line.includes('those fetched before are used for 24 hours'))).toHaveLength(
    1,
  );
  later(2 * 60 * MINUTE);
  expect(await refusal(tokens.verifyToken(token))).toMatchObject({ code: 'unavailable' });
});

test('without keys a token cannot be checked: the answer is 503 with a message, and the keys are requested again later', async () => {
  const issuer = await startIssuer();
  issuer.instead.set('/keys', { status: 500 });
  const { tokens, later, logged } = check(issuer.url);
  const token = await sign(claims(issuer.url));
  const { code, message } = await refusal(tokens.verifyToken(token));
  expect({ code, message }).toEqual({
    code: 'unavailable',
    message:
      'access tokens cannot be checked now, because the keys of their issuer cannot be fetched; try again later',
  });
  expect(logged.join()).toContain(`/keys answers 500`);
  issuer.instead.clear();
  await refusal(tokens.verifyToken(token));
  expect(issuer.fetches()).toBe(1);
  later(11_000);
  await tokens.verifyToken(token);
});

test('the metadata is found at each of its possible addresses', async () => {
  for (const [path, place] of [
    ['', '/.well-known/oauth-authorization-server'],
    ['', '/.well-known/openid-configuration'],
    ['/', '/.well-known/oauth-authorization-server'],
    ['/realms/birds', '/.well-known/oauth-authorization-server/realms/birds'],
    ['/realms/birds', '/.well-known/openid-configuration/realms/birds'],
    ['/realms/birds', '/realms/birds/.well-known/openid-configuration'],
    ['/realms/birds/', '/realms/birds/.well-known/openid-configuration'],
  ] as const) {
    const issuer = await startIssuer(path);
    issuer.place = place;
    const { tokens } = check(issuer.url);
    expect((await tokens.verifyToken(await sign(claims(issuer.url)))).user, place).toBe(`ada@${issuer.url}`);
  }
});

test('a document that is not metadata of the issuer is skipped, and the reasons are in the log', async () => {
  const first = '/.well-known/oauth-authorization-server';
  const second = '/.well-known/openid-configuration';
  const elsewhere = (await startIssuer()).url;
  const answers: Record<string, { status: number; body?: string; location?: string }> = {
    'is not JSON': { status: 200, body: '<!doctype html>' },
    'has no issuer and jwks_uri': { status: 200, body: '{"issuer":7}' },
    'oauth-authorization-server has no issuer': {
      status: 200,
      body: JSON.stringify({ issuer: elsewhere, jwks_uri: 'ftp://issuer.example/keys' }),
    },
    'MAGPIE_OAUTH_ISSUER takes it as written there': {
      status: 200,
      body: JSON.stringify({ issuer: elsewhere, jwks_uri: `${elsewhere}/keys` }),
    },
    redirects: { status: 302, location: `${elsewhere}${first}` },
    'answers 404': { status: 404 },
  };
  for (const [reason, answer] of Object.entries(answers)) {
    const issuer = await startIssuer();
    issuer.instead.set(first, answer);
    issuer.place = second;
    const { tokens } = check(issuer.url);
    await tokens.verifyToken(await sign(claims(issuer.url)));

    issuer.instead.set(second, answer);
    const { tokens: again, logged } = check(issuer.url);
    expect(await refusal(again.verifyToken(await sign(claims(issuer.url)))), reason).toMatchObject({
      code: 'unavailable',
    });
    expect(logged.join(), reason).toContain(reason);
  }
});

test('keys are not fetched from a private address that is not the issuer’s own', async () => {
  const [issuer, elsewhere] = [await startIssuer(), await startIssuer()];
  issuer.instead.set(issuer.place, {
    status: 200,
    body: JSON.stringify({ issuer: issuer.url, jwks_uri: `${elsewhere.url}/keys` }),
  });
  const { tokens, logged } = check(issuer.url);
  expect(await refusal(tokens.verifyToken(await sign(claims(issuer.url))))).toMatchObject({
    code: 'unavailable',
  });
  expect(logged.join()).toContain('is not a public address');
  expect(elsewhere.asked).toEqual([]);
});

test('an endless or invalid key set is refused', async () => {
  for (const body of [
    JSON.stringify({ keys: Array.from({ length: 101 }, () => A.jwk) }),
    JSON.stringify({ keys: [A.jwk], padding: 'a'.repeat(300_000) }),
    '{"keys":{}}',
    '[]',
  ]) {
    const issuer = await startIssuer();
    issuer.instead.set('/keys', { status: 200, body });
    const { tokens } = check(issuer.url);
    expect(await refusal(tokens.verifyToken(await sign(claims(issuer.url))))).toMatchObject({
      code: 'unavailable',
    });
  }
});

test('the keys can be fetched before the first token arrives', async () => {
  const issuer = await startIssuer();
  const { tokens } = check(issuer.url);
  await tokens.fetchKeys();
  await issuer.stop();
  await tokens.verifyToken(await sign(claims(issuer.url)));

  const { tokens: late, logged } = check(issuer.url);
  await late.fetchKeys();
  expect(logged.join()).toContain('no token can be checked');
});
