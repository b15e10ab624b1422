import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { type EventReader, readEvents, type StreamedEvent } from '../../helpers/event-stream.ts';
import { exitOf } from '../../helpers/exit-of.ts';
import {
  environment,
  type RunningProcess,
  runMagpie,
  spawnServer,
  temporaryFolder,
} from '../../helpers/magpie.ts';
import { dropPostgres, makePostgres, type PostgresPlace } from '../../helpers/postgres.ts';

/** Streams of MCP 2025 that break at one node of a database and are opened again at another one. */

const PATIENCE = { timeout: 180_000, interval: 50 };
const folders = [temporaryFolder(), temporaryFolder()];
const nodes: RunningProcess[] = [];
let place: PostgresPlace;
let site: Awaited<ReturnType<typeof startSite>>;
let database: pg.Client;
const keys: string[] = [];
let words: Record<string, string>;

const settings = (node: number) => ({
  ...environment(folders[node]?.path ?? ''),
  DATABASE_URL: place.url,
  MAGPIE_SEARXNG_URL: site.url,
  MAGPIE_ENGINES: 'searxng',
  MAGPIE_ALLOW_HOSTS: site.host,
  ...words,
});

async function startNode(node: number): Promise<void> {
  nodes[node] = await spawnServer(settings(node));
}

/** A search engine with three pages, each of which is answered when the test says so. */
async function startSite() {
  const waiting = new Map<string, ServerResponse[]>();
  let run = 0;
  const server = createServer(({ url = '' }, response) => {
    if (url.startsWith('/search')) {
      const results = [1, 2, 3].map((page) => ({
        url: `http://${host}/${run}/${page}`,
        title: `Page ${page}`,
        content: 'herons',
      }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ results }));
      return;
    }
    if (!/^\/\d+\/[123]$/.test(url)) {
      response.writeHead(404).end();
      return;
    }
    waiting.set(url, [...(waiting.get(url) ?? []), response]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ host, url: `http://${host}` },
    /** New addresses and a new question, so that nothing is kept from before. */
    begin: () => void run++,
    question: () => ({ q: `herons ${run}`, percentile: 10, numofpages: 3 }),
    /** Answers a page once it is asked for. */
    async release(page: number): Promise<void> {
      const url = `/${run}/${page}`;
      await vi.waitFor(() => expect(waiting.get(url)?.length).toBeGreaterThan(0), PATIENCE);
      const html = `<html><head><title>Page ${page}</title></head><body><article><p>Herons wade on page ${page}.</p></article></body></html>`;
      for (const response of waiting.get(url) ?? []) {
        response.setHeader('content-type', 'text/html').end(html);
      }
      waiting.delete(url);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function makeKey(user: string): Promise<string> {
  const run = await runMagpie(
    ['key', 'create', '--scope', 'read,write', '--user', user, '--json'],
    settings(0),
  );
  return JSON.parse(run.stdout).key;
}

beforeAll(async () => {
  words = await withoutModel();
  place = await makePostgres('none');
  site = await startSite();
  keys.push(await makeKey('ada'), await makeKey('eve'));
  await Promise.all([startNode(0), startNode(1)]);
  database = new pg.Client({ connectionString: place.url });
  await database.connect();
});
beforeEach(() => site.begin());
afterAll(async () => {
  for (const node of nodes) await node.stop();
  site.stop();
  await database.end();
  await place.remove();
  await dropPostgres();
  for (const { remove } of folders) remove();
});

interface Ask {
  readonly node: number;
  readonly session?: string;
  readonly last?: string;
  readonly body?: object;
  readonly key?: string | undefined;
}

function send({ node, session, last, body, key = keys[0] }: Ask): Promise<Response> {
  return fetch(new URL('/mcp', nodes[node]?.url), {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${key}`,
      accept: body ? 'application/json, text/event-stream' : 'text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(body && { 'content-type': 'application/json' }),
      ...(session !== undefined && { 'mcp-session-id': session }),
      ...(last !== undefined && { 'last-event-id': last }),
    },
    ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
  });
}

async function begin(node: number, key = keys[0], capabilities: object = {}): Promise<string> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities,
    clientInfo: { name: 'broken', version: '1.0.0' },
  };
  const answer = await send({ node, key, body: { id: 0, method: 'initialize', params } });
  await answer.text();
  const session = answer.headers.get('mcp-session-id') ?? '';
  await (await send({ node, key, session, body: { method: 'notifications/initialized' } })).text();
  return session;
}

/** A search that reads three pages, with progress. */
async function search(node: number, session: string, id: string | number = 7): Promise<EventReader> {
  const params = { name: 'search', arguments: site.question(), _meta: { progressToken: 'p' } };
  return readEvents(await send({ node, session, body: { id, method: 'tools/call', params } }));
}

async function resume(node: number, session: string, last: string): Promise<EventReader> {
  const answer = await send({ node, session, last });
  expect(answer.status).toBe(200);
  return readEvents(answer);
}

const said = (events: readonly (StreamedEvent | undefined)[]) =>
  events.map((event) => event?.message.params?.message ?? (event?.message.result ? 'result' : '?'));

const WHOLE = [
  'asking the search engines',
  'reading 3 pages',
  'read 1 of 3 pages',
  'read 2 of 3 pages',
  'read 3 of 3 pages',
  'result',
];

async function rowsOf(session: string): Promise<number> {
  const { rows } = await database.query('SELECT count(*) AS count FROM mcp_events WHERE session = $1', [
    session,
  ]);
  return Number(rows[0]?.count);
}

async function endNotices(): Promise<void> {
  const { rowCount } = await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'magpie notices' AND datname = current_database()",
  );
  expect(rowCount).toBe(2);
}

test('a broken stream is resumed at the other node, and at the first again: every event arrives in order and once', async () => {
  const session = await begin(0);
  const first = await search(0, session);
  const events = [await first.next(), await first.next()];
  await first.cut();
  await site.release(1);
  const second = await resume(1, session, first.lastId());
  events.push(await second.next());
  // Its connection still stands when the client comes again at the same node.
  const third = await resume(1, session, second.lastId());
  await site.release(2);
  events.push(await third.next());
  expect(await second.next()).toBeUndefined();
  await third.cut();
  const fourth = await resume(0, session, third.lastId());
  await site.release(3);
  events.push(...(await fourth.rest()));
  expect(said(events)).toEqual(WHOLE);
  expect(new Set(events.map((event) => event?.id)).size).toBe(WHOLE.length);
  const answer = events.at(-1)?.message;
  expect(answer?.id).toBe(7);
  expect(JSON.stringify(answer?.result?.structuredContent)).toContain('Herons wade on page 3');
});

test('missed events arrive although their notification was lost', async () => {
  const session = await begin(0);
  const first = await search(0, session);
  const events = [await first.next(), await first.next()];
  await first.cut();
  await endNotices();
  const second = await resume(1, session, first.lastId());
  for (const page of [1, 2, 3]) await site.release(page);
  events.push(...(await second.rest()));
  expect(said(events)).toEqual(WHOLE);
});

/** A client's requests, each sent to the next node; `cut` breaks the stream of its call. */
function wandering() {
  let turn = 0;
  let stop: AbortController | undefined;
  return {
    async fetch(input: string | URL, init?: RequestInit): Promise<Response> {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${keys[0]}`);
      const isCall = String(init?.body).includes('tools/call');
      const own = new AbortController();
      if (isCall || headers.has('last-event-id')) stop = own;
      const signal = init?.signal ? AbortSignal.any([init.signal, own.signal]) : own.signal;
      return fetch(new URL(new URL(input).pathname, nodes[turn++ % 2]?.url), { ...init, headers, signal });
    },
    cut: () => stop?.abort(new TypeError('the network is gone')),
  };
}

const ADDRESS = new URL('http://127.0.0.1/mcp');
const INFO = { name: 'wandering', version: '1.0.0' };
type Progress = (progress: { message?: string | undefined }) => void;

async function connectV1(send: typeof fetch) {
  const client = new ClientV1(INFO);
  await client.connect(new HttpV1(ADDRESS, { fetch: send }) as Parameters<ClientV1['connect']>[0]);
  const call = (onprogress: Progress) =>
    client.callTool({ name: 'search', arguments: site.question() }, undefined, { onprogress });
  return { call, close: () => client.close() };
}

async function connectV2(send: typeof fetch) {
  const client = new Client(INFO);
  await client.connect(new StreamableHTTPClientTransport(ADDRESS, { fetch: send }));
  const call = (onprogress: Progress) =>
    client.callTool({ name: 'search', arguments: site.question() }, { onprogress });
  return { call, close: () => client.close() };
}

test.each([
  ['v1', connectV1],
  ['v2', connectV2],
] as const)(
  'a client %s whose connection breaks during a call gets its progress and answer through other nodes',
  async (_, connect) => {
    const way = wandering();
    const client = await connect(way.fetch as typeof fetch);
    const progress: (string | undefined)[] = [];
    const called = client.call(({ message }) => void progress.push(message));
    for (const page of [1, 2, 3]) {
      const seen = progress.length;
      await vi.waitFor(() => expect(progress.length).toBeGreaterThan(page === 1 ? 1 : seen - 1), PATIENCE);
      way.cut();
      await site.release(page);
    }
    const { isError = false, structuredContent } = await called;
    expect(isError).toBe(false);
    expect(JSON.stringify(structuredContent)).toContain('Herons wade on page 3');
    expect(progress).toEqual(WHOLE.slice(0, -1));
    await client.close();
  },
);

test('an answer that arrived while there was no connection outlives its node', async () => {
  const session = await begin(0);
  const first = await search(0, session);
  const events = [await first.next(), await first.next()];
  await first.cut();
  for (const page of [1, 2, 3]) await site.release(page);
  await vi.waitFor(async () => {
    const { rows } = await database.query('SELECT 1 FROM mcp_events WHERE session = $1 AND ends = 1', [
      session,
    ]);
    expect(rows).toHaveLength(1);
  }, PATIENCE);
  const killed = nodes[0]?.process;
  killed?.kill('SIGKILL');
  if (killed) await exitOf(killed);
  const second = await resume(1, session, first.lastId());
  events.push(...(await second.rest()));
  expect(said(events)).toEqual(WHOLE);
  await startNode(0);
});

test.each([
  ['killed', 'SIGKILL'],
  ['stopped', 'SIGTERM'],
] as const)('a call whose node was %s is answered with an error at the other node', async (_, signal) => {
  const session = await begin(0);
  const first = await search(0, session, 'call-9');
  await first.next();
  const [ended] = [nodes[0]?.process];
  ended?.kill(signal);
  if (ended) await exitOf(ended);
  const second = await resume(1, session, first.lastId());
  const rest = await second.rest();
  expect(rest.at(-1)?.message).toMatchObject({
    id: 'call-9',
    error: { code: -32000, message: expect.stringContaining('the server that ran this call has ended') },
  });
  // A client that takes the error for one more break is refused, and does not come again and again.
  const again = await send({ node: 1, session, last: second.lastId() });
  expect([again.status, (await again.json()).error.message]).toEqual([
    400,
    expect.stringContaining('send the request again'),
  ]);
  await startNode(0);
});

test('a question on a broken stream is read and answered at the other node', async () => {
  const session = await begin(0, keys[0], { elicitation: {} });
  const call = (id: number, name: string, args: object) =>
    send({ node: 0, session, body: { id, method: 'tools/call', params: { name, arguments: args } } });
  await (await call(1, 'insert', { q: 'Herons wade' })).text();
  const first = readEvents(await call(2, 'reset', { q: '' }));
  const question = await first.next();
  expect(question?.message.method).toBe('elicitation/create');
  await first.cut();
  // The event before the question is the one that begins the stream.
  const begun = question?.id?.replace(/\.2\./, '.1.') ?? '';
  const second = await resume(1, session, begun);
  const asked = await second.next();
  expect(asked).toEqual(question);
  const result = { action: 'accept', content: { confirm: true } };
  await (await send({ node: 1, session, body: { id: asked?.message.id, result } })).text();
  const [answer] = await second.rest();
  expect(answer?.message.result?.structuredContent).toMatchObject({ deleted: 1 });
});

test('notifications missed by a broken stream arrive at the other node, in order and once, followed by the next', async () => {
  const session = await begin(0);
  const post = async (id: number, method: string, params: object) =>
    (await send({ node: 0, session, body: { id, method, params } })).text();
  await post(1, 'resources/subscribe', { uri: 'kb://entries' });
  const first = readEvents(await send({ node: 0, session }));
  // It begins with what may have changed before.
  const numberOf = (event: StreamedEvent | undefined) => Number(/\.(\d+)$/.exec(event?.id ?? '')?.[1]);
  const events = [await first.next(), await first.next()];
  const change = (at: number) =>
    post(2, 'tools/call', { name: 'insert', arguments: { q: `Number ${at} of the birds` } });
  /** Changes something until the next notification comes: what changed before a node looked for changes is not announced. */
  async function until(reader: EventReader): Promise<void> {
    let come = false;
    const next = reader.next().finally(() => {
      come = true;
    });
    for (let at = 0; !come; at++) {
      await change(at);
      await vi.waitFor(() => expect(come).toBe(true), { timeout: 1500 }).catch(() => {});
    }
    events.push(await next);
  }
  await until(first);
  await first.cut();
  const last = first.lastId();
  await change(100);
  const second = await resume(1, session, last);
  for (let more = 0; more < 3; more++) await until(second);
  const numbers = events.map(numberOf);
  expect(numbers).toEqual(Array.from(numbers, (_, at) => (numbers[0] ?? 0) + at));
  await second.cut();
});

test('an ordinary call writes no event, and a stream is not readable for another user', async () => {
  const session = await begin(0);
  const first = await search(0, session);
  const events = [await first.next()];
  for (const page of [1, 2, 3]) await site.release(page);
  events.push(...(await first.rest()));
  expect(said(events)).toEqual(WHOLE);
  expect(await rowsOf(session)).toBe(0);
  const begun = events[0]?.id ?? '';
  const foreign = await send({ node: 1, session, last: begun, key: keys[1] });
  expect([foreign.status, await foreign.text()]).toEqual([404, expect.not.stringContaining('Herons')]);
  const own = await begin(1, keys[1]);
  for (const node of [0, 1]) {
    const rest = await readEvents(await send({ node, session: own, last: begun, key: keys[1] })).rest();
    expect(rest.map(({ message }) => message.error?.code)).toEqual([-32000]);
  }
  const back = await resume(1, session, begun);
  expect(said(await back.rest())).toEqual(WHOLE.slice(1));
  expect(await rowsOf(session)).toBe(WHOLE.length - 1);
  // Events belong to their session, and end with it.
  await fetch(new URL('/mcp', nodes[0]?.url), {
    method: 'DELETE',
    headers: { authorization: `Bearer ${keys[0]}`, 'mcp-session-id': session },
  });
  expect(await rowsOf(session)).toBe(0);
});
