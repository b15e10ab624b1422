import { exportJWK, generateKeyPair } from 'jose';
import { expect, test } from 'vitest';
import { createIssuerKeys } from '../../../src/access/tokens/issuer-keys.ts';
import { asAppError } from '../../../src/errors.ts';
import type { FetchOptions, GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createLog } from '../../../src/log.ts';

/** The rules of time and address; an issuer that answers over the network is in tokens.test.ts. */

const ISSUER = 'https://login.example/tenant';
const METADATA = 'https://login.example/.well-known/oauth-authorization-server/tenant';
const KEYS = 'https://login.example/keys';
const { publicKey } = await generateKeyPair('ES256', { extractable: true });
const JWK = await exportJWK(publicKey);

/** An issuer that answers by a table of addresses, and a clock of the test's own. */
function ask(answers: Record<string, unknown>, issuer = ISSUER) {
  const asked: { url: string; options: FetchOptions }[] = [];
  const logged: string[] = [];
  const clock = { now: 1000 };
  const answer = async (url: string, options: FetchOptions) => {
    asked.push({ url, options });
    const found = answers[url];
    return {
      status: found === undefined ? 404 : 200,
      body: new TextEncoder().encode(JSON.stringify(found ?? {})),
    };
  };
  const keys = createIssuerKeys({
    issuer,
    fetch: answer as unknown as GuardedFetch,
    now: () => clock.now,
    log: createLog('debug', (line) => logged.push(line)),
  });
  return { keys, asked, logged, clock };
}

const metadata = (other = {}) => ({ issuer: ISSUER, jwks_uri: KEYS, ...other });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail('there were keys'),
    (error: unknown) => asAppError(error),
  );

test('the issuer’s own host and port are allowed, and JSON is requested', async () => {
  const { keys, asked } = ask({ [METADATA]: metadata(), [KEYS]: { keys: [JWK] } });
  await keys.getKeys();
  expect(asked.map(({ url }) => url)).toEqual([METADATA, KEYS]);
  for (const { options } of asked) {
    expect(options).toMatchObject({ allow: ['login.example:443'], headers: { accept: 'application/json' } });
  }
  const plain = ask({}, 'http://login.example');
  await failure(plain.keys.getKeys());
  expect(plain.asked[0]?.options.allow).toEqual(['login.example:80']);
  const ported = ask({}, 'https://login.example:8443');
  await failure(ported.keys.getKeys());
  expect(ported.asked[0]?.options.allow).toEqual(['login.example:8443']);
});

test('keys of an https issuer are refused over http', async () => {
  const { keys } = ask({
    [METADATA]: metadata({ jwks_uri: 'http://login.example/keys' }),
    'http://login.example/keys': { keys: [JWK] },
  });
  const { cause } = await failure(keys.getKeys());
  expect(String(cause)).toContain(`${METADATA} names keys that do not come over https; `);
});

test('an issuer on a private network may use http throughout', async () => {
  const issuer = 'http://login.example';
  const { keys } = ask(
    {
      'http://login.example/.well-known/oauth-authorization-server': { issuer, jwks_uri: `${issuer}/keys` },
      'http://login.example/keys': { keys: [JWK] },
    },
    issuer,
  );
  expect(await keys.getKeys()).toBeDefined();
});

test('trailing slashes of the path are not doubled', async () => {
  const { keys, asked } = ask({}, `${ISSUER}//`);
  await failure(keys.getKeys());
  expect(asked.map(({ url }) => url)).toEqual([
    METADATA,
    'https://login.example/.well-known/openid-configuration/tenant',
    'https://login.example/tenant/.well-known/openid-configuration',
  ]);
});

test.each([
  ['a jwks_uri of another protocol that ends alike', { jwks_uri: 'xhttp://login.example/keys' }],
  ['a jwks_uri of another protocol that begins alike', { jwks_uri: 'httpx://login.example/keys' }],
  ['no jwks_uri', { jwks_uri: undefined }],
])('metadata with %s is refused', async (_, other) => {
  const { keys, logged } = ask({ [METADATA]: metadata(other) });
  const { cause } = await failure(keys.getKeys());
  const reasons = (cause instanceof Error ? cause.message : '').split('; ');
  expect(reasons).toHaveLength(3);
  expect(reasons[0]).toBe(`${METADATA} has no issuer and jwks_uri`);
  expect(logged.join()).toContain('no token can be checked');
});

test('a long name of another issuer is cut in the reason', async () => {
  const { keys } = ask({ [METADATA]: metadata({ issuer: 'x'.repeat(5000) }) });
  const { cause } = await failure(keys.getKeys());
  expect(String(cause)).toContain(`"${'x'.repeat(200)}"`);
});

test.each([
  ['more than 100 keys', Array.from({ length: 101 }, () => JWK)],
  ['a key without a type', [{ kid: 'a' }]],
])('%s are refused as a set of keys', async (_, all) => {
  const { keys } = ask({ [METADATA]: metadata(), [KEYS]: { keys: all } });
  const { cause } = await failure(keys.getKeys());
  expect(String(cause)).toContain(`${KEYS} is not a set of at most 100 keys`);
});

test('without keys the caller may retry in 10 seconds, and then they are fetched', async () => {
  const answers: Record<string, unknown> = {};
  const { keys, asked, clock } = ask(answers);
  expect(await failure(keys.getKeys())).toMatchObject({ code: 'unavailable', retryAfter: 10 });
  const before = asked.length;
  answers[METADATA] = metadata();
  answers[KEYS] = { keys: [JWK] };
  clock.now += 9999;
  expect(await keys.fetchNewerKeys()).toBeUndefined();
  await failure(keys.getKeys());
  expect(asked).toHaveLength(before);
  clock.now += 1;
  expect(await keys.getKeys()).toBeDefined();
});

test('newer keys are undefined where none exist', async () => {
  const { keys } = ask({});
  expect(await keys.fetchNewerKeys()).toBeUndefined();
});

test('keys are fetched again after 10 minutes, and used for less than 24 hours without their issuer', async () => {
  const answers: Record<string, unknown> = { [METADATA]: metadata(), [KEYS]: { keys: [JWK] } };
  const { keys, asked, clock } = ask(answers);
  const start = clock.now;
  const set = await keys.getKeys();
  clock.now = start + 599_999;
  await keys.getKeys();
  expect(asked).toHaveLength(2);
  delete answers[METADATA];
  clock.now = start + 600_000;
  expect(await keys.getKeys()).toBe(set);
  expect(asked.length).toBeGreaterThan(2);
  clock.now = start + 24 * 3_600_000 - 1;
  expect(await keys.getKeys()).toBe(set);
  clock.now = start + 24 * 3_600_000;
  expect(await failure(keys.getKeys())).toMatchObject({ code: 'unavailable' });
});
