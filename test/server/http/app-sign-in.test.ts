import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  answerConsent,
  createPlainApp,
  leadsTo,
  type SignInServer,
  signInApp,
  startSignInServer,
} from '../../helpers/app-sign-in.ts';
import { runMagpie, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { createHolder, type Era } from '../../helpers/oauth-client.ts';

/** Apps sign in at Magpie itself, through the clients of both eras. */

const ERAS: readonly Era[] = ['2025', '2026'];
let magpie: SignInServer;
let ada: { readonly id: string; readonly key: string };

beforeAll(async () => {
  magpie = await startSignInServer();
  ada = await magpie.makeKey('ada');
});
afterAll(() => magpie.close());

const query = (token: string, q = 'nest') =>
  fetch(`${magpie.url}/query?q=${encodeURIComponent(q)}`, { headers: { authorization: `Bearer ${token}` } });

test.each(ERAS)(
  '%s: a client finds Magpie as its issuer, registers, signs in, and keeps a note',
  async (era) => {
    const holder = createHolder();
    const client = await signInApp(magpie.url, holder, era, { key: ada.key });
    expect(holder.sent).toHaveLength(1);
    expect(holder.sent[0]?.searchParams.get('resource')).toBe(`${magpie.url}/mcp`);
    const kept = await client.callTool({
      name: 'insert',
      arguments: { q: `The nest of ${era} is in the plum tree` },
    });
    expect(kept.isError ?? false).toBe(false);
    await client.close();
    for (const bearer of [ada.key, holder.held?.access_token ?? '']) {
      expect(await (await query(bearer, `nest of ${era}`)).text()).toContain('plum tree');
    }
  },
);

test.each(ERAS)('%s: an access token that is refused is refreshed without the user', async (era) => {
  const holder = createHolder();
  const client = await signInApp(magpie.url, holder, era, { key: ada.key });
  const first = holder.held;
  holder.held = { ...first, access_token: `${first?.access_token}x`, token_type: 'Bearer' };
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(0);
  expect(holder.sent).toHaveLength(1);
  expect(holder.held?.refresh_token).not.toBe(first?.refresh_token);
  await client.close();
});

test('a client on the earlier SDK signs in the same way', async () => {
  const holder = createHolder();
  const connect = async () => {
    const client = new ClientV1({ name: 'magpie-test', version: '1.0.0' });
    const transport = new HttpV1(new URL('/mcp', magpie.url), { authProvider: holder as never });
    await client.connect(transport as Parameters<ClientV1['connect']>[0]).catch(async (error: unknown) => {
      if (holder.held) throw error;
      const answer = await answerConsent(holder.sent.at(-1) ?? '', { key: ada.key });
      await transport.finishAuth((await leadsTo(answer)).searchParams.get('code') ?? '');
    });
    return client;
  };
  await connect();
  const client = await connect();
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('query');
  await client.close();
});

test('the metadata of the server and of the resource agree, for pages of every origin', async () => {
  const get = async (path: string) => {
    const answer = await fetch(new URL(path, magpie.url), {
      headers: { origin: 'https://inspector.example' },
    });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    return (await answer.json()) as Record<string, unknown>;
  };
  const server = await get('/.well-known/oauth-authorization-server');
  const resource = await get('/.well-known/oauth-protected-resource/mcp');
  expect(server).toMatchObject({
    issuer: magpie.url,
    authorization_endpoint: `${magpie.url}/authorize`,
    token_endpoint: `${magpie.url}/token`,
    registration_endpoint: `${magpie.url}/register`,
    revocation_endpoint: `${magpie.url}/revoke`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: [resource.resource],
  });
  expect(resource.authorization_servers).toEqual([server.issuer]);
  expect(resource.scopes_supported).toEqual(server.scopes_supported);
});

test('an app gets no scope that the user unticks or the key lacks, and is asked for none it did not name', async () => {
  const app = await createPlainApp(magpie.url);
  const reader = await magpie.makeKey('ada', 'read');
  const scopeOf = async (key: string, scopes?: string[], asked?: string) => {
    const url = app.address({ scope: asked });
    const code = (
      await leadsTo(await answerConsent(url, { key, ...(scopes && { scopes }) }))
    ).searchParams.get('code');
    return ((await (await app.redeem(code ?? '')).json()) as { scope: string }).scope;
  };
  expect(await scopeOf(ada.key, undefined, 'read write offline_access')).toBe('read write');
  expect(await scopeOf(ada.key, ['write'], 'read write')).toBe('write');
  expect(await scopeOf(reader.key, undefined, 'read write')).toBe('read');
  expect(await scopeOf(ada.key, ['read', 'scan', 'monitor'], 'read')).toBe('read');
  expect(await scopeOf(ada.key)).toBe('read');
  const none = await answerConsent(app.address({ scope: 'write' }), { key: reader.key });
  expect([none.status, await none.text()]).toEqual([400, expect.stringContaining('it has read')]);
  const token = (await (await app.redeem(await app.codeFor(reader.key))).json()) as { access_token: string };
  const beyond = await fetch(`${magpie.url}/insert?q=x`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  });
  expect(beyond.status).toBe(403);
});

test('tokens are answered as RFC 6749 has it, and are kept from caches', async () => {
  const app = await createPlainApp(magpie.url);
  const answer = await app.redeem(await app.codeFor(ada.key));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await answer.json()).toEqual({
    access_token: expect.stringMatching(/^mpa_[\w-]{43}$/),
    refresh_token: expect.stringMatching(/^mpr_[\w-]{43}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: 'read write',
  });
});

test('a token that the app revokes ends all tokens of its grant, and an unknown token is no error', async () => {
  const app = await createPlainApp(magpie.url);
  const { access_token: access, refresh_token: refresh } = await app.tokens(ada.key);
  expect((await query(access)).status).toBe(200);
  const statuses = [];
  for (const token of [refresh, refresh, 'mpr_unknown'])
    statuses.push((await app.post('/revoke', { token })).status);
  expect(statuses).toEqual([200, 200, 200]);
  expect((await query(access)).status).toBe(401);
  expect(await (await app.refresh(refresh)).json()).toMatchObject({ error: 'invalid_grant' });
});

test('a key that is revoked ends what apps got with it, and no other app of the user', async () => {
  const app = await createPlainApp(magpie.url);
  const second = await magpie.makeKey('ada');
  const [first, other] = [await app.tokens(second.key), await app.tokens(ada.key)];
  await runMagpie(['key', 'revoke', second.id], magpie.env);
  expect([(await query(first.access_token)).status, (await query(other.access_token)).status]).toEqual([
    401, 200,
  ]);
  expect((await app.refresh(first.refresh_token)).status).toBe(400);
  expect((await app.refresh(other.refresh_token)).status).toBe(200);
});

test('the tokens of an app count towards the limits of its user', async () => {
  const app = await createPlainApp(magpie.url);
  const { access_token: access } = await app.tokens(ada.key);
  const { headers } = await query(access);
  expect(headers.get('ratelimit-policy')).toContain('q=3000');
});

test('an app without tokens of a user is told where to sign in, and which scopes there are', async () => {
  const refused = await fetch(`${magpie.url}/mcp`, { method: 'POST', body: '{}' });
  expect(refused.status).toBe(401);
  expect(refused.headers.get('www-authenticate')).toContain(
    `resource_metadata="${magpie.url}/.well-known/oauth-protected-resource/mcp"`,
  );
});

test.each([
  [{ MAGPIE_PUBLIC_URL: '' }, 'is not set'],
  [{ MAGPIE_PUBLIC_URL: 'http://magpie.example.org' }, 'https address'],
  [{ MAGPIE_PUBLIC_URL: 'https://magpie.example.org/sub' }, 'without a path'],
  [{ MAGPIE_OAUTH_ISSUER: 'https://login.example' }, 'exclude each other'],
])('the server does not start with %j', async (settings, why) => {
  const folder = temporaryFolder();
  const env = { ...magpie.env, MAGPIE_DATA: folder.path, MAGPIE_PORT: '0', ...settings };
  await expect(startMagpie(env)).rejects.toThrow(why);
  folder.remove();
});
