import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOpenIdLogin, type OpenIdLoginOptions } from '../../../src/access/login/openid-login.ts';
import type { OpenIdLogin } from '../../../src/access/types.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createSealer } from '../../../src/lib/secrets/sealer.ts';
import { createLog } from '../../../src/log.ts';
import { CLIENT, type ScriptedProvider, startScriptedProvider } from '../../helpers/scripted-provider.ts';

/** Logins apart from their pages: over nodes, over time, and with a provider that is cut off. */

const signal = new AbortController().signal;
const fetcher = createGuardedFetch({ allowHosts: [], userAgent: 'test' });
let provider: ScriptedProvider;
/** Milliseconds that Magpie's clock is ahead. */
let ahead = 0;

function makeLogin(own: Partial<OpenIdLoginOptions> = {}): OpenIdLogin {
  return createOpenIdLogin({
    issuer: provider.issuer,
    clientId: CLIENT,
    clientSecret: undefined,
    scopes: [],
    resource: 'https://magpie.example.org/mcp',
    redirectUri: 'https://magpie.example.org/app/oidc/callback',
    sealer: createSealer(new Uint8Array(32).fill(1), 'login'),
    fetch: fetcher,
    log: createLog('silent'),
    now: () => Date.now() + ahead,
    ...own,
  });
}

beforeAll(async () => {
  provider = await startScriptedProvider();
});
beforeEach(() => {
  ahead = 0;
  provider.script = {};
});
afterAll(async () => {
  await provider.close();
  await fetcher.close();
});

/** A login up to the provider's answer. */
async function beginAt(login: OpenIdLogin) {
  const { address, kept } = await login.begin('/app/notes');
  const { headers } = await fetch(address, { redirect: 'manual' });
  const answer = new URL(headers.get('location') ?? '').searchParams;
  return { kept, answer, state: answer.get('state') ?? '' };
}

test('a login that begins at one node completes at another node of the same installation only', async () => {
  const [one, other] = [makeLogin(), makeLogin()];
  const { kept, answer, state } = await beginAt(one);
  expect(makeLogin({ sealer: createSealer(new Uint8Array(32), 'login') }).take(kept, state)).toBeUndefined();
  const begun = other.take(kept, state);
  expect(begun?.next).toBe('/app/notes');
  if (!begun) return;
  const { user, scopes, name } = await other.finish(begun, answer, signal);
  expect({ user, name }).toEqual({ user: `ada@${provider.issuer}`, name: 'Ada <b>Lovelace</b>' });
  expect([...scopes]).toEqual(['read', 'write', 'scan', 'monitor']);
});

test('a login can be completed within ten minutes, and once', async () => {
  const login = makeLogin();
  const [early, late] = [await beginAt(login), await beginAt(login)];
  ahead = 9 * 60_000;
  expect(login.take(early.kept, early.state)).toBeDefined();
  expect(login.take(early.kept, early.state)).toBeUndefined();
  ahead = 11 * 60_000;
  expect(login.take(late.kept, late.state)).toBeUndefined();
});

test('the login cookie hides verifier and nonce, and fits the cookie limit with the longest address', async () => {
  const { kept } = await makeLogin().begin(`/app/${'x'.repeat(995)}`);
  expect(kept).toMatch(/^[\w-]+$/);
  expect(kept.length).toBeLessThan(2500);
  expect(Buffer.from(kept, 'base64url').toString('latin1')).not.toContain('verifier');
});

test('metadata is fetched once in ten minutes, and used while the provider is unavailable', async () => {
  let reached = 0;
  let isAway = false;
  const counting = Object.assign(
    async (...call: Parameters<typeof fetcher>) => {
      if (call[0].includes('well-known')) reached += 1;
      if (isAway) throw new Error('away');
      return fetcher(...call);
    },
    { close: async () => {} },
  );
  const login = makeLogin({ fetch: counting });
  await Promise.all(Array.from({ length: 20 }, () => login.begin('/app')));
  expect(reached).toBe(1);
  ahead = 11 * 60_000;
  isAway = true;
  await login.begin('/app');
  await login.begin('/app');
  expect(reached).toBe(2);
  ahead = 25 * 3_600_000;
  await expect(login.begin('/app')).rejects.toMatchObject({ code: 'unavailable' });
  isAway = false;
  ahead += 6000;
  await login.begin('/app');
});

test('other hosts that the provider names are not contacted on a private network', async () => {
  const inside = await startScriptedProvider();
  provider.script = { metadata: { token_endpoint: `${inside.issuer}/token` } };
  const login = makeLogin();
  const { kept, answer, state } = await beginAt(login);
  const begun = login.take(kept, state);
  expect(begun).toBeDefined();
  if (begun) await expect(login.finish(begun, answer, signal)).rejects.toMatchObject({ code: 'unavailable' });
  expect(inside.redeemed).toEqual([]);
  await inside.close();
});

test('a provider without a logout endpoint gives no address for it', async () => {
  expect(await makeLogin().endAddress()).toBe(`${provider.issuer}/end?client_id=${CLIENT}`);
  provider.script = { metadata: { end_session_endpoint: undefined } };
  expect(await makeLogin().endAddress()).toBeUndefined();
});

test('a person who leaves cancels the pending login request', async () => {
  const login = makeLogin();
  const { kept, answer, state } = await beginAt(login);
  provider.script = { tokens: 'silent' };
  const begun = login.take(kept, state);
  const gone = new AbortController();
  if (!begun) throw new Error('not begun');
  const finishing = login.finish(begun, answer, gone.signal);
  await expect.poll(() => provider.redeemed.at(-1)?.get('code')).toBe(answer.get('code'));
  gone.abort();
  await expect(finishing).rejects.toMatchObject({ code: 'cancelled' });
});
