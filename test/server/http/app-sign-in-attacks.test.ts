import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  answerConsent,
  createPlainApp,
  leadsTo,
  type SignInServer,
  startSignInServer,
} from '../../helpers/app-sign-in.ts';
import { visitConsole } from '../../helpers/console-visit.ts';
import { beginSession, listen, openSession, waitFor } from '../../helpers/mcp-streams.ts';

/** What an attacker tries on the sign-in of apps. */

let magpie: SignInServer;
let key = '';

beforeAll(async () => {
  magpie = await startSignInServer();
  ({ key } = await magpie.makeKey('ada'));
});
afterAll(() => magpie.close());

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const use = async (token: string) => (await fetch(`${magpie.url}/list`, { headers: bearer(token) })).status;
const errorOf = async (answer: Response | Promise<Response>) =>
  ((await (await answer).json()) as { error: string }).error;

describe('the redirect address', () => {
  test('is one that the app registered, whole: a page says so, and leads nowhere', async () => {
    const app = await createPlainApp(magpie.url, 'https://app.example/back?x=1');
    for (const redirect_uri of [
      'https://app.example/back',
      'https://app.example/back?x=1&y=2',
      'https://app.example/back?x=1#f',
      'https://app.example/back?x=1/../..',
      'https://app.example.evil.example/back?x=1',
      'https://app.example@evil.example/back?x=1',
      'https://evil.example/?https://app.example/back?x=1',
      'https://APP.example/back?x=1',
      'https://app.example:8443/back?x=1',
      'http://app.example/back?x=1',
      '//app.example/back?x=1',
      'javascript:alert(1)',
      '',
    ]) {
      const answer = await fetch(app.address({ redirect_uri }), { redirect: 'manual' });
      const text = await answer.text();
      expect([answer.status, answer.headers.get('location'), answer.headers.get('refresh')]).toEqual([
        400,
        null,
        null,
      ]);
      expect(text).toContain('has not registered');
      expect(text).not.toContain('evil.example');
    }
  });

  test('may have any port on the device of the user, and nothing else that was not registered', async () => {
    const app = await createPlainApp(magpie.url, 'http://127.0.0.1/back');
    const status = async (redirect_uri: string) => (await fetch(app.address({ redirect_uri }))).status;
    expect([await status('http://127.0.0.1:5123/back'), await status('http://127.0.0.1/back')]).toEqual([
      200, 200,
    ]);
    for (const other of [
      'http://127.0.0.1:5123/back/',
      'http://localhost:5123/back',
      'http://127.0.0.1:5123@evil.example/back',
      'http://127.0.0.2:5123/back',
      'https://127.0.0.1:5123/back',
      'http://127.0.0.1:5123/back#x',
    ])
      expect(await status(other)).toBe(400);
    const web = await createPlainApp(magpie.url, 'https://app.example/back');
    expect((await fetch(web.address({ redirect_uri: 'https://app.example:5123/back' }))).status).toBe(400);
  });

  test.each([
    'http://app.example/back',
    'https://app.example/back#part',
    'https://user:word@app.example/back',
    'javascript:alert(1)//app.example',
    'data:text/html,x',
    'file:///etc/passwd',
    'back',
    `https://app.example/${'x'.repeat(2000)}`,
    '',
  ])('is not registered as %s', async (uri) => {
    const { register } = await createPlainApp(magpie.url);
    const answer = await register({ redirect_uris: [uri] });
    expect([answer.status, await errorOf(answer)]).toEqual([400, 'invalid_redirect_uri']);
  });

  test('of an app on the device may have a scheme of its own', async () => {
    const app = await createPlainApp(magpie.url, 'cursor://anysphere.cursor-mcp/oauth/callback');
    const to = await leadsTo(await answerConsent(app.address(), { key }));
    expect(to.href).toMatch(/^cursor:\/\/anysphere\.cursor-mcp\/oauth\/callback\?code=mpc_/);
  });
});

describe('the answer to an app', () => {
  test('names the issuer, and has the state as it was, also when it is refused or asks for what is not there', async () => {
    const app = await createPlainApp(magpie.url);
    const state = `a&b=c#d é ${'x'.repeat(3000)}`;
    const allowed = await leadsTo(await answerConsent(app.address({ state }), { key }));
    const refused = await leadsTo(await answerConsent(app.address({ state }), { decision: 'refuse' }));
    for (const { searchParams } of [allowed, refused]) {
      expect([searchParams.get('iss'), searchParams.get('state')]).toEqual([magpie.url, state]);
    }
    expect(refused.searchParams.get('error')).toBe('access_denied');
    expect(refused.searchParams.has('code')).toBe(false);
  });

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ scope: 'root' }, 'invalid_scope'],
    [{ resource: 'https://other.example/mcp' }, 'invalid_target'],
    [{ resource: 'http://127.0.0.1:1/mcp' }, 'invalid_target'],
  ])('to a request with %j is a link with an error, which no one is sent along', async (more, error) => {
    const app = await createPlainApp(magpie.url);
    const answer = await fetch(app.address(more), { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location'), answer.headers.get('refresh')]).toEqual([
      400,
      null,
      null,
    ]);
    const [, href = ''] = /href="(http:\/\/127\.0\.0\.1:1\/callback[^"]*)"/.exec(await answer.text()) ?? [];
    const { searchParams } = new URL(href.replaceAll('&amp;', '&'));
    expect([searchParams.get('error'), searchParams.get('iss'), searchParams.get('state')]).toEqual([
      error,
      magpie.url,
      'the-state',
    ]);
  });

  test('is none where a parameter is there twice', async () => {
    const app = await createPlainApp(magpie.url);
    for (const name of ['client_id', 'redirect_uri', 'state', 'scope', 'code_challenge']) {
      const url = app.address();
      url.searchParams.append(name, url.searchParams.get(name) ?? '');
      expect((await fetch(url)).status).toBe(400);
    }
    const twice = await fetch(`${magpie.url}/token`, {
      method: 'POST',
      body: new URLSearchParams([
        ...['a', 'b'].map((code) => ['code', code]),
        ['grant_type', 'authorization_code'],
      ]),
    });
    expect([twice.status, await errorOf(twice)]).toEqual([400, 'invalid_request']);
  });
});

describe('a code', () => {
  test('is of its app and of its verifier', async () => {
    const [app, other] = [await createPlainApp(magpie.url), await createPlainApp(magpie.url)];
    const code = await app.codeFor(key);
    for (const injected of [
      other.redeem(code),
      other.redeem(code, { client_id: app.id }),
      app.redeem(code, { client_id: other.id }),
      app.redeem(code, { code_verifier: app.challenge }),
      app.redeem(code, { code_verifier: 'x'.repeat(43) }),
      app.redeem(code, { redirect_uri: 'http://127.0.0.1:2/callback' }),
      app.redeem(code, { client_id: '' }),
    ])
      expect(await errorOf(injected)).toBe('invalid_grant');
    expect(await errorOf(app.redeem(code, { code_verifier: '' }))).toBe('invalid_request');
    expect(await errorOf(app.redeem(code, { resource: 'https://other.example/mcp' }))).toBe('invalid_target');
    expect(await errorOf(app.post('/token', { grant_type: 'password', code }))).toBe(
      'unsupported_grant_type',
    );
    expect((await app.redeem(code, { resource: `${magpie.url}/mcp` })).status).toBe(200);
  });

  test('that is redeemed twice ends what was given for it', async () => {
    const app = await createPlainApp(magpie.url);
    const code = await app.codeFor(key);
    const tokens = (await (await app.redeem(code)).json()) as { access_token: string; refresh_token: string };
    expect(await use(tokens.access_token)).toBe(200);
    expect(await errorOf(app.redeem(code))).toBe('invalid_grant');
    expect(await use(tokens.access_token)).toBe(401);
    expect(await errorOf(app.refresh(tokens.refresh_token))).toBe('invalid_grant');
  });

  test('and a refresh token are no access tokens, and no token is taken from an address', async () => {
    const app = await createPlainApp(magpie.url);
    const tokens = await app.tokens(key);
    expect([await use(await app.codeFor(key)), await use(tokens.refresh_token)]).toEqual([401, 401]);
    expect(await errorOf(app.refresh(tokens.access_token))).toBe('invalid_grant');
    const inAddress = await fetch(`${magpie.url}/list?access_token=${tokens.access_token}`);
    const inMcp = await fetch(`${magpie.url}/mcp?access_token=${tokens.access_token}`, {
      method: 'POST',
      body: '{}',
    });
    expect([inAddress.status, inMcp.status]).toEqual([401, 401]);
    const get = await fetch(
      `${magpie.url}/token?grant_type=refresh_token&refresh_token=${tokens.refresh_token}`,
    );
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
  });
});

test('a refresh token gives no more than was granted, and is of its app', async () => {
  const [app, other] = [await createPlainApp(magpie.url), await createPlainApp(magpie.url)];
  const { refresh_token: token } = await app.tokens(key);
  expect(await errorOf(app.refresh(token, { scope: 'read scan' }))).toBe('invalid_scope');
  expect(await errorOf(other.refresh(token))).toBe('invalid_grant');
  expect(await errorOf(app.refresh(token, { resource: 'https://other.example' }))).toBe('invalid_target');
  expect((await app.refresh(token, { scope: 'read' })).status).toBe(200);
});

describe('the consent page', () => {
  test('is sent by the browser that opened it, from Magpie, and for nothing else', async () => {
    const app = await createPlainApp(magpie.url);
    const status = async (answer: Parameters<typeof answerConsent>[1]) =>
      (await answerConsent(app.address(), { key, ...answer })).status;
    expect(await status({ cookie: '' })).toBe(403);
    expect(await status({ cookie: 'magpie_consent=another' })).toBe(403);
    expect(await status({ request: '' })).toBe(403);
    expect(await status({ request: 'AAAA' })).toBe(403);
    expect(await status({ headers: { 'sec-fetch-site': 'cross-site' } })).toBe(403);
    expect(await status({ headers: { 'sec-fetch-site': 'same-site' } })).toBe(403);
    for (const origin of ['https://evil.example', 'null']) {
      expect(await status({ headers: { origin } })).toBe(403);
      expect(await status({ headers: { origin, 'sec-fetch-site': '' } })).toBe(403);
    }
    expect(await status({})).toBe(200);
  });

  test('stays valid in its tab when an app opens a second one in the same browser', async () => {
    const app = await createPlainApp(magpie.url);
    const [cookie = ''] = (await fetch(app.address())).headers
      .getSetCookie()
      .map((line) => line.split(';')[0]);
    const [first, second] = [await fetch(app.address(), { headers: { cookie } }), app.address()];
    const [, request = ''] = /name="request" value="([^"]+)"/.exec(await first.text()) ?? [];
    const again = await fetch(second, { headers: { cookie, 'sec-fetch-site': 'cross-site' } });
    expect(again.headers.getSetCookie().map((line) => line.split(';')[0])).toEqual([cookie]);
    expect((await answerConsent(second, { key, request, cookie })).status).toBe(200);
  });

  test('takes a valid key each time, and no token of an app', async () => {
    const app = await createPlainApp(magpie.url);
    const { access_token: token } = await app.tokens(key);
    for (const wrong of ['', 'magpie_wrong', `${key}x`, token]) {
      const answer = await answerConsent(app.address(), { key: wrong });
      expect([answer.status, answer.headers.get('refresh')]).toEqual([401, null]);
      const text = await answer.text();
      expect(text).toContain('name="request"');
      expect(text).toContain('Only a valid key of this server lets an app in.');
    }
  });

  test('stands in no frame, is not stored, and shows the name of an app as text alone', async () => {
    const app = await createPlainApp(magpie.url);
    const client_name = '<img src=x onerror=alert(1)>"\'\u202eevil\u0000';
    const made = await app.register({
      client_name,
      redirect_uris: ['https://app.example/<b>"'.replace('"', '%22')],
    });
    const { client_id } = (await made.json()) as { client_id: string };
    const url = app.address({
      client_id,
      redirect_uri: 'https://app.example/<b>%22',
      state: '"><script>1</script>',
    });
    const page = await fetch(url);
    const text = await page.text();
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toMatch(
      /default-src 'none';.*form-action 'self'; frame-ancestors 'none'; base-uri 'none'/,
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.getSetCookie().join()).toMatch(
      /^magpie_consent=.*Path=\/authorize; HttpOnly; SameSite=Lax/,
    );
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
    for (const sign of ['<img', '<script>', '\u202e', '\u0000']) expect(text).not.toContain(sign);
    const answer = await answerConsent(url, { key });
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(await answer.text()).not.toMatch(/<b>|<script>1/);
  });
});

test('an app is no person: its token opens no console, which would outlast the grant', async () => {
  const all = await magpie.makeKey('eve', 'read,write,scan,monitor');
  const app = await createPlainApp(magpie.url);
  const code = await leadsTo(await answerConsent(app.address({ scope: 'read write scan monitor' }), all));
  const made = await app.redeem(code.searchParams.get('code') ?? '');
  const { access_token: token } = (await made.json()) as { access_token: string };
  const visit = visitConsole(() => magpie.url);
  const refused = await visit.get('/app/sign-in', {
    method: 'POST',
    body: new URLSearchParams({ key: token }),
  });
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([403, []]);
  expect(await refused.text()).toContain('The token of an app opens no console: sign in with a key.');
  expect((await visit.get('/app/notes')).status).toBe(401);
});

test('an app that its user signs out in the console gets nothing further, and its streams end', async () => {
  const app = await createPlainApp(magpie.url);
  const [lost, other] = [await app.tokens(key), await app.tokens((await magpie.makeKey('bob')).key)];
  const session = await beginSession(magpie.url, bearer(lost.access_token));
  const streams = [
    await openSession(magpie.url, session),
    await listen(magpie.url, bearer(lost.access_token)),
  ];
  const others = await listen(magpie.url, bearer(other.access_token));

  const visit = visitConsole(() => magpie.url);
  await visit.get('/app/sign-in', { method: 'POST', body: new URLSearchParams({ key }) });
  const ids = async () =>
    [...(await visit.page('/app/connect')).matchAll(/name="id" value="(g\w+)"/g)].map(([, id]) => id);
  const before = await ids();
  expect(await visit.page('/app/connect')).toContain('Plain app');
  const statuses = [];
  for (const id of [...before, 'gunknown']) {
    statuses.push((await visit.post('/app/connect/sign-out', { id: id ?? '' })).status);
  }
  expect(statuses).toEqual([...before.map(() => 303), 404]);
  expect(before.length).toBeGreaterThan(0);
  expect(await ids()).toEqual([]);

  expect([await use(lost.access_token), await use(other.access_token)]).toEqual([401, 200]);
  await Promise.all(streams.map(({ over }) => over));
  await fetch(`${magpie.url}/insert?q=one+more+nest`, { headers: bearer(other.access_token) });
  await waitFor(() => others.text().includes('kb://stats'));
  others.close();
});

test('an address that names an app leads Magpie to public addresses only', async () => {
  let connections = 0;
  const inside = createServer((_, response) => response.end('{}')).on('connection', () => connections++);
  await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  const { port } = inside.address() as AddressInfo;
  const app = await createPlainApp(magpie.url);
  for (const client_id of [
    `https://127.0.0.1:${port}/client.json`,
    `https://localhost:${port}/client.json`,
    `https://[::1]:${port}/client.json`,
    `https://[::ffff:127.0.0.1]:${port}/client.json`,
    `https://2130706433:${port}/client.json`,
    `https://user@127.0.0.1:${port}/client.json`,
    `http://127.0.0.1:${port}/client.json`,
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/client.json',
    'https://magpie.example.org',
    'app.AAAA',
    `app.${'A'.repeat(5000)}`,
    'magpie',
    '',
  ])
    expect((await fetch(app.address({ client_id }))).status).toBe(400);
  expect(connections).toBe(0);
  inside.close();
});

test('a body that is too large, of another type, or no object is refused, and many registrations have to wait', async () => {
  const flooded = await startSignInServer();
  const app = await createPlainApp(flooded.url);
  const big = await app.register({
    client_name: 'x'.repeat(40_000),
    redirect_uris: ['https://app.example/'],
  });
  expect(big.status).toBe(413);
  const statuses = [];
  for (const body of [null, [], 'x', {}, { redirect_uris: [] }, { redirect_uris: 'https://app.example/' }]) {
    statuses.push((await app.register(body)).status);
  }
  expect(new Set(statuses)).toEqual(new Set([400]));
  const json = await fetch(`${flooded.url}/token`, {
    method: 'POST',
    body: '{"grant_type":"refresh_token"}',
    headers: { 'content-type': 'application/json' },
  });
  expect([json.status, await errorOf(json)]).toEqual([400, 'invalid_request']);
  const flood = await Promise.all(
    Array.from({ length: 100 }, () => app.register({ redirect_uris: ['https://app.example/back'] })),
  );
  const refused = flood.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(30);
  expect(Number(refused[0]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await app.redeem('mpc_x')).status).toBe(400);
  await flooded.close();
});
