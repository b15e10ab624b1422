import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';

/** Messages as clients really send them, by raw HTTP and pipes, since a client of an SDK sends none of them. */

const folder = temporaryFolder();
let env: Record<string, string>;
let magpie: Running;

beforeAll(async () => {
  env = { ...environment(folder.path), ...(await withoutModel()) };
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  folder.remove();
});

type Headers = Readonly<Record<string, string | undefined>>;

interface Received {
  readonly status: number;
  readonly type: string;
  readonly session: string;
  readonly text: string;
  /** The answer, of JSON or of an event stream. */
  readonly message: {
    readonly error?: { readonly code: number; readonly message: string };
    readonly result: {
      readonly protocolVersion: string;
      readonly serverInfo: { readonly name: string };
      readonly content: readonly [{ readonly text: string }];
      readonly structuredContent: { readonly id: string };
      readonly isError?: boolean;
    };
  };
}

const BOTH = 'application/json, text/event-stream';

/** By Node's own client, since `fetch` adds an `Accept` where a test wants none. */
function post(body: unknown, headers: Headers = {}, path = '/mcp'): Promise<Received> {
  const given = { 'content-type': 'application/json', accept: BOTH, ...headers };
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${magpie.url}${path}`, { method: 'POST', headers: sent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      response.on('end', () => {
        const type = response.headers['content-type'] ?? '';
        const data = type.startsWith('text/event-stream') ? (/^data: (\{.*)$/m.exec(text)?.[1] ?? '') : text;
        const message = data === '' ? undefined : JSON.parse(data);
        const session = String(response.headers['mcp-session-id'] ?? '');
        resolve({ status: response.statusCode ?? 0, type, session, text, message });
      });
    });
    request.on('error', reject);
    request.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  });
}

const rpc = (method: string, params?: unknown, id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });

const initialize = (params: object = {}) =>
  rpc('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'odd', version: '1' },
    ...params,
  });

async function begin(headers: Headers = {}, params: object = {}): Promise<Headers> {
  const { session } = await post(initialize(params), headers);
  return { ...headers, 'mcp-session-id': session };
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';

describe('the header Accept', () => {
  test.each([
    ['*/*', JSON_TYPE],
    [undefined, JSON_TYPE],
    ['', JSON_TYPE],
    ['application/json', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['APPLICATION/JSON; charset=utf-8', JSON_TYPE],
    ['text/html, */*;q=0.8', JSON_TYPE],
    ['application/json, text/event-stream;q=0', JSON_TYPE],
    ['text/event-stream', STREAM_TYPE],
    ['text/*', STREAM_TYPE],
    ['text/event-stream,application/json', STREAM_TYPE],
    ['Application/Json, Text/Event-Stream', STREAM_TYPE],
    ['application/json;q=0.9, text/event-stream;q=0.1, */*;q=0.1', STREAM_TYPE],
  ])('%s is answered with %s', async (accept, type) => {
    const begun = await post(initialize(), { accept });
    expect([begun.status, begun.type]).toEqual([200, type]);
    expect(begun.message.result.protocolVersion).toBe('2025-06-18');
    const session = { accept, 'mcp-session-id': begun.session };
    const called = await post(rpc('tools/call', { name: 'list' }), session);
    expect([called.status, called.type]).toEqual([200, type]);
    expect(called.message.result.content[0].text).toContain('/search');
    const unknown = await post(rpc('tools/call', { name: 'nothing' }), session);
    expect(unknown.message.error?.code).toBe(-32602);
  });

  test.each(['text/html', 'application/json;q=0', 'image/*'])(
    '%s takes no form of an answer, and the error says which there are',
    async (accept) => {
      const { status, message } = await post(initialize(), { accept });
      expect([status, message.error?.message]).toEqual([
        406,
        expect.stringContaining('it takes application/json'),
      ]);
    },
  );

  test('a batch is answered with a JSON list', async () => {
    const session = await begin({ accept: JSON_TYPE }, { protocolVersion: '2025-03-26' });
    const { message } = await post([rpc('ping', undefined, 3), rpc('ping', null, 'x')], session);
    expect(message).toEqual([3, 'x'].map((id) => ({ jsonrpc: '2.0', id, result: {} })));
  });

  test('a client of 2026 that takes no stream gets JSON, progress or not', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'odd', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = (method: string) => ({
      accept: JSON_TYPE,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
    });
    const call = {
      name: 'upsert',
      arguments: { q: 'The crane is red.' },
      _meta: { ...envelope, progressToken: 1 },
    };
    const saved = await post(rpc('tools/call', call), { ...headers('tools/call'), 'mcp-name': 'upsert' });
    expect([saved.status, saved.type]).toEqual([200, JSON_TYPE]);
    expect(saved.message.result.structuredContent.id).toMatch(/^tester-/);
    const listen = { notifications: {}, _meta: envelope };
    const refused = await post(rpc('subscriptions/listen', listen), headers('subscriptions/listen'));
    expect([refused.status, refused.message.error?.message]).toEqual([
      406,
      'Accept is "application/json": it takes text/event-stream',
    ]);
  });

  test('a client that takes no stream is asked nothing, since a question would need one', async () => {
    const session = await begin({ accept: '*/*' }, { capabilities: { elicitation: {}, roots: {} } });
    const { message } = await post(rpc('tools/call', { name: 'reset', arguments: { q: '' } }), session);
    expect(message.result.isError).toBeUndefined();
  });
});

test.each(['/mcp/', '/mcp/?x=1', '/mcp/chatgpt/'])('%s is the address without the slash', async (path) => {
  const { status, message } = await post(initialize(), {}, path);
  expect([status, message.result.serverInfo.name]).toEqual([200, 'magpie']);
});

test('other methods are refused with those there are', async () => {
  const response = await fetch(`${magpie.url}/mcp/`, { method: 'PUT' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST, DELETE']);
});

/** Members of `initialize` as serializers of several languages and hand-written clients send them. */
const INITIALIZATIONS: readonly (readonly [string, unknown, string])[] = [
  ['null capabilities', initialize({ capabilities: null }), '2025-06-18'],
  [
    'null members (Python, C#)',
    initialize({ capabilities: { roots: null, sampling: null, elicitation: null }, _meta: null }),
    '2025-06-18',
  ],
  ['empty lists (PHP)', initialize({ capabilities: [], _meta: [] }), '2025-06-18'],
  ['empty lists within (PHP)', initialize({ capabilities: { roots: [], elicitation: [] } }), '2025-06-18'],
  ['no version of the client', initialize({ clientInfo: { name: 'odd' } }), '2025-06-18'],
  ['no client', initialize({ clientInfo: undefined }), '2025-06-18'],
  ['no parameters', { jsonrpc: '2.0', id: 1, method: 'initialize' }, '2024-11-05'],
  ['a revision to come', initialize({ protocolVersion: '2031-01-01' }), '2025-11-25'],
  ['a revision that is none', initialize({ protocolVersion: '1.0' }), '2025-11-25'],
  [
    'a null title of the client',
    initialize({ clientInfo: { name: 'n', version: '1', title: null } }),
    '2025-06-18',
  ],
  ['members beside those of JSON-RPC', { ...initialize(), session: 'x', timestamp: 1 }, '2025-06-18'],
  ['a null error', { ...initialize(), error: null, result: null }, '2025-06-18'],
];

test.each(INITIALIZATIONS)('initialize with %s begins a session', async (_what, body, revision) => {
  const { status, message, session } = await post(body);
  expect([status, message.result?.protocolVersion]).toEqual([200, revision]);
  expect((await post(rpc('ping'), { 'mcp-session-id': session })).status).toBe(200);
});

test.each(['2027-01-01', '2026-07-28', 'latest', '2025-06-18'])(
  'the header MCP-Protocol-Version %s does not decide the revision of initialize',
  async (version) => {
    const { status, message } = await post(initialize(), { 'mcp-protocol-version': version });
    expect([status, message.result.protocolVersion]).toEqual([200, '2025-06-18']);
  },
);

test('a text with line separators comes escaped over HTTP and stdio, on every path of an answer', async () => {
  const q = 'a line\u2028and one\u2029and one\u0085end';
  const session = await post(initialize());
  const headers = { 'mcp-session-id': session.session };
  await post(rpc('tools/call', { name: 'upsert', arguments: { q } }), headers);
  const list = rpc('tools/call', { name: 'listEntries', arguments: { text: 'and one', limit: 1 } });
  const received = [
    await post(list, headers),
    await post(list, { ...headers, accept: 'application/json' }),
    await post(rpc('prompts/get', { name: 'query', arguments: { q } }), headers),
    await post(rpc('tools/call', { name: q }), headers),
  ].map(({ text }) => text);
  const { input, lines, ended } = runStdio(env);
  input.write(`${JSON.stringify(initialize())}\n`);
  input.end(`${JSON.stringify({ ...list, id: 2 })}\n`);
  await ended;
  received.push(lines().at(-1) ?? '');
  for (const text of received) {
    expect(text).not.toMatch(/[\u2028\u2029\u0085]/);
    expect(text).toContain('\\u2028');
  }
});

test('initialize with the id of an ended session, or of a running one, begins a new session', async () => {
  const gone = await post(initialize(), { 'mcp-session-id': 'gone' });
  const again = await post(initialize(), { 'mcp-session-id': gone.session });
  expect([gone.status, again.status]).toEqual([200, 200]);
  expect(new Set(['gone', gone.session, again.session]).size).toBe(3);
});

describe('in a session', () => {
  let session: Headers;
  beforeAll(async () => {
    session = await begin({ accept: JSON_TYPE });
  });

  test.each([
    ['params null', rpc('ping', null)],
    ['params []', rpc('ping', [])],
    ['cursor null', rpc('tools/list', { cursor: null })],
    ['cursor empty', rpc('tools/list', { cursor: '' })],
    ['cursor null of resources', rpc('resources/list', { cursor: null })],
    ['cursor empty of resources', rpc('resources/list', { cursor: '' })],
    ['cursor null of prompts', rpc('prompts/list', { cursor: null, _meta: null })],
    ['cursor null of templates', rpc('resources/templates/list', { cursor: null })],
    ['arguments null', rpc('tools/call', { name: 'list', arguments: null })],
    ['arguments []', rpc('tools/call', { name: 'list', arguments: [] })],
    ['arguments empty', rpc('tools/call', { name: 'list', arguments: '' })],
    ['arguments as JSON text', rpc('tools/call', { name: 'metadatakb', arguments: '{"q":""}' })],
    ['progressToken null', rpc('tools/call', { name: 'list', _meta: { progressToken: null } })],
    ['a parameter of Cursor', rpc('tools/call', { name: 'help', arguments: { random_string: 'x' } })],
    [
      'parameters of n8n',
      rpc('tools/call', {
        name: 'metadatakb',
        arguments: { q: '', toolCallId: 'call_1', sessionId: 's', action: 'sendMessage', chatInput: 'Hi' },
      }),
    ],
    ['prompt with numbers', rpc('prompts/get', { name: 'search', arguments: { q: 'x', percentile: 5 } })],
    ['prompt with null', rpc('prompts/get', { name: 'search', arguments: { q: 'x', numofpages: null } })],
    ['prompt without arguments', rpc('prompts/get', { name: 'help', arguments: null })],
    [
      'completion with null context',
      rpc('completion/complete', {
        ref: { type: 'ref/prompt', name: 'search' },
        argument: { name: 'q', value: '' },
        context: null,
      }),
    ],
    ['a text as id', rpc('ping', undefined, 'a-1')],
    ['a byte order mark', Buffer.from(`\ufeff${JSON.stringify(rpc('ping'))}`)],
  ])('%s is answered', async (_what, body) => {
    const { status, message } = await post(body, session);
    expect([status, message.error, message.result.isError]).toEqual([200, undefined, undefined]);
  });

  test.each(['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'])(
    'a cursor that %s never gave is refused',
    async (method) => {
      const { message } = await post(rpc(method, { cursor: 'bogus' }), session);
      expect(message.error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('it takes a nextCursor of this list'),
      });
    },
  );

  test.each([
    ['a notification with a null id', { jsonrpc: '2.0', id: null, method: 'notifications/initialized' }],
    ['a cancellation of no request', { jsonrpc: '2.0', method: 'notifications/cancelled', params: null }],
    [
      'a cancellation of an unknown request',
      rpc('notifications/cancelled', { requestId: 99, reason: null }, null),
    ],
    ['an unknown notification', { jsonrpc: '2.0', method: 'notifications/own' }],
    ['an answer with a null result', { jsonrpc: '2.0', id: 77, result: null }],
    ['an answer with a null error', { jsonrpc: '2.0', id: 77, result: {}, error: null }],
  ])('%s is accepted', async (_what, body) => {
    expect((await post(body, session)).status).toBe(202);
  });

  test('a parameter of n8n alone is refused as any unknown one, and a call without a name says what to do', async () => {
    const { message } = await post(
      rpc('tools/call', { name: 'metadatakb', arguments: { q: '', action: 'delete' } }),
      session,
    );
    expect(message.result.content[0].text).toContain('unknown parameter "action"');
    const nameless = await post(rpc('tools/call', { arguments: {} }), session);
    expect(nameless.message.error).toMatchObject({
      code: -32602,
      message: 'there is no tool ""; tools/list names those there are',
    });
  });

  test.each([
    ['mcp__magpie__search', 'search'],
    ['magpie_list', 'list'],
    ['serach', 'search'],
    ['list-entries', 'listEntries'],
  ])('an error about the tool %s names %s', async (name, meant) => {
    const { message } = await post(rpc('tools/call', { name }), session);
    expect(message.error?.message).toContain(`(did you mean ${meant}?)`);
  });

  test.each(['', '2025-06-18, 2025-06-18', '2025-06-18'])(
    'the protocol version "%s" in the header is accepted',
    async (version) => {
      const { status } = await post(rpc('ping'), { ...session, 'mcp-protocol-version': version });
      expect(status).toBe(200);
    },
  );

  test.each(['2025-06-18, 2025-03-26', '1999-01-01'])('"%s" is not', async (version) => {
    const { status } = await post(rpc('ping'), { ...session, 'mcp-protocol-version': version });
    expect(status).toBe(400);
  });

  test('a request with a null id is refused, since its answer could not be told from others', async () => {
    const { status, message } = await post(rpc('ping', undefined, null), session);
    expect([status, message.error?.code]).toEqual([400, -32600]);
  });

  test('a request with the event id of another server keeps its body', async () => {
    const { status } = await post(rpc('ping'), { ...session, 'last-event-id': 'of another server' });
    expect(status).toBe(200);
  });

  test.each(['*/*', undefined, 'text/event-stream'])('a stream is opened with Accept %s', async (accept) => {
    const own = await begin();
    const leave = new AbortController();
    const headers = { ...own, ...(accept && { accept }), 'last-event-id': 'of another server' };
    const response = await fetch(`${magpie.url}/mcp`, {
      headers: headers as Record<string, string>,
      signal: leave.signal,
    });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, STREAM_TYPE]);
    leave.abort();
  });
});

test('over stdio, a byte order mark, CRLF, blank lines and null members change nothing', async () => {
  const { input, lines, ended } = runStdio(env);
  const line = (message: unknown) => `${JSON.stringify(message)}\r\n`;
  input.write(`\ufeff${line(initialize())}\r\n  \n`);
  input.write(line({ jsonrpc: '2.0', id: null, method: 'notifications/initialized', params: null }));
  input.write(line(rpc('ping', null, 2)) + line(rpc('tools/list', { cursor: null }, 3)));
  input.write(line(rpc('tools/call', { name: 'list', arguments: null }, 4)));
  input.end(line({ ...rpc('ping', [], 5), extra: true }));
  expect(await ended).toBe(0);
  const answers = lines().map((one) => JSON.parse(one));
  expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3, 4, 5]);
  expect(answers.filter(({ error, result }) => error || result.isError)).toEqual([]);
});
