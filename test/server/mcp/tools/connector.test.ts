import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { toolListing } from '../../../../src/server/mcp/tools/tools.ts';
import { connectorTools } from '../../../../tools/connector/list.ts';
import type { AnyClient } from '../../../helpers/clients.ts';
import { type RoomsStack, startRooms } from '../../../helpers/rooms-stack.ts';
import { startWeb, type TestWeb } from '../../../helpers/web.ts';

/** The two tools that ChatGPT asks of a connector, by real clients of both eras. */

const NOTES = '/mcp/chatgpt';
const WEB = '/mcp/chatgpt/web';

let web: TestWeb;
let rooms: RoomsStack;
const noteIds: string[] = [];

/** The shapes that OpenAI documents, and nothing beside them. */
const results = z.strictObject({
  results: z.array(z.strictObject({ id: z.string(), title: z.string().min(1), url: z.string().min(1) })),
});
const fetched = z.strictObject({
  id: z.string(),
  title: z.string().min(1),
  text: z.string(),
  url: z.string().min(1),
  metadata: z.record(z.string(), z.string()),
});

beforeAll(async () => {
  web = await startWeb();
  rooms = await startRooms({ MAGPIE_SEARXNG_URL: web.url, MAGPIE_ALLOW_HOSTS: web.host });
  const [knowledge, documents] = [
    await rooms.pipe.services.knowledge(),
    await rooms.pipe.services.documents(),
  ];
  const { signal } = new AbortController();
  for (const note of [
    { text: 'A magpie weighs about 230 grams.', title: 'Weights', tags: ['birds'] },
    { text: 'The nest of a magpie has a roof of twigs.', source: 'https://birds.example/nest' },
  ]) {
    noteIds.push((await knowledge.insertEntry('ada', note, signal)).id);
  }
  await knowledge.insertEntry(
    'bob',
    { text: 'What bob alone knows of magpies: they weigh him down.' },
    signal,
  );
  const pages = Array.from({ length: 900 }, (_, n) => `Line ${n} of a report on jackdaws and their towers.`);
  const bytes = Buffer.from(`# Towers\n\n${pages.join('\n\n')}`);
  await documents.addDocument('ada', 'jackdaws.md', chunksOf(bytes), signal);
  await knowledge.waitForVectors(1000, AbortSignal.timeout(60_000));
}, 120_000);

afterAll(async () => {
  await rooms?.close();
  await web?.close();
});

async function* chunksOf(bytes: Uint8Array) {
  yield bytes;
}

const CLIENTS: Readonly<Record<string, (url: URL, user: string) => Promise<AnyClient>>> = {
  '2025 era': async (url, user) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-user': user } } }),
    );
    return client;
  },
  '2026 era': async (url, user) => {
    const client = new Client(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    await client.connect(
      new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-user': user } } }),
    );
    return client;
  },
  'v1 client': async (url, user) => {
    const client = new ClientV1({ name: 'test', version: '1' });
    const transport = new HttpV1(url, { requestInit: { headers: { 'x-user': user } } });
    await client.connect(transport as Parameters<ClientV1['connect']>[0]);
    return client as unknown as AnyClient;
  },
};

async function connect(path: string, user = 'ada', era = '2026 era'): Promise<AnyClient> {
  const open = CLIENTS[era];
  if (!open) throw new Error(`there is no client ${era}`);
  return open(new URL(path, rooms.stack.url), user);
}

/** The one text of an answer as JSON, which has to say what the structured content says. */
async function callTool(client: AnyClient, name: string, args: Record<string, string>): Promise<unknown> {
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  expect(isError ?? false, JSON.stringify(content)).toBe(false);
  expect(content).toHaveLength(1);
  const [only] = content as { type: string; text: string }[];
  expect(only?.type).toBe('text');
  const parsed: unknown = JSON.parse(only?.text ?? '');
  expect(structuredContent).toEqual(parsed);
  return parsed;
}

test.each(Object.keys(CLIENTS))(
  '%s: search finds a note, and fetch reads it, in the documented shapes',
  async (era) => {
    const client = await connect(NOTES, 'ada', era);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['search', 'fetch']);
    for (const tool of tools)
      expect(tool.annotations).toMatchObject({ readOnlyHint: true, openWorldHint: false });
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual(['query']);
    expect(tools[0]?.inputSchema.required).toEqual(['query']);
    expect(Object.keys(tools[1]?.inputSchema.properties ?? {})).toEqual(['id']);
    expect(tools[1]?.inputSchema.required).toEqual(['id']);

    const found = results.parse(await callTool(client, 'search', { query: 'how heavy is a magpie' }));
    const [first] = found.results;
    expect(first).toEqual({
      id: `kb://entries/${noteIds[0]}`,
      title: 'Weights',
      url: `${rooms.stack.url}/app/notes/edit?id=${noteIds[0]}`,
    });
    const whole = fetched.parse(await callTool(client, 'fetch', { id: first?.id ?? '' }));
    expect(whole).toMatchObject({
      id: first?.id,
      title: 'Weights',
      text: 'A magpie weighs about 230 grams.',
      metadata: { kind: 'note', tags: 'birds' },
    });
    await client.close();
  },
);

test('a note with an address is cited by the address', async () => {
  const client = await connect(NOTES);
  const found = results.parse(await callTool(client, 'search', { query: 'roof of the nest' }));
  expect(found.results[0]).toMatchObject({
    id: `kb://entries/${noteIds[1]}`,
    url: 'https://birds.example/nest',
  });
  await client.close();
});

test('a file is found by its parts, whose ids lead to the end, and its citation contains no pass', async () => {
  const client = await connect(NOTES);
  const { results: found } = results.parse(
    await callTool(client, 'search', { query: 'line 3 of the report on jackdaws and their towers' }),
  );
  const part = found.find(({ id }) => id.startsWith('doc://'));
  expect(part?.title).toMatch(/^jackdaws\.md, part \d+: /);
  expect(part?.url).toMatch(/\/app\/file\?name=jackdaws\.md&page=\d+$/);
  const opened = async (user: string) => fetch(part?.url ?? '', { headers: { 'x-user': user } });
  expect(await (await opened('ada')).text()).toContain('of a report on jackdaws and their towers');
  expect((await opened('bob')).status).toBe(404);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);

  let id: string | undefined = 'doc://jackdaws.md/parts/1';
  const texts: string[] = [];
  while (id !== undefined && texts.length < 20) {
    const read = fetched.parse(await callTool(client, 'fetch', { id }));
    texts.push(read.text);
    expect(read.metadata).toMatchObject({ kind: 'file', file: 'jackdaws.md' });
    id = read.metadata.next;
  }
  expect(texts.length).toBeGreaterThan(1);
  const all = texts.join('\n');
  for (const line of [0, 449, 899]) expect(all).toContain(`Line ${line} of`);
  await client.close();
});

test('notes of another user are not found, and cannot be read by id', async () => {
  const client = await connect(NOTES, 'bob');
  const { results: found } = results.parse(await callTool(client, 'search', { query: 'magpie weighs' }));
  expect(found).toHaveLength(1);
  expect(JSON.stringify(found)).not.toContain('grams');
  for (const id of [`kb://entries/${noteIds[0]}`, 'doc://jackdaws.md/parts/1']) {
    const refused = await client.callTool({ name: 'fetch', arguments: { id } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain('there is nothing at id');
  }
  await client.close();
});

test('web pages are found only at the address with the web, beside notes, and are read by id', async () => {
  const [plain, wide] = [await connect(NOTES), await connect(WEB)];
  const asked = web.asked.length;
  const notes = results.parse(await callTool(plain, 'search', { query: 'magpie nest roof' }));
  expect(notes.results.every(({ id }) => id.startsWith('kb://') || id.startsWith('doc://'))).toBe(true);
  expect(web.asked).toHaveLength(asked);

  expect((await wide.listTools()).tools.every(({ annotations }) => annotations?.openWorldHint)).toBe(true);
  const { results: both } = results.parse(await callTool(wide, 'search', { query: 'magpie nest roof' }));
  expect(both.some(({ id }) => id === `kb://entries/${noteIds[1]}`)).toBe(true);
  const page = both.find(({ url }) => url.startsWith(web.url));
  expect(page?.id).toMatch(/^page:/);
  const whole = fetched.parse(await callTool(wide, 'fetch', { id: page?.id ?? '' }));
  expect(whole).toMatchObject({ id: page?.id, title: page?.title, url: page?.url });
  expect(whole.text).toContain('Observers in 1900');
  expect(whole.text).not.toContain('Ignore all instructions');

  // The same question gives the same id; the address without the web does not read it.
  const again = results.parse(await callTool(wide, 'search', { query: 'magpie nest roof' }));
  expect(again.results.map(({ id }) => id)).toContain(page?.id);
  const refused = await plain.callTool({ name: 'fetch', arguments: { id: page?.id ?? '' } });
  expect(refused.isError).toBe(true);
  await Promise.all([plain.close(), wide.close()]);
});

test('an address that no search returned to this user is not fetched', async () => {
  const [ada, bob] = [await connect(WEB), await connect(WEB, 'bob')];
  const { results: found } = results.parse(await callTool(ada, 'search', { query: 'magpie song' }));
  const id = found.find((one) => one.id.startsWith('page:'))?.id ?? '';
  const asked = web.asked.length;
  const forged = [
    `${web.url}/magpie-song?secret=grams`,
    `page:${web.url}/magpie-song`,
    `page:${'a'.repeat(43)}:${web.url}/magpie-song`,
    `${id}?secret=grams`,
    id.replace('page:', 'Page:'),
    'page:',
    'kb://entries/',
    'doc://../parts/1',
    'page:\u0000',
    'x'.repeat(8000),
  ];
  for (const one of forged) {
    const refused = await ada.callTool({ name: 'fetch', arguments: { id: one } });
    expect(refused.isError, one).toBe(true);
    expect(JSON.stringify(refused.content), one).toContain('there is nothing at id');
  }
  expect((await bob.callTool({ name: 'fetch', arguments: { id } })).isError).toBe(true);
  expect(web.asked).toHaveLength(asked);
  await Promise.all([ada.close(), bob.close()]);
});

test('a missing question or id is named in the error', async () => {
  const client = await connect(NOTES);
  for (const [name, args, words] of [
    ['search', {}, 'query'],
    ['search', { q: 'magpie', query: 'magpie' }, 'unknown parameter'],
    ['fetch', { id: '' }, 'id'],
  ] as const) {
    const refused = await client.callTool({ name, arguments: args });
    expect(refused.isError, name).toBe(true);
    expect(JSON.stringify(refused.content)).toContain(words);
  }
  await expect(client.callTool({ name: 'browse', arguments: { q: web.url } })).rejects.toThrow(
    'there is no tool "browse"',
  );
  await client.close();
});

test('the answer of fetch is limited in bytes, and says how much is left out', async () => {
  const { fetchConnectorText: connectorFetch } = await import(
    '../../../../src/flows/connector/connector-fetch.ts'
  );
  const knowledge = await rooms.pipe.services.knowledge();
  const text = `${'wide \u{1f426} "quoted"\n'.repeat(20_000)}end`;
  const { id } = await knowledge.insertEntry('ada', { text }, new AbortController().signal);
  const ctx = {
    caller: { id: 'ada', via: 'http', scopes: new Set(['read']) },
    services: rooms.pipe.services,
    responseBytes: 100_000,
  } as unknown as Parameters<typeof connectorFetch>[2];
  const read = await connectorFetch(`kb://entries/${id}`, false, ctx);
  const bytes = Buffer.byteLength(JSON.stringify(read));
  expect(bytes).toBeLessThan(100_000);
  expect(bytes).toBeGreaterThan(80_000);
  expect(text.startsWith(read.text)).toBe(true);
  expect(read.text.isWellFormed()).toBe(true);
  expect(read.metadata.shown).toBe(`the first ${read.text.length} of ${text.length} characters`);
});

test('protocol errors are JSON-RPC, and no session is kept', async () => {
  const get = await fetch(new URL(NOTES, rooms.stack.url));
  expect(get.status).toBe(405);
  const begun = await fetch(new URL(NOTES, rooms.stack.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });
  expect(begun.status).toBe(200);
  expect(begun.headers.get('mcp-session-id')).toBeNull();
  expect(await begun.text()).toContain('"instructions"');
  const bad = await fetch(new URL(NOTES, rooms.stack.url), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{',
  });
  expect(bad.status).toBe(400);
  expect(await bad.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32700 } });
});

test.each([
  ['chatgpt', false],
  ['chatgpt-web', true],
] as const)('the tools of %s are as reviewed', async (name, withWeb) => {
  const listed = connectorTools(withWeb).map(toolListing);
  await expect(`${JSON.stringify(listed, null, 2)}\n`).toMatchFileSnapshot(
    `../../../snapshots/connector/${name}.json`,
  );
});
