import { Readable } from 'node:stream';
import { McpServer } from '@modelcontextprotocol/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CredentialState, localCaller } from '../../../../src/caller.ts';
import { createStreamEventLog } from '../../../../src/server/mcp/sessions/event-store.ts';
import { createFixtureServer } from '../../../helpers/conformance-fixtures.ts';
import { type Stack, startStack } from '../../../helpers/stack.ts';

/** Sessions of 2025 clients, by raw HTTP: bounded, the caller's own, and resumable. */

let server: Stack;
let standing: CredentialState;

beforeEach(async () => {
  standing = 'valid';
  server = await startStack({ mcp: createFixtureServer, maxSessions: 3, standingOf: () => standing });
});
afterEach(() => server.close());

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const send = (body: unknown, headers: Record<string, string> = {}, url = server.url) =>
  fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...(body as object) }),
  });

async function begin(
  user = 'ada',
  revision = '2025-11-25',
  url = server.url,
): Promise<Record<string, string>> {
  const response = await send(
    {
      id: 0,
      method: 'initialize',
      params: { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    },
    { 'x-user': user },
    url,
  );
  await response.text();
  const session = {
    'mcp-session-id': response.headers.get('mcp-session-id') ?? '',
    'mcp-protocol-version': revision,
    'x-user': user,
  };
  await send({ method: 'notifications/initialized' }, session, url);
  return session;
}

const ping = (session: Record<string, string>) => send({ id: 1, method: 'ping' }, session);

test('a session belongs to the caller who started it', async () => {
  const session = await begin('ada');
  expect((await ping(session)).status).toBe(200);
  const stranger = await ping({ ...session, 'x-user': 'eve' });
  const unknown = await ping({ ...session, 'mcp-session-id': 'never-was' });
  expect(stranger.status).toBe(404);
  expect(await stranger.text()).toBe(await unknown.text());
});

test('a session in use while the server stops is not reported as ended', async () => {
  const session = await begin('ada');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const request = new Request(`${server.url}/mcp`, {
    method: 'POST',
    headers: { ...HEADERS, ...session },
    body,
  });
  const exchange = {
    onClose: () => {},
    incoming: Readable.from([Buffer.from(body)]),
    countWork: () => {},
    takeTurn: async () => () => {},
    paceRefusal: async () => {},
  };
  const answered = server.mcp.fetch(request, localCaller('ada', 'http'), exchange);
  const closed = server.mcp.close();
  await expect(answered).rejects.toMatchObject({ code: 'unavailable', retryAfter: 2 });
  await closed;
  const late = await ping(session);
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '2']);
});

test('a caller who starts many sessions ends no session of another caller', async () => {
  const ada = await begin('ada');
  const eve = [];
  for (let i = 0; i < 5; i++) eve.push(await begin('eve'));
  expect((await ping(ada)).status).toBe(200);
  const statuses = await Promise.all(eve.map(async (session) => (await ping(session)).status));
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
});

test('the longest idle session is replaced by a new one', async () => {
  const [first, second, third] = [await begin(), await begin(), await begin()];
  await (await ping(first)).text();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await begin();
  const statuses = await Promise.all(
    [first, second, third].map(async (session) => (await ping(session)).status),
  );
  expect(statuses.filter((status) => status === 404)).toHaveLength(1);
  expect(statuses[0]).toBe(200);
});

test.each(['2024-11-05', '2025-03-26'])('a session of %s accepts batches', async (revision) => {
  const session = await begin('ada', revision);
  const both = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }));
  const response = await send(JSON.stringify(both), session);
  expect(response.status).toBe(200);
  const ids = (await events(response)).flatMap(({ data }) => (data ? [JSON.parse(data).id] : []));
  expect(ids.sort()).toEqual([1, 2]);
  expect((await send('[]', session)).status).toBe(400);
});

test.each(['2025-06-18', '2025-11-25'])('a session of %s refuses batches', async (revision) => {
  const session = await begin('ada', revision);
  const response = await send(JSON.stringify([{ jsonrpc: '2.0', id: 1, method: 'ping' }]), session);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { error: { code: -32600, message: expect.stringContaining(`${revision}, has no batches`) } },
  ]);
});

test('DELETE ends a session', async () => {
  const session = await begin();
  expect((await fetch(`${server.url}/mcp`, { method: 'DELETE', headers: session })).status).toBe(200);
  expect((await ping(session)).status).toBe(404);
});

test('a body that is not JSON, and a request without a session, get an error', async () => {
  const broken = await send('{');
  expect([broken.status, await broken.json()]).toMatchObject([400, { error: { code: -32700 } }]);
  const early = await send({ id: 1, method: 'tools/list' });
  expect([early.status, await early.json()]).toMatchObject([
    400,
    { error: { message: expect.stringContaining('send initialize first') } },
  ]);
});

describe('requests with the same id in one session', () => {
  const started = { slow: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() };
  let waiting: Stack;
  beforeEach(async () => {
    Object.assign(started, { slow: Promise.withResolvers<void>(), go: Promise.withResolvers<void>() });
    waiting = await startStack({
      mcp: () => {
        const made = new McpServer({ name: 'waiting', version: '1' });
        const say = (text: string) => ({ content: [{ type: 'text' as const, text }] });
        made.registerTool('slow', { description: 'Waits.' }, async () => {
          started.slow.resolve();
          await started.go.promise;
          return say('slow');
        });
        made.registerTool('quick', { description: 'Answers.' }, () => say('quick'));
        return made;
      },
    });
  });
  afterEach(() => waiting.close());

  const call = async (session: Record<string, string>, name: string, id: string | number = 1) => {
    const response = await send({ id, method: 'tools/call', params: { name } }, session, waiting.url);
    return response.text();
  };
  const start = async () => {
    const session = await begin('ada', '2025-11-25', waiting.url);
    const slow = call(session, 'slow');
    await started.slow.promise;
    return { session, slow };
  };

  test('each get their own answer, one after the other', async () => {
    const { session, slow } = await start();
    const others = ['quick', 'quick'].map((name) => call(session, name));
    expect(await call(session, 'quick', 2)).toContain('"text":"quick"');
    expect(await call(session, 'quick', '1')).toContain('"text":"quick"');
    started.go.resolve();
    expect(await slow).toContain('"text":"slow"');
    for (const other of others) expect(await other).toContain('"text":"quick"');
  });

  test('a cancelled request, or a refused one, keeps its id from no other', async () => {
    const { session } = await start();
    await send({ method: 'notifications/cancelled', params: { requestId: 1 } }, session, waiting.url);
    expect(await call(session, 'quick')).toContain('"text":"quick"');
    const refused = await send(
      { id: 5, method: 'ping' },
      { ...session, 'mcp-protocol-version': 'x' },
      waiting.url,
    );
    expect(refused.status).toBe(400);
    expect(await call(session, 'quick', 5)).toContain('"text":"quick"');
    started.go.resolve();
  });
});

test('a session is closed when its caller is revoked, and only its stream ends when the credential expires', async () => {
  const session = await begin();
  const open = () => fetch(`${server.url}/mcp`, { headers: { ...session, accept: 'text/event-stream' } });
  const first = await open();
  standing = 'ended';
  await first.text();
  expect((await ping(session)).status).toBe(200);
  standing = 'valid';
  const second = await open();
  expect(second.status).toBe(200);
  standing = 'revoked';
  await second.text();
  expect((await ping(session)).status).toBe(404);
});

/** Events of a stream, until it ends. */
async function events(response: Response): Promise<{ id: string; data: string }[]> {
  const text = await response.text();
  return text.split('\n\n').flatMap((block) => {
    const id = /^id: (.*)$/m.exec(block)?.[1];
    return id === undefined ? [] : [{ id, data: /^data: (.*)$/m.exec(block)?.[1] ?? '' }];
  });
}

test('a broken stream resumes where it stopped', async () => {
  const session = await begin();
  const call = await send(
    { id: 7, method: 'tools/call', params: { name: 'test_reconnection', arguments: {} } },
    session,
  );
  const before = await events(call);
  expect(before.length).toBeGreaterThan(0);
  expect(before.some(({ data }) => data.includes('"result"'))).toBe(false);
  const lastId = before.at(-1)?.id ?? '';
  await new Promise((resolve) => setTimeout(resolve, 200));
  const resumed = await fetch(`${server.url}/mcp`, {
    headers: { ...session, accept: 'text/event-stream', 'last-event-id': lastId },
  });
  expect(resumed.status).toBe(200);
  const reader = resumed.body?.getReader();
  let text = '';
  while (reader && !text.includes('"result"')) {
    const { value, done } = await reader.read();
    if (done) break;
    text += new TextDecoder().decode(value);
  }
  await reader?.cancel();
  expect(text).toContain('reconnected');
});

test('a new stream replaces one whose connection may have broken, and gets the notices', async () => {
  const made: McpServer[] = [];
  const stack = await startStack({
    mcp: () => {
      const own = new McpServer({ name: 'own', version: '1' });
      own.registerTool('any', {}, () => ({ content: [] }));
      made.push(own);
      return own;
    },
  });
  const session = await begin('ada', '2025-11-25', stack.url);
  const open = (event?: string) =>
    fetch(`${stack.url}/mcp`, {
      headers: { ...session, accept: 'text/event-stream', ...(event && { 'last-event-id': event }) },
    });
  const streams = [await open(), await open()];
  for (const own of made) own.sendToolListChanged();
  streams.push(await open());
  const [none, missed] = [await events(streams[0] as Response), await events(streams[1] as Response)];
  expect(none).toEqual([]);
  expect(missed.map(({ data }) => JSON.parse(data).method)).toEqual(['notifications/tools/list_changed']);
  for (const own of made) own.sendToolListChanged();
  streams.push(await open(missed[0]?.id));
  const ids = (await events(streams[2] as Response)).map(({ id }) => id);
  streams.push(await open(missed[0]?.id));
  expect(ids).toHaveLength(1);
  expect((await events(streams[3] as Response)).map(({ id }) => id)).toEqual(ids);
  expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  await stack.close();
});

test('the event store keeps a limited number of events and replays only one stream', async () => {
  const store = createStreamEventLog();
  const ids: string[] = [];
  for (let i = 0; i < 1200; i++) {
    ids.push(await store.storeEvent(i % 2 ? 'odd' : 'even', { jsonrpc: '2.0', method: `m${i}` }));
  }
  await expect(store.replayEventsAfter(ids[0] ?? '', { send: async () => {} })).rejects.toThrow(
    'no longer kept',
  );
  const sent: string[] = [];
  const stream = await store.replayEventsAfter(ids[1180] ?? '', {
    send: async (_id, message) => void sent.push('method' in message ? message.method : ''),
  });
  expect(stream).toBe('even');
  expect(sent).toEqual(Array.from({ length: 9 }, (_, i) => `m${1182 + 2 * i}`));
});
