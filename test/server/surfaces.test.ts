import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { prompts } from '../../prompts/index.ts';
import { splitRoute } from '../../src/server/http/rest.ts';
import { operations } from '../../tools/index.ts';
import { type AnyClient, CONNECTIONS } from '../helpers/clients.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { followLink, linkOf } from '../helpers/uploads.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

const folder = temporaryFolder();
let web: TestWeb;
let embeddings: EmbeddingsApi;
let env: Record<string, string>;
let magpie: Running;
/** What the example of getScan asks for. */
let scanId: string;
let checkId: string;
let entryId = 'none yet';
const repository = join(folder.path, 'code', 'shop');

/** Pages that searches lead to. A process reads its first ones slowly on a busy machine: not within the time of a search. */
const FIRST_PAGES = ['magpie-mirror', 'magpie-nest', 'magpie-song'];
const toRead = (page: string) => ({ q: `${web.url}/page/${page}`, percentile: '16', numofpages: '1' });

beforeAll(async () => {
  [web, embeddings] = [await startWeb(), await startEmbeddingsApi()];
  // The local index grows with every call, and would rank differently from one surface to the next.
  env = {
    ...environment(folder.path, web),
    ...embeddings.settings,
    MAGPIE_ENGINES: 'searxng',
    MAGPIE_SCAN_ROOTS: join(folder.path, 'code'),
    MAGPIE_INVENTORY: join(folder.path, 'infrastructure.yaml'),
  };
  mkdirSync(repository, { recursive: true });
  writeFileSync(join(repository, 'Dockerfile'), 'FROM node:latest\nUSER root\n');
  writeFileSync(env.MAGPIE_INVENTORY ?? '', `infrastructure:\n  shop:\n    urls: [${web.url}]\n`);
  magpie = await startMagpie(env);
  for (const page of FIRST_PAGES) {
    const response = await fetch(`${magpie.url}/browse?${new URLSearchParams(toRead(page))}`);
    expect(response.status).toBe(200);
  }
  const { put } = await followLink(await linkOf(magpie.url));
  expect((await put('example.pdf', makePdf(['What magpies build.', 'What they sing.']))).status).toBe(201);
  const scanned = (await overRest(operations.find(({ name }) => name === 'scan'))) as {
    data: { scan_id: string };
  };
  scanId = scanned.data.scan_id;
  const checked = (await overRest(operations.find(({ name }) => name === 'checkCompliance'))) as {
    data: { check_id: string };
  };
  checkId = checked.data.check_id;
  await overRest(operations.find(({ name }) => name === 'startMonitoring'));
  const looked = async () => {
    const status = await overRest(operations.find(({ name }) => name === 'getMonitoringStatus'));
    const [target] = (status as { data: { targets: { grade?: string; uptime?: number }[] } }).data.targets;
    return target?.grade !== undefined && target.uptime !== undefined;
  };
  await vi.waitUntil(looked, { timeout: 60_000, interval: 100 });
});

afterAll(async () => {
  await magpie.stop();
  await Promise.all([web.close(), embeddings.close()]);
  folder.remove();
});

/** The declared example, with the page that the tests serve in place of the public one. */
function exampleOf(operation: (typeof operations)[number]): Record<string, unknown> {
  const text = JSON.stringify(operation.example)
    .replace('https://example.com/', `${web.url}/page/magpie-nest`)
    .replace('https://git.example/shop.git', repository)
    .replace(/(?<="scan_id":")\w+/, () => scanId)
    .replace(/(?<="check_id":")\w+/, () => checkId)
    .replace('ada-1763710000000001', () => entryId);
  return JSON.parse(text) as Record<string, unknown>;
}

async function overRest(operation: (typeof operations)[number] | undefined): Promise<unknown> {
  const [route] = operation?.routes ?? [];
  if (!operation || !route) throw new Error(`${operation?.name} has no route`);
  const { method, path } = splitRoute(route);
  const input = exampleOf(operation);
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name])),
    magpie.url,
  );
  if (method === 'GET')
    for (const [name, value] of Object.entries(input)) url.searchParams.set(name, String(value));
  const response = await fetch(url, {
    method,
    ...(method === 'POST' && {
      body: JSON.stringify(input),
      headers: { 'content-type': 'application/json' },
    }),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** An entry that can be changed. */
async function keepEntry(): Promise<string> {
  const response = await fetch(new URL('/upsert?q=An+entry+to+correct', magpie.url));
  return ((await response.json()) as { id: string }).id;
}

/** What is kept gets its vectors a moment later, and is then found by them too. */
async function settled(): Promise<void> {
  const pending = async () => {
    const response = await fetch(new URL('/metadatakb?q=', magpie.url));
    const { matches } = (await response.json()) as { matches: { metadata: { pending: number } }[] };
    return matches[0]?.metadata.pending;
  };
  await expect.poll(pending, { timeout: 60_000 }).toBe(0);
}

/** Times and scans differ from call to call, and under stdio the upload page has a port of its own. */
const OWN = [
  'ms',
  'scan_id',
  'started_at',
  'ended_at',
  'runs',
  'measures',
  'history',
  'last_run',
  'next_run',
  'created_at',
  'at',
];

function comparable(body: unknown): unknown {
  const text = JSON.stringify(body, (key, value: unknown) => (OWN.includes(key) ? 0 : value));
  // Checks and scans are named by 24 hex digits, in addresses too.
  const named = text.replace(/\b[0-9a-f]{24}\b/g, 'id').replaceAll(entryId, 'the entry');
  return JSON.parse(named.replace(/http:\/\/127\.0\.0\.1:\d+(\/app[^?\s"]*)\?pass=[\w.-]+/g, '$1'));
}

const answered = new Map<string, unknown>();

/** What REST answers to the example: the web that the tests serve is the same for every connection. */
async function restAnswer(operation: (typeof operations)[number]): Promise<unknown> {
  if (operation.toolset !== 'web' || operation.name === 'hybrid')
    return comparable(await overRest(operation));
  if (!answered.has(operation.name)) answered.set(operation.name, comparable(await overRest(operation)));
  return answered.get(operation.name);
}

/** One of each transport and of each protocol era: for what both clients send alike, and one function judges. */
const PAIR = ['stdio, 2025 era, v2 client', 'HTTP, 2026 era, v2 client'];
/** Each operation is called over each transport, by one of its three connections: a third of the list each. */
const shareOf = (nth: number) =>
  operations.filter((_, at) => Math.floor((3 * at) / operations.length) === nth % 3);

/** How parameters are read, and what is said of wrong ones. */
function testParameters(client: () => AnyClient): void {
  test('numbers are accepted as texts and as numbers [parameter.string]', async () => {
    const q = `${web.url}/long`;
    const asText = await client().callTool({
      name: 'browse',
      arguments: { q, percentile: '1', numofpages: '2' },
    });
    const asNumbers = await client().callTool({
      name: 'browse',
      arguments: { q, percentile: 1, numofpages: 2 },
    });
    expect(asText.structuredContent).toEqual(asNumbers.structuredContent);
    expect((asText.structuredContent as { results: unknown[] }).results).toHaveLength(2);
  });

  test('unknown and missing parameters are named in the words of REST [parameter.unknown] [body.error]', async () => {
    const stranger = await client().callTool({ name: 'list', arguments: { colour: 'red' } });
    expect(stranger).toMatchObject({
      isError: true,
      content: [{ text: 'unknown parameter "colour": list takes no parameters' }],
    });
    const missing = await client().callTool({
      name: 'search',
      arguments: { percentile: 101, numofpages: 3 },
    });
    const rest = await fetch(new URL('/search?percentile=101&numofpages=3', magpie.url));
    expect(rest.status).toBe(400);
    const { error } = (await rest.json()) as { error: string };
    expect(error).toContain('no query was provided');
    expect(missing).toMatchObject({ isError: true, content: [{ text: error.replace('"101"', '101') }] });
  });

  test('q alone is enough to search and read, with the default values of the contract', async () => {
    const q = `${web.url}/long`;
    const pairs = [
      ['search', { q: 'magpie' }, { percentile: 3, numofpages: 3 }],
      ['browse', { q }, { percentile: 1, numofpages: 1 }],
      [
        'browsegiant',
        { q, percentile: null, paging: '' },
        { percentile: 1, numofpages: 1, inputwindowwords: 50_000 },
      ],
      ['metadatakb', {}, { q: '' }],
    ] as const;
    for (const [name, given, start] of pairs) {
      const short = await client().callTool({ name, arguments: given });
      const long = await client().callTool({ name, arguments: { ...given, ...start } });
      expect(short.isError ?? false).toBe(false);
      expect(comparable(short.structuredContent)).toEqual(comparable(long.structuredContent));
    }
    const wrong = await client().callTool({ name: 'search', arguments: { q: 'magpie', percentile: 0 } });
    expect(wrong).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('percentile is 0') }],
    });
  });

  test('an unknown option within an object is named like an unknown parameter', async () => {
    const options = { deep_scan: false, depth: 3 };
    const answer = await client().callTool({ name: 'scan', arguments: { repository: '/nowhere', options } });
    expect(answer).toMatchObject({
      isError: true,
      content: [{ text: 'unknown parameter "depth": scan.options takes deep_scan, include_dependencies' }],
    });
  });
}

const CONNECTED = Object.entries(CONNECTIONS).map(([name, connect], nth) => [name, connect, nth] as const);

describe.each(CONNECTED)('%s', (name, connect, nth) => {
  let client: AnyClient;
  beforeAll(async () => {
    client = await connect({ url: magpie.url, env });
    for (const page of FIRST_PAGES) await client.callTool({ name: 'browse', arguments: toRead(page) });
  });
  afterAll(() => client.close());

  test('lists every operation as a tool [tool.every]', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(operations.map(({ name }) => name));
    for (const tool of tools) {
      expect(tool.outputSchema?.type).toBe('object');
      expect(tool.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
      });
    }
  });

  test.each(shareOf(nth).map((operation) => [operation.name, operation] as const))(
    'answers the example of %s as REST does',
    async (name, operation) => {
      if (name === 'updateEntry') entryId = await keepEntry();
      // What is kept or deleted once is so: the second call and all after it find the same.
      if (operation.effect !== 'read') await overRest(operation);
      await settled();
      const expected = await restAnswer(operation);
      const result = await client.callTool({ name, arguments: exampleOf(operation) });
      expect(result.isError ?? false).toBe(false);
      expect(comparable(result.structuredContent)).toEqual(expected);
      const [text, ...links] = result.content as { type: string }[];
      expect(text).toMatchObject({ type: 'text', text: expect.stringMatching(/\S/) });
      expect(links.every(({ type }) => type === 'resource_link')).toBe(true);
    },
  );

  if (PAIR.includes(name)) testParameters(() => client);

  test('refuses an unknown tool as a protocol error', async () => {
    await expect(client.callTool({ name: 'nonsense', arguments: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test('refuses an unknown slash command as a protocol error', async () => {
    const unknown = { name: 'nonsense', arguments: {} };
    await expect(client.getPrompt(unknown)).rejects.toMatchObject({ code: -32602 });
    const ref = { type: 'ref/prompt', name: 'nonsense' } as const;
    await expect(client.complete({ ref, argument: { name: 'q', value: '' } })).rejects.toMatchObject({
      code: -32602,
    });
    const wrong = { q: 'how do magpies', percentile: 'do' };
    await expect(client.getPrompt({ name: 'search', arguments: wrong })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('percentile is "do": it takes a whole number from 1 to 100'),
    });
  });

  test('offers the 15 slash commands, completes their arguments, and returns the text of each', async () => {
    const { prompts: listed } = await client.listPrompts();
    expect(listed.map(({ name }) => name)).toEqual(prompts.map(({ name }) => name));
    expect(listed).toHaveLength(15);
    const { messages } = await client.getPrompt({ name: 'search', arguments: { q: 'magpies' } });
    expect(messages[0]?.content).toMatchObject({
      type: 'text',
      text: expect.stringContaining(
        'Call the tool search with {"q":"magpies","percentile":3,"numofpages":3}',
      ),
    });
    await expect(client.getPrompt({ name: 'search', arguments: {} })).rejects.toThrow(
      'no query was provided',
    );
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'search' },
      argument: { name: 'numofpages', value: '1' },
    });
    expect(completion.values).toEqual(['1', '10']);
  });

  test('offers the pages read before as resources', async () => {
    const url = `${web.url}/page/magpie-nest`;
    await client.callTool({ name: 'browse', arguments: { q: url, percentile: 1, numofpages: 1 } });
    const { resources } = await client.listResources();
    const resource = resources.find(({ description }) => description === url);
    expect(resource?.name).toBe('How magpies build a nest');
    const { contents } = await client.readResource({ uri: resource?.uri ?? '' });
    expect(contents[0]).toMatchObject({
      mimeType: 'text/markdown',
      text: expect.stringContaining('nest building'),
    });
    await expect(client.readResource({ uri: 'page://text/https%3A%2F%2Fnowhere.example' })).rejects.toThrow(
      'there is no resource',
    );
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'browse' },
      argument: { name: 'q', value: `${web.url}/page/magpie-n` },
    });
    expect(completion.values).toEqual([url]);
  });

  test('gives an upload link, under stdio too', async () => {
    const { content } = await client.callTool({ name: 'pdfload', arguments: {} });
    const [, link = ''] = /Upload files at (http:\S+)/.exec(JSON.stringify(content)) ?? [];
    const { put } = await followLink(link);
    expect((await put('second.pdf', makePdf(['Of nests.']))).status).toBe(201);
    const { structuredContent } = await client.callTool({ name: 'listpdfs', arguments: {} });
    const { matches } = structuredContent as { matches: { metadata: { fileName: string; url: string } }[] };
    const found = matches.find(({ metadata }) => metadata.fileName === 'second.pdf');
    expect((await fetch(found?.metadata.url ?? '')).status).toBe(200);
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'pdfsearch' },
      argument: { name: 'q', value: 'EXAM' },
    });
    expect(completion.values).toEqual(['example.pdf']);
  });

  test('reports progress while it works', async () => {
    const messages: unknown[] = [];
    // What a busy machine reads together with the answer, clients drop: then it is asked again.
    for (let call = 0; call < 10 && !messages.includes('read 1 of 3 pages'); call++) {
      await client.callTool(
        { name: 'search', arguments: { q: 'magpie nests', percentile: 3, numofpages: 3 } },
        { onprogress: ({ message }) => messages.push(message) },
      );
    }
    expect(messages).toContain('asking the search engines');
    expect(messages).toContain('read 1 of 3 pages');
  });

  test('stops the work when the client cancels', async () => {
    const before = web.given.up;
    const stop = new AbortController();
    const call = client.callTool(
      { name: 'browse', arguments: { q: `${web.url}/hang`, percentile: 1, numofpages: 1 } },
      { signal: stop.signal },
    );
    await expect.poll(() => web.asked.filter((path) => path === '/hang').length).toBeGreaterThan(before);
    stop.abort();
    await expect(call).rejects.toThrow();
    await expect.poll(() => web.given.up).toBeGreaterThan(before);
  });
});
