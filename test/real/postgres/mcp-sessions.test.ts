import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createMcpSessionStore } from '../../../src/access/stores/sessions.ts';
import { openNotices } from '../../../src/storage/postgres/notices.ts';
import { describeSessionStore } from '../../contracts/session-store.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Sessions of MCP 2025 on two nodes of one database, each request sent to the next node. */

const PATIENCE = { timeout: 180_000, interval: 100 };
const folders = [temporaryFolder(), temporaryFolder()];
let place: PostgresPlace;
let nodes: RunningProcess[];
let site: Awaited<ReturnType<typeof startSilentSite>>;
let keys: { key: string; id: string }[];
let words: Record<string, string>;

const start = (node: number) =>
  spawnServer({
    ...environment(folders[node]?.path ?? ''),
    DATABASE_URL: place.url,
    MAGPIE_ALLOW_HOSTS: site.host,
    ...words,
  });

/** A site that never answers, and knows when it is asked and when the asker leaves. */
async function startSilentSite() {
  const asked = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.on('close', left.resolve);
    asked.resolve();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host, address: `http://${host}/`, asked: asked.promise, left: left.promise, stop };
}

async function makeKey(user: string): Promise<{ key: string; id: string }> {
  const run = await runMagpie(['key', 'create', '--scope', 'read,write', '--user', user, '--json'], {
    ...environment(folders[0]?.path ?? ''),
    DATABASE_URL: place.url,
  });
  return JSON.parse(run.stdout);
}

beforeAll(async () => {
  words = await withoutModel();
  place = await makePostgres('none');
  site = await startSilentSite();
  keys = [await makeKey('ada'), await makeKey('ada'), await makeKey('eve')];
  nodes = await Promise.all([start(0), start(1)]);
});
afterAll(async () => {
  for (const node of nodes) await node.stop();
  site.stop();
  await place.remove();
  await dropPostgres();
  for (const { remove } of folders) remove();
});

describeSessionStore('PostgreSQL', async () => {
  const own = await makePostgres();
  const notices = openNotices(own.url);
  return {
    open: async () => createMcpSessionStore(await own.open(), notices),
    async remove() {
      await notices.close();
      await own.remove();
    },
  };
});

/** Sends each request to the next node; `stay` sends all to one. */
function alternating(key = keys[0]?.key) {
  const state: { turn: number; stay: number | undefined; streamAt: number | undefined; streams: number } = {
    turn: 0,
    stay: undefined,
    streamAt: undefined,
    streams: 0,
  };
  const send = (input: string | URL, init?: RequestInit) => {
    const node = (init?.method === 'GET' ? state.streamAt : undefined) ?? state.stay ?? state.turn++ % 2;
    const headers = new Headers(init?.headers);
    headers.set('authorization', `Bearer ${key}`);
    const answer = fetch(new URL(new URL(input).pathname, nodes[node]?.url), { ...init, headers });
    const opened = () => void state.streams++;
    if (init?.method === 'GET') answer.then(opened, () => {});
    return answer;
  };
  return { state, send };
}

const ADDRESS = new URL('http://127.0.0.1/mcp');
const INFO = { name: 'wandering', version: '1.0.0' };
const CONFIRMS = { action: 'accept', content: { confirm: true } } as const;

async function connectV1(send: typeof fetch, asked: string[] = []) {
  const client = new ClientV1(INFO, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    asked.push(params.message);
    return CONFIRMS;
  });
  const transport = new HttpV1(ADDRESS, { fetch: send });
  await client.connect(transport as Parameters<ClientV1['connect']>[0]);
  return { client, transport };
}

/** Of every node, so that the notice of what comes next is lost. */
async function endNotices(): Promise<void> {
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  const { rowCount } = await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'magpie notices' AND datname = current_database()",
  );
  await client.end();
  expect(rowCount).toBe(2);
}

async function connectV2(send: typeof fetch, asked: string[]) {
  const client = new Client(INFO, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked.push(params.message);
    return CONFIRMS;
  });
  const transport = new StreamableHTTPClientTransport(ADDRESS, { fetch: send });
  await client.connect(transport);
  return { client, transport };
}

test.each([
  ['v1', connectV1],
  ['v2', connectV2],
] as const)(
  'a client %s calls, answers questions and gets results through another node each time',
  async (_, connect) => {
    const asked: string[] = [];
    const { client } = await connect(alternating().send as typeof fetch, asked);
    for (const q of ['Magpies build of mud', 'Herons wade', 'Wagtails run']) {
      await client.callTool({ name: 'insert', arguments: { q } });
    }
    const found = await client.callTool({ name: 'query', arguments: { q: 'herons' } });
    expect(JSON.stringify(found.structuredContent)).toContain('Herons wade');
    // Question and answer are two requests, so that the answer always reaches the node that did not ask.
    for (const left of [3, 0]) {
      const reset = await client.callTool({ name: 'reset', arguments: { q: '' } });
      expect(reset.isError ?? false).toBe(false);
      expect(reset.structuredContent).toMatchObject({ deleted: left });
    }
    expect(asked.length).toBeGreaterThanOrEqual(1);
    await client.close();
  },
);

test('an answer whose notification is lost reaches the node that asked', async () => {
  const { state, send } = alternating();
  state.stay = 0;
  const client = new ClientV1(INFO, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, async () => {
    await endNotices();
    return CONFIRMS;
  });
  await client.connect(new HttpV1(ADDRESS, { fetch: send }) as Parameters<ClientV1['connect']>[0]);
  await client.callTool({ name: 'insert', arguments: { q: 'Magpies build of mud' } });
  const reset = client.callTool({ name: 'reset', arguments: { q: '' } });
  state.stay = 1;
  expect((await reset).structuredContent).toMatchObject({ deleted: 1 });
  await client.close();
});

test('a call at one node is ended by its cancellation at the other', async () => {
  const { state, send } = alternating();
  state.stay = 0;
  const { client } = await connectV1(send as typeof fetch);
  const leaving = new AbortController();
  const browse = client.callTool({ name: 'browse', arguments: { q: site.address } }, undefined, {
    signal: leaving.signal,
  });
  await site.asked;
  state.stay = 1;
  leaving.abort();
  await expect(browse).rejects.toThrow();
  await site.left;
  await client.close();
});

test('a subscription made at one node is served by the stream at the other, including changes by a third request', async () => {
  const { state, send } = alternating();
  state.streamAt = 0;
  state.stay = 1;
  const { client } = await connectV1(send as typeof fetch);
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  await client.subscribeResource({ uri: 'kb://entries' });
  for (let at = 0; updated.length === 0; at++) {
    expect(at).toBeLessThan(180);
    await client.callTool({ name: 'insert', arguments: { q: `Number ${at} of the birds` } });
    await vi.waitFor(() => expect(updated).toContain('kb://entries'), { timeout: 1000 }).catch(() => {});
  }
  await client.close();
});

test('a session continues at the other node when its own is killed, including its stream', async () => {
  const { state, send } = alternating();
  state.stay = 0;
  const { client } = await connectV1(send as typeof fetch);
  const updated: string[] = [];
  client.setNotificationHandler(
    ResourceUpdatedNotificationSchema,
    ({ params }) => void updated.push(params.uri),
  );
  await client.subscribeResource({ uri: 'kb://entries' });
  // A client opens again only a stream that it had.
  await vi.waitFor(() => expect(state.streams).toBe(1), PATIENCE);
  state.stay = 1;
  const killed = nodes[0]?.process;
  killed?.kill('SIGKILL');
  if (killed) await exitOf(killed);
  const answer = await client.callTool({ name: 'insert', arguments: { q: 'Kept by the node that is left' } });
  expect(answer.isError ?? false).toBe(false);
  // It may have changed while no node had the stream: the new stream says so.
  await vi.waitFor(() => expect(updated).toContain('kb://entries'), PATIENCE);
  nodes[0] = await start(0);
  state.stay = 0;
  expect((await client.callTool({ name: 'query', arguments: { q: 'kept' } })).isError ?? false).toBe(false);
  await client.close();
});

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

async function ask(node: number, session: string, key = keys[0]?.key): Promise<number> {
  const response = await fetch(new URL('/mcp', nodes[node]?.url), {
    method: 'POST',
    headers: { ...HEADERS, authorization: `Bearer ${key}`, 'mcp-session-id': session },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
  });
  await response.text();
  return response.status;
}

test('a session is useless to another user, and ends at all nodes when it is deleted', async () => {
  const { send } = alternating();
  const { transport } = await connectV1(send as typeof fetch);
  const id = transport.sessionId ?? '';
  expect([await ask(0, id, keys[2]?.key), await ask(1, id, keys[2]?.key)]).toEqual([404, 404]);
  expect([await ask(0, id), await ask(1, id), await ask(0, id, keys[1]?.key)]).toEqual([200, 200, 200]);
  await transport.terminateSession();
  expect([await ask(0, id), await ask(1, id)]).toEqual([404, 404]);
  await transport.close();
});

test('a session ends at all nodes when the key that began it is revoked', async () => {
  const made = await makeKey('ada');
  const { state, send } = alternating(made.key);
  state.stay = 0;
  state.streamAt = 0;
  const { transport } = await connectV1(send as typeof fetch);
  const id = transport.sessionId ?? '';
  await runMagpie(['key', 'revoke', made.id], {
    ...environment(folders[0]?.path ?? ''),
    DATABASE_URL: place.url,
  });
  // Another key of the same user, at a node that has not seen the session before.
  expect(await ask(1, id, keys[1]?.key)).toBe(404);
  expect(await ask(0, id, keys[1]?.key)).toBe(404);
  await transport.close();
});
