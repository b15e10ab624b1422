import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createAccessTokenVerifier } from '../../../src/access/tokens/access-token-verifier.ts';
import type { AccessTokenVerifier } from '../../../src/access/types.ts';
import type { Caller } from '../../../src/caller.ts';
import { ACCESS_SCOPES } from '../../../src/caller.ts';
import { parseBearerToken, unauthenticated } from '../../../src/lib/network/bearer.ts';
import { createGuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createLog } from '../../../src/log.ts';
import { noMetrics } from '../../../src/metrics.ts';
import { defineOperation, type Operation, type OperationCatalog } from '../../../src/operation.ts';
import type { OperationPipeline } from '../../../src/server/invoke.ts';
import { createConnector } from '../../../src/server/mcp/tools/connector.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../../helpers/authorization-server.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import {
  agreeInBrowser,
  browse,
  connectByOAuth,
  createHolder,
  type Era,
  needsUser,
} from '../../helpers/oauth-client.ts';
import { rooms, type Stack, startStack } from '../../helpers/stack.ts';

/** Magpie as the resource server of a real authorization server, through the MCP client's own flow. */

const q = z.object({ q: z.string() });
const operation = (name: string, scope: 'read' | 'write'): Operation =>
  defineOperation({
    name,
    scope,
    title: 'T',
    description: 'D.',
    toolset: 'web',
    routes: [`POST /v1/${name}`],
    effect: scope,
    openWorld: false,
    input: q,
    output: z.object({ q: z.string(), user: z.string() }),
    example: { q: 'x' },
    run: async ({ q: text }, { caller }) => ({ q: text, user: caller.id }),
  });

/** All that these operations need of a pipe. */
function unboundPipe(catalog: OperationCatalog): OperationPipeline {
  return {
    catalog,
    services: rooms({}),
    log: createLog('silent'),
    metrics: noMetrics,
    callTimeout: 10_000,
    responseBytes: 100_000,
    running: new Set(),
  };
}

const ERAS: readonly Era[] = ['2025', '2026'];
let issuer: AuthorizationServer;
let stack: Stack;
let tokens: AccessTokenVerifier;
/** Milliseconds that Magpie's clock is ahead. */
let ahead = 0;
const fetcher = createGuardedFetch({ allowHosts: [], userAgent: 'test' });

beforeAll(async () => {
  issuer = await startAuthorizationServer({ scopes: [...ACCESS_SCOPES] });
  const catalog = { operations: [operation('look', 'read'), operation('keep', 'write')], prompts: [] };
  const connector = createConnector(unboundPipe(catalog), {
    tools: async () => [operation('search', 'read')],
    bodyBytes: 100_000,
  });
  stack = await startStack({
    catalog,
    http: {
      connectors: new Map([['/mcp/chatgpt', connector]]),
      oauth: { issuer: issuer.issuer, url: async () => stack.url },
      corsOrigins: ['https://app.example'],
      identify: async (request): Promise<Caller> => {
        const token = parseBearerToken(request.headers.get('authorization'));
        if (token === undefined) throw unauthenticated();
        const { user, scopes } = await tokens.verifyToken(token);
        return { id: user, via: 'http', scopes };
      },
    },
  });
  tokens = createAccessTokenVerifier({
    issuer: issuer.issuer,
    audience: `${stack.url}/mcp`,
    fetch: fetcher,
    log: createLog('silent'),
    now: () => Date.now() + ahead,
  });
});

beforeEach(() => {
  issuer.user = 'ada';
  for (const scope of ['read', 'write']) issuer.agreed.add(scope);
});

afterAll(async () => {
  await stack?.close();
  await issuer?.close();
  await fetcher.close();
});

function names({ tools }: { tools: readonly { name: string }[] }): string[] {
  return tools.map(({ name }) => name);
}

test.each(ERAS)('%s: a client finds the issuer in the refusal, registers, and calls a tool', async (era) => {
  const holder = createHolder();
  const { client } = await connectByOAuth(stack.url, holder, era);
  expect(holder.sent).toHaveLength(1);
  expect(holder.sent[0]?.searchParams.get('resource')).toBe(`${stack.url}/mcp`);
  expect(holder.sent[0]?.searchParams.get('code_challenge_method')).toBe('S256');
  expect(names(await client.listTools())).toEqual(['look', 'keep']);
  const answer = await client.callTool({ name: 'keep', arguments: { q: 'twig' } });
  expect(answer.structuredContent).toEqual({ q: 'twig', user: `ada@${issuer.issuer}` });
  await client.close();
});

test.each(ERAS)('%s: an address that names tools is the same resource', async (era) => {
  const holder = createHolder();
  const { client } = await connectByOAuth(stack.url, holder, era, '/mcp?tools=keep');
  expect(holder.sent[0]?.searchParams.get('resource')).toBe(`${stack.url}/mcp`);
  expect(names(await client.listTools())).toEqual(['keep']);
  await client.close();
});

test.each(ERAS)(
  '%s: a tool beyond the scopes is challenged, and the same session calls it with more scopes',
  async (era) => {
    issuer.agreed.delete('write');
    const holder = createHolder();
    const { client, transport } = await connectByOAuth(stack.url, holder, era);
    expect(names(await client.listTools())).toEqual(['look']);
    await client.callTool({ name: 'look', arguments: { q: 'a' } });

    issuer.agreed.add('write');
    const refused = client.callTool({ name: 'keep', arguments: { q: 'b' } });
    expect(needsUser(await refused.catch((error: unknown) => error))).toBe(true);
    expect(holder.sent).toHaveLength(2);
    expect(holder.sent[1]?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['read', 'write']),
    );
    await agreeInBrowser(transport, holder);
    const answer = await client.callTool({ name: 'keep', arguments: { q: 'b' } });
    expect(answer.structuredContent).toEqual({ q: 'b', user: `ada@${issuer.issuer}` });
    await client.callTool({ name: 'look', arguments: { q: 'c' } });
    expect(names(await client.listTools())).toEqual(['look', 'keep']);
    await client.close();
  },
);

test.each(ERAS)(
  '%s: a connector client is asked only for the scope read, for the same resource',
  async (era) => {
    const place = '/.well-known/oauth-protected-resource/mcp/chatgpt';
    expect(await (await fetch(`${stack.url}${place}`)).json()).toMatchObject({
      resource: `${stack.url}/mcp`,
      scopes_supported: ['read'],
    });
    const refused = await fetch(`${stack.url}/mcp/chatgpt`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { data: { code: 'unauthenticated' } },
    });
    expect(refused.headers.get('www-authenticate')).toBe(
      `Bearer realm="magpie", scope="read", resource_metadata="${stack.url}${place}"`,
    );
    const holder = createHolder();
    const { client } = await connectByOAuth(stack.url, holder, era, '/mcp/chatgpt');
    expect(holder.sent[0]?.searchParams.get('resource')).toBe(`${stack.url}/mcp`);
    expect(holder.sent[0]?.searchParams.get('scope')?.split(' ')).not.toContain('write');
    expect(names(await client.listTools())).toEqual(['search']);
    const answer = await client.callTool({ name: 'search', arguments: { q: 'twig' } });
    expect(answer.structuredContent).toEqual({ q: 'twig', user: `ada@${issuer.issuer}` });
    await client.close();

    const writer = await tokenOf('dave', ['write']);
    const beyond = await fetch(`${stack.url}/mcp/chatgpt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${writer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search' } }),
    });
    expect(beyond.status).toBe(403);
    expect(beyond.headers.get('www-authenticate')).toContain(
      `scope="read", resource_metadata="${stack.url}${place}"`,
    );
  },
);

test.each(ERAS)('%s: an expired token is refreshed without the user', async (era) => {
  const holder = createHolder();
  const { client } = await connectByOAuth(stack.url, holder, era);
  const first = holder.held?.access_token;
  const spoilt = { ...holder.held, access_token: `${first}x`, token_type: 'Bearer' };
  holder.held = spoilt;
  const answer = await client.callTool({ name: 'look', arguments: { q: 'a' } });
  expect(answer.structuredContent).toEqual({ q: 'a', user: `ada@${issuer.issuer}` });
  expect(holder.sent).toHaveLength(1);
  expect(holder.held?.access_token).not.toBe(first);
  await client.close();
});

async function tokenOf(user: string, scopes: readonly string[] = ['read', 'write']): Promise<string> {
  issuer.user = user;
  issuer.agreed.clear();
  for (const scope of scopes) issuer.agreed.add(scope);
  const holder = createHolder();
  const { client } = await connectByOAuth(stack.url, holder, '2026');
  await client.close();
  return holder.held?.access_token ?? '';
}

function call(token: string | undefined, tool = 'look'): Promise<Response> {
  return fetch(`${stack.url}/v1/${tool}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: '{"q":"a"}',
  });
}

test('a session has the rights of the credential of each request, not of its first request', async () => {
  const [all, less] = [await tokenOf('eve'), await tokenOf('eve', ['read'])];
  const post = (token: string, message: object, session?: string) =>
    fetch(`${stack.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session, 'mcp-protocol-version': '2025-06-18' }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    });
  const clientInfo = { name: 't', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const begun = await post(all, { id: 1, method: 'initialize', params });
  const session = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
  await post(all, { method: 'notifications/initialized' }, session);
  const list = async (token: string) => (await post(token, { id: 2, method: 'tools/list' }, session)).text();
  expect(await list(all)).toContain('"keep"');
  expect(await list(less)).not.toContain('"keep"');
  const keep = { id: 3, method: 'tools/call', params: { name: 'keep', arguments: { q: 'x' } } };
  expect((await post(less, keep, session)).status).toBe(403);
  expect(await (await post(all, keep, session)).text()).toContain('structuredContent');
  const stranger = await tokenOf('mallory');
  expect((await post(stranger, { id: 4, method: 'tools/list' }, session)).status).toBe(404);
});

test('REST takes the same tokens, and names the missing scope', async () => {
  const token = await tokenOf('bob', ['read']);
  expect(await (await call(token)).json()).toEqual({ q: 'a', user: `bob@${issuer.issuer}` });
  const refused = await call(token, 'keep');
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    error:
      'keep needs the scope write, and this credential has read: ask the operator of this server for one that has write too',
  });
  expect(refused.headers.get('www-authenticate')).toBe(
    `Bearer realm="magpie", error="insufficient_scope", scope="write", resource_metadata="${stack.url}/.well-known/oauth-protected-resource/mcp"`,
  );
});

test('resources and completions require the scope read', async () => {
  const token = await tokenOf('carol', ['write']);
  for (const method of ['resources/list', 'resources/read', 'completion/complete', 'subscriptions/listen']) {
    const response = await fetch(`${stack.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { uri: 'kb://entries' } }),
    });
    expect(response.status, method).toBe(403);
    expect(response.headers.get('www-authenticate'), method).toContain(
      'error="insufficient_scope", scope="read"',
    );
  }
});

test('several calls in one body are authorised one by one', async () => {
  const token = await tokenOf('dan', ['read']);
  const one = (name: string) => ({
    jsonrpc: '2.0',
    id: name,
    method: 'tools/call',
    params: { name, arguments: { q: 'x' } },
  });
  const response = await fetch(`${stack.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify([one('look'), one('keep')]),
  });
  expect(response.status).toBe(403);
});

test('a request without a valid token is answered 401 with the place to get one, and a wrong token also with the reason', async () => {
  const place = `resource_metadata="${stack.url}/.well-known/oauth-protected-resource/mcp"`;
  const none = await call(undefined);
  expect(none.status).toBe(401);
  expect(none.headers.get('www-authenticate')).toBe(`Bearer realm="magpie", scope="read write", ${place}`);
  const wrong = await call('abc');
  expect(wrong.status).toBe(401);
  expect(wrong.headers.get('www-authenticate')).toBe(
    `Bearer realm="magpie", error="invalid_token", scope="read write", ${place}`,
  );
  expect(await wrong.text()).not.toContain('abc');
});

test('a token for another resource of the same issuer is refused', async () => {
  const token = await tokenOf('ada');
  const other = createAccessTokenVerifier({
    issuer: issuer.issuer,
    audience: 'https://other.example/mcp',
    fetch: fetcher,
    log: createLog('silent'),
  });
  await tokens.verifyToken(token);
  await expect(other.verifyToken(token)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('after a key rotation new tokens are valid, and earlier tokens until the old key is withdrawn', async () => {
  const early = await tokenOf('ada');
  expect((await call(early)).status).toBe(200);
  await issuer.rotate();
  ahead += 11_000;
  const late = await tokenOf('ada');
  expect((await call(late)).status).toBe(200);
  expect((await call(early)).status).toBe(200);
  await issuer.rotate(true);
  ahead += 11 * 60_000;
  const last = await tokenOf('ada').catch((error: unknown) => error);
  expect((await call(early)).status).toBe(401);
  expect((await call(late)).status).toBe(401);
  expect(String(last)).not.toContain('TypeError');
  ahead = 0;
});

test('the metadata follows RFC 9728, at both addresses, for pages of every origin', async () => {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp']) {
    const response = await fetch(`${stack.url}${path}`, { headers: { origin: 'https://inspector.example' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({
      resource: `${stack.url}/mcp`,
      authorization_servers: [issuer.issuer],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Magpie',
    });
    const preflight = await fetch(`${stack.url}${path}`, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://inspector.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  }
});

test('the metadata is served only under the own names of the server', async () => {
  const { hostname, port } = new URL(stack.url);
  const path = '/.well-known/oauth-protected-resource/mcp';
  const asked = get({ hostname, port, path, headers: { host: 'evil.example' } });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(403);
});

test('a client on the earlier SDK goes the same way', async () => {
  const holder = createHolder();
  const connect = async () => {
    const client = new ClientV1({ name: 'magpie-test', version: '1.0.0' });
    const transport = new HttpV1(new URL('/mcp', stack.url), { authProvider: holder as never });
    await client.connect(transport as Parameters<ClientV1['connect']>[0]).catch(async (error: unknown) => {
      if (holder.held) throw error;
      const code = (await browse(holder.sent.at(-1) ?? new URL(stack.url))).get('code');
      await transport.finishAuth(code ?? '');
    });
    return client;
  };
  await connect();
  const client = await connect();
  const answer = await client.callTool({ name: 'keep', arguments: { q: 'twig' } });
  expect(answer.structuredContent).toEqual({ q: 'twig', user: `ada@${issuer.issuer}` });
  await client.close();
});

test('without an issuer there is neither metadata nor a refusal', async () => {
  const plain = await startStack({
    http: {
      identify: () => {
        throw unauthenticated();
      },
    },
  });
  try {
    for (const path of [
      'oauth-protected-resource',
      'oauth-protected-resource/mcp',
      'oauth-authorization-server',
    ]) {
      expect((await fetch(`${plain.url}/.well-known/${path}`)).status).toBe(404);
    }
    const below = await fetch(`${plain.url}/mcp/.well-known/openid-configuration`);
    expect([below.status, await below.json()]).toEqual([401, { error: expect.any(String) }]);
    const refused = await fetch(`${plain.url}/list`);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toBe('Bearer realm="magpie"');
  } finally {
    await plain.close();
  }
});

test('magpie serve with an issuer: entries belong to the user of the token, and no other user sees them', async () => {
  const folder = temporaryFolder();
  const magpie = await startMagpie({
    ...environment(folder.path),
    ...(await withoutModel()),
    MAGPIE_OAUTH_ISSUER: issuer.issuer,
  });
  try {
    issuer.user = 'auth0|ada/../100%';
    const { client } = await connectByOAuth(magpie.url, createHolder(), '2026');
    await client.callTool({ name: 'insert', arguments: { q: 'the nest is in the plum tree' } });
    const { resources } = await client.listResources();
    const [entry] = resources.filter(({ uri }) => uri.startsWith('kb://entries/'));
    const read = await client.readResource({ uri: entry?.uri ?? '' });
    expect(JSON.stringify(read)).toContain('plum tree');
    await client.close();

    issuer.user = 'mallory';
    const { client: other } = await connectByOAuth(magpie.url, createHolder(), '2025');
    const listed = await other.listResources();
    expect(listed.resources.filter(({ uri }) => uri.startsWith('kb://entries/'))).toEqual([]);
    await expect(other.readResource({ uri: entry?.uri ?? '' })).rejects.toThrow();
    await other.close();

    const [none, wrong] = await Promise.all([
      fetch(`${magpie.url}/query?q=nest`),
      fetch(`${magpie.url}/query?q=nest`, { headers: { authorization: 'Bearer abc' } }),
    ]);
    expect([none.status, wrong.status]).toEqual([401, 401]);
    expect(await none.json()).toEqual(await wrong.json());
    expect(magpie.stderr()).not.toContain('open mode');
  } finally {
    await magpie.stop();
    folder.remove();
  }
});
