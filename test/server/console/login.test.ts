import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startAuthorizationServer } from '../../helpers/authorization-server.ts';
import { visitConsole } from '../../helpers/console-visit.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { freePort } from '../../helpers/free-port.ts';
import { comeBack, goToProvider, signInBy } from '../../helpers/login.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { browse } from '../../helpers/oauth-client.ts';
import {
  CLIENT,
  type Script,
  type ScriptedProvider,
  SECRET,
  startScriptedProvider,
} from '../../helpers/scripted-provider.ts';

/** Signing in to the console at an OpenID provider, and what must not come of it. */

const held: (() => unknown)[] = [];
let provider: ScriptedProvider;
let magpie: Running;

/** A server that people sign in to at this issuer. */
async function startClient(issuer: string, settings: Record<string, string> = {}): Promise<Running> {
  const folder = temporaryFolder();
  const running = await startMagpie({
    ...environment(folder.path),
    ...(await withoutModel()),
    MAGPIE_OAUTH_ISSUER: issuer,
    MAGPIE_OIDC_CLIENT_ID: CLIENT,
    ...settings,
  });
  held.push(running.stop, folder.remove);
  return running;
}

beforeAll(async () => {
  provider = await startScriptedProvider();
  magpie = await startClient(provider.issuer);
});
afterEach(() => {
  provider.script = {};
});
afterAll(async () => {
  for (const release of held) await release();
  await provider.close();
});

const visit = () => visitConsole(() => magpie.url);
const hasSession = ({ jar }: ReturnType<typeof visit>) =>
  [...jar.keys()].some((name) => name.startsWith('magpie_console_'));

describe('a login', () => {
  test('leads from the sign-in page to the provider and back to the page, as the same user as the access tokens', async () => {
    const visitor = visit();
    const { get, page, post } = visitor;
    const asked = await get('/app/notes?tag=rooks');
    expect(asked.status).toBe(401);
    const text = await asked.text();
    expect(text).toContain(`Sign in with ${new URL(provider.issuer).host}`);
    const href = /href="(\/app\/oidc\/login[^"]*)"/.exec(text)?.[1] ?? '';
    const begun = await get(href);
    expect(begun.headers.get('set-cookie')).toMatch(/Max-Age=600; Path=\/app\/oidc; HttpOnly; SameSite=Lax/);
    const request = new URL(begun.headers.get('location') ?? '').searchParams;
    expect(Object.fromEntries(request)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT,
      code_challenge_method: 'S256',
      redirect_uri: `${magpie.url}/app/oidc/callback`,
      resource: `${magpie.url}/mcp`,
      scope: 'openid profile read write scan monitor',
    });
    const there = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
    const back = await comeBack(visitor, new URL(there.headers.get('location') ?? ''));
    expect(back.status).toBe(200);
    expect(back.headers.get('refresh')).toBe('0; url=/app/notes?tag=rooks');
    expect(back.headers.getSetCookie().join('\n')).toMatch(
      /magpie_console_.*Path=\/app; HttpOnly; SameSite=Strict/,
    );

    const shown = await page('/app/notes');
    expect(shown).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
    expect(shown).toContain(`title="ada@${provider.issuer}"`);
    await post('/app/notes/add', { text: 'Rooks nest in colonies.' });
    const token = await provider.accessToken(`${magpie.url}/mcp`, 'read');
    const listed = await fetch(`${magpie.url}/query?q=rooks`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await listed.text()).toContain('Rooks nest in colonies.');
  });

  test('gives the scopes that were granted', async () => {
    provider.script = { scope: 'openid read email' };
    const visitor = visit();
    expect((await signInBy(visitor)).status).toBe(200);
    expect(await visitor.page('/app/notes')).toContain('Signed in as');
    expect((await visitor.post('/app/notes/add', { text: 'Not with this scope.' })).status).toBe(403);
  });

  test('with all scopes cannot make keys and does not see settings', async () => {
    const visitor = visit();
    await signInBy(visitor);
    const made = await visitor.post('/app/keys/make', { name: 'x', scopes: 'read' });
    expect(made.status).toBe(403);
    expect(await made.text()).toContain('the issuer can end an access token or a login');
    expect((await visitor.get('/app/settings')).status).toBe(403);
  });

  test('has every requested scope when the answer has no `scope`', async () => {
    provider.script = { scope: null, metadata: { scopes_supported: ['openid', 'read', 'write'] } };
    const visitor = visit();
    await signInBy(visitor);
    expect((await visitor.post('/app/notes/add', { text: 'With what was asked for.' })).status).toBe(303);
  });

  test('without any granted scope is refused with an explanation', async () => {
    provider.script = { scope: 'openid profile' };
    const visitor = visit();
    const back = await signInBy(visitor);
    expect(back.status).toBe(403);
    expect(await back.text()).toContain('grants you none of read, write, scan, monitor');
    expect(hasSession(visitor)).toBe(false);
  });

  test('continues only to pages of the console', async () => {
    const nexts = [
      '/app/notes?q=a',
      '//evil.example/',
      'https://evil.example/app/',
      '/app/../evil',
      '/app//../..//evil.example',
    ];
    nexts.push('/\\evil.example', '/app/oidc/login', 'javascript:alert(1)', `/app/${'x'.repeat(2000)}`);
    const went: (string | null)[] = [];
    for (const next of nexts) went.push((await signInBy(visit(), next)).headers.get('refresh'));
    expect(went).toEqual(['0; url=/app/notes?q=a', ...nexts.slice(1).map(() => '0; url=/app/ask')]);
  });

  test('ends with a sign-out, which links to the sign-out of the provider', async () => {
    const visitor = visit();
    await signInBy(visitor);
    const left = await visitor.post('/app/sign-out', {});
    const text = await left.text();
    expect(left.status).toBe(200);
    expect(text).toContain(`href="${provider.issuer}/end?client_id=${CLIENT}"`);
    expect((await visitor.get('/app/notes')).status).toBe(401);
  });

  test('accepts a signing key that the provider has just rotated', async () => {
    const changing = await startScriptedProvider();
    held.push(changing.close);
    const clock = vi.spyOn(Date, 'now');
    try {
      const { url } = await startClient(changing.issuer);
      const statusOf = async () => (await signInBy(visitConsole(() => url))).status;
      expect(await statusOf()).toBe(200);
      changing.script = { signed: 'rotated' };
      expect(await statusOf()).toBe(401);
      // Keys are fetched again some seconds after they were, and no sooner.
      const later = performance.timeOrigin + 11_000;
      clock.mockImplementation(() => later + performance.now());
      expect(await statusOf()).toBe(200);
    } finally {
      clock.mockRestore();
    }
  });
});

/** Tokens that are not about this login. */
const FALSE_TOKENS: Readonly<Record<string, Script>> = {
  'for another client': { claims: { aud: 'someone-else' } },
  'for several clients, given to another': { claims: { aud: [CLIENT, 'someone-else'], azp: 'someone-else' } },
  'of another issuer': { claims: { iss: 'https://evil.example' } },
  'of another login': { claims: { nonce: 'another' } },
  'without a nonce': { claims: { nonce: undefined } },
  'without a subject': { claims: { sub: undefined } },
  'with a name of control characters': { claims: { sub: 'ada\u0007' } },
  'without an end': { claims: { exp: undefined } },
  'that is over': { claims: { exp: Math.floor(Date.now() / 1000) - 120 } },
  'without the time of its making': { claims: { iat: undefined } },
  'without a signature': { signed: 'none' },
  'signed with the public key as a secret': { signed: 'public' },
  'signed by someone else': { signed: 'foreign' },
  'that is not there': { tokens: 'without ID token' },
};

describe('no session is created by', () => {
  test.each(Object.entries(FALSE_TOKENS))('an ID token %s', async (_, script) => {
    const visitor = visit();
    const came = await goToProvider(visitor);
    provider.script = script;
    const back = await comeBack(visitor, came);
    expect(back.status).toBe(401);
    expect(await back.text()).toContain('is not valid for this login');
    expect(hasSession(visitor)).toBe(false);
  });

  const answers: Readonly<Record<string, Record<string, string>>> = {
    'from another issuer': { iss: 'https://evil.example' },
    'without the issuer that this one promises': { iss: '' },
    'without a code': { code: '' },
    'with a code of another login': { code: 'code-0' },
  };
  test.each(Object.entries(answers))('an answer %s', async (_, answer) => {
    await signInBy(visit());
    provider.script = { answer };
    const visitor = visit();
    expect((await signInBy(visitor)).status).toBe(401);
    expect(hasSession(visitor)).toBe(false);
  });

  test('an answer without its state or with another state, and a login under way continues', async () => {
    const visitor = visit();
    const came = await goToProvider(visitor);
    const asked = provider.redeemed.length;
    for (const state of ['', 'another', (await goToProvider(visit())).searchParams.get('state') ?? '']) {
      const other = new URL(came);
      other.searchParams.set('state', state);
      expect((await comeBack(visitor, other)).status).toBe(401);
    }
    expect(provider.redeemed).toHaveLength(asked);
    expect((await comeBack(visitor, came)).status).toBe(200);
  });

  test('an answer to a login that another browser began', async () => {
    const attacker = visit();
    const came = await goToProvider(attacker);
    const [victim, busy] = [visit(), visit()];
    await goToProvider(busy);
    expect((await comeBack(victim, came)).status).toBe(401);
    expect((await comeBack(busy, came)).status).toBe(401);
    expect([victim, busy].map(hasSession)).toEqual([false, false]);
  });

  test('an answer that is replayed with all cookies of the browser, even where the provider accepts its code again', async () => {
    const visitor = visit();
    const came = await goToProvider(visitor);
    const before = new Map(visitor.jar);
    expect((await comeBack(visitor, came)).status).toBe(200);
    expect([...visitor.jar.keys()].some((name) => name.includes('login'))).toBe(false);
    const copy = visit();
    for (const [name, value] of before) copy.jar.set(name, value);
    expect((await comeBack(copy, came)).status).toBe(401);
    expect(hasSession(copy)).toBe(false);
  });

  test('a login cookie that was altered or invented', async () => {
    const visitor = visit();
    const came = await goToProvider(visitor);
    const [[name = '', value = ''] = []] = [...visitor.jar];
    for (const other of [`${value.slice(0, -1)}${value.endsWith('A') ? 'B' : 'A'}`, 'e30', '', `A${value}`]) {
      visitor.jar.set(name, other);
      expect((await comeBack(visitor, came)).status).toBe(401);
    }
  });

  test('a request from another site, a prefetch, or a script of another site', async () => {
    const { get } = visit();
    const asking: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-purpose': 'prefetch' },
    ];
    for (const headers of asking) expect((await get('/app/oidc/login', { headers })).status).toBe(403);
    const visitor = visit();
    const { pathname, search } = await goToProvider(visitor);
    // A client of ours cannot say that it navigates: to Magpie it is a script of the other site.
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect((await visitor.get(`${pathname}${search}`, { headers })).status).toBe(403);
  });
});

describe('a failure at the provider is explained on a page', () => {
  test('a refused or cancelled login, without any text of the provider', async () => {
    provider.script = {
      answer: { code: '', error: 'access_denied', error_description: '<img src=x> Call 555 for help' },
    };
    const back = await signInBy(visit());
    const text = await back.text();
    expect(back.status).toBe(403);
    expect(text).toContain('did not let you in, or you declined');
    expect(text).not.toMatch(/555|<img/);
  });

  test('an unknown client, with the setting that the operator should check', async () => {
    provider.script = { answer: { code: '', error: 'invalid_scope' } };
    const back = await signInBy(visit());
    expect(back.status).toBe(502);
    expect(await back.text()).toContain('MAGPIE_OIDC_SCOPES');
    provider.script = { answer: { code: '', error: '<script>alert(1)</script>' } };
    const strange = await (await signInBy(visit())).text();
    expect(strange).toContain('an unknown error');
    expect(strange).not.toContain('alert(1)');
  });

  test.each(['silent', 'broken', 'redirect'] as const)('tokens: %s', async (tokens) => {
    const visitor = visit();
    const came = await goToProvider(visitor);
    provider.script = { tokens };
    const back = await comeBack(visitor, came);
    expect(back.status).toBe(503);
    expect(Number(back.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await back.text()).toContain('cannot be reached for signing in');
  });

  test('an unreachable provider, a different issuer, or an unsafe signature', async () => {
    const away = await startClient(`http://127.0.0.1:${await freePort()}`);
    provider.script = { metadata: { issuer: 'https://evil.example' } };
    const other = await startClient(provider.issuer);
    const answers = [away, other].map(async ({ url }) => (await fetch(`${url}/app/oidc/login`)).status);
    expect(await Promise.all(answers)).toEqual([503, 503]);
    expect(other.stderr()).toContain('MAGPIE_OAUTH_ISSUER takes it as written there');
    provider.script = { metadata: { id_token_signing_alg_values_supported: ['none', 'HS256'] } };
    const unsafe = await startClient(provider.issuer);
    expect((await fetch(`${unsafe.url}/app/oidc/login`)).status).toBe(503);
  });
});

describe('a client with a secret', () => {
  test.each(['basic', 'post'] as const)('signs in when it is registered with %s', async (authentication) => {
    const { url, stderr } = await startClient(provider.issuer, { MAGPIE_OIDC_CLIENT_SECRET: SECRET });
    provider.script = { authentication };
    const visitor = visitConsole(() => url);
    expect((await signInBy(visitor)).status).toBe(200);
    expect(await visitor.page('/app/notes')).toContain('Signed in as');
    expect(stderr()).not.toContain(SECRET);
  });

  test('is refused when the secret is wrong: the page names the setting and the log hides the secret', async () => {
    const { url, stderr } = await startClient(provider.issuer, {
      MAGPIE_OIDC_CLIENT_SECRET: 'wrong-secret-1',
    });
    provider.script = { authentication: 'basic' };
    const back = await signInBy(visitConsole(() => url));
    expect(back.status).toBe(502);
    expect(await back.text()).toContain('MAGPIE_OIDC_CLIENT_SECRET');
    expect(stderr()).not.toContain('wrong-secret-1');
  });
});

test('without scopes of ours at the provider, every user has the scopes of the setting, and none are requested', async () => {
  const { url } = await startClient(provider.issuer, { MAGPIE_OIDC_SCOPES: 'read' });
  provider.script = { scope: 'openid write' };
  const visitor = visitConsole(() => url);
  await signInBy(visitor);
  expect(provider.asked.at(-1)?.get('scope')).toBe('openid profile');
  expect(provider.asked.at(-1)?.has('resource')).toBe(false);
  expect((await visitor.post('/app/notes/add', { text: 'Not with this scope.' })).status).toBe(403);
  expect(await visitor.page('/app/notes')).toContain('Signed in as');
});

test('behind https the cookie is secure and host-only, and the provider returns to the public address', async () => {
  const { url } = await startClient(provider.issuer, { MAGPIE_PUBLIC_URL: 'https://magpie.example.org' });
  const begun = await fetch(`${url}/app/oidc/login`, { redirect: 'manual' });
  expect(begun.headers.get('set-cookie')).toMatch(
    /^__Host-magpie_login_\d+=[^;]+;.* Path=\/; HttpOnly; Secure/,
  );
  expect(begun.headers.get('set-cookie')).not.toContain('Domain');
  const visitor = visitConsole(() => url);
  const back = await goToProvider(visitor);
  expect(back.origin).toBe('https://magpie.example.org');
  const signedIn = await comeBack(visitor, back);
  expect(signedIn.headers.getSetCookie().find((line) => line.startsWith('magpie_console'))).toContain(
    'Secure',
  );
});

test('an incomplete configuration is refused at the start, or reported', async () => {
  const folder = temporaryFolder();
  held.push(folder.remove);
  const alone = startMagpie({ ...environment(folder.path), MAGPIE_OIDC_CLIENT_ID: 'x' });
  await expect(alone).rejects.toThrow('MAGPIE_OIDC_CLIENT_ID needs MAGPIE_OAUTH_ISSUER');
  const half = await startClient(provider.issuer, { MAGPIE_OIDC_CLIENT_ID: '', MAGPIE_OIDC_SCOPES: 'read' });
  expect(half.stderr()).toContain('MAGPIE_OIDC_SCOPES changes nothing without MAGPIE_OIDC_CLIENT_ID');
});

test('sessions are refused while no client is configured, and end with `magpie app revoke --user`', async () => {
  const folder = temporaryFolder();
  const env = {
    ...environment(folder.path),
    MAGPIE_OAUTH_ISSUER: provider.issuer,
    MAGPIE_OIDC_CLIENT_ID: CLIENT,
    MAGPIE_PORT: String(await freePort()),
  };
  held.push(folder.remove);
  let running = await startMagpie(env);
  const visitor = visitConsole(() => running.url);
  await signInBy(visitor);
  await running.stop();
  running = await startMagpie({ ...env, MAGPIE_OIDC_CLIENT_ID: '' });
  expect((await visitor.get('/app/notes')).status).toBe(401);
  await running.stop();
  running = await startMagpie(env);
  expect((await visitor.get('/app/notes')).status).toBe(200);
  const { code } = await runMagpie(['app', 'revoke', '--user', `ada@${provider.issuer}`], env);
  expect(code).toBe(0);
  await expect.poll(async () => (await visitor.get('/app/notes')).status).toBe(401);
  await running.stop();
});

test('without a provider there is no sign-in button and no login address', async () => {
  const { url } = await startClient(provider.issuer, { MAGPIE_OIDC_CLIENT_ID: '' });
  expect(await (await fetch(`${url}/app/notes`)).text()).not.toContain('Sign in with');
  expect((await fetch(`${url}/app/oidc/login`, { redirect: 'manual' })).status).toBe(404);
});

test('oidc-provider: a confidential client signs in with the agreed scopes', async () => {
  const port = await freePort();
  const callback = `http://127.0.0.1:${port}/app/oidc/callback`;
  const real = await startAuthorizationServer({
    scopes: ['read', 'write'],
    clients: [{ client_id: CLIENT, client_secret: SECRET, redirect_uris: [callback] }],
  });
  held.push(real.close);
  const { url, stderr } = await startClient(real.issuer, {
    MAGPIE_PORT: String(port),
    MAGPIE_OIDC_CLIENT_SECRET: SECRET,
  });
  real.agreed.delete('write');
  const visitor = visitConsole(() => url);
  const begun = await visitor.get('/app/oidc/login');
  const answer = await browse(new URL(begun.headers.get('location') ?? ''), callback);
  const came = new URL(`${callback}?${answer}`);
  const back = await comeBack(visitor, came);
  expect(back.status, stderr()).toBe(200);
  expect(await visitor.page('/app/notes')).toContain(`ada@${real.issuer}`);
  expect((await visitor.post('/app/notes/add', { text: 'Not agreed to.' })).status).toBe(403);
});
