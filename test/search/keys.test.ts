import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { prompts } from '../../prompts/index.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { engineNames } from '../../src/wiring/engines.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { operations } from '../../tools/index.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { temporaryFolder } from '../helpers/magpie.ts';
import { startStack } from '../helpers/stack.ts';

/** Each keyed engine with its variable, its flag, and the body around its results. */
const ENGINES = {
  'brave-api': ['BRAVE_API_KEY', 'braveKey', (results: unknown) => ({ type: 'search', web: { results } })],
  tavily: ['TAVILY_API_KEY', 'tavilyKey', (results: unknown) => ({ results })],
  exa: ['EXA_API_KEY', 'exaKey', (results: unknown) => ({ results })],
  serper: ['SERPER_API_KEY', 'serperKey', (organic: unknown) => ({ organic })],
  kagi: ['KAGI_API_KEY', 'kagiKey', (search: unknown) => ({ data: { search } })],
  jina: ['JINA_API_KEY', 'jinaKey', (data: unknown) => ({ code: 200, data })],
  perplexity: ['PERPLEXITY_API_KEY', 'perplexityKey', (results: unknown) => ({ results })],
  marginalia: ['MARGINALIA_API_KEY', 'marginaliaKey', (results: unknown) => ({ query: 'x', results })],
  firecrawl: ['FIRECRAWL_API_KEY', 'firecrawlKey', (web: unknown) => ({ success: true, data: { web } })],
  keenable: ['KEENABLE_API_KEY', 'keenableKey', (results: unknown) => ({ results })],
  parallel: [
    'PARALLEL_API_KEY',
    'parallelKey',
    (results: unknown) => ({ jsonrpc: '2.0', id: 1, result: { structuredContent: { results } } }),
  ],
  anysearch: ['ANYSEARCH_API_KEY', 'anysearchKey', (results: unknown) => ({ code: 0, data: { results } })],
  openalex: ['OPENALEX_API_KEY', 'openalexKey', (results: unknown) => ({ results })],
} as const;
type Name = keyof typeof ENGINES;
const NAMES = Object.keys(ENGINES) as Name[];

const MARK = /marked-?secret/i;
const keyOf = (name: Name) => `MARKED-SECRET-of-${name}`;

/** Results that echo the key in every member. No two engines agree on a page, so that none is left out as one too many. */
function results(name: Name, origin: string): unknown[] {
  const key = keyOf(name);
  return ['one', 'two'].map((page) => {
    const url = `${origin}/page/${name}-${page}?key=${key}`;
    const text = `Magpies of ${name}, asked for with ${key}`;
    return {
      url,
      id: url,
      link: url,
      title: text,
      display_name: text,
      snippet: text,
      content: text,
      description: text,
      highlights: [text],
      excerpts: [text],
    };
  });
}

type Reply = (name: Name, response: ServerResponse, origin: string) => void;
const json = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const echo = (name: Name) => ({ error: { message: `bad key ${keyOf(name)}`, key: keyOf(name) } });

/** How the services may answer; each echoes the key, and all but the first fail. */
const REPLIES: Readonly<Record<string, Reply>> = {
  'with results': (name, response, origin) =>
    json(response, 200, { ...ENGINES[name][2](results(name, origin)), query: { token: keyOf(name) } }),
  'with an error in a 200': (name, response) => json(response, 200, echo(name)),
  'with 401': (name, response) => json(response, 401, echo(name)),
  'with 429': (name, response) =>
    response.setHeader('retry-after', keyOf(name)) && json(response, 429, echo(name)),
  'with 500': (name, response) => json(response, 500, echo(name)),
  'with garbage': (name, response) => response.end(`<b>${keyOf(name)} {"results": [${keyOf(name)}`),
  'with a broken body': (name, response) =>
    response.writeHead(200, { 'content-length': '5000' }).write(keyOf(name), () => response.destroy()),
  'with a redirect to another host': (name, response, origin) =>
    response
      .writeHead(307, { location: `${origin.replace('127.0.0.1', 'localhost')}/elsewhere/${name}` })
      .end(),
};

let reply: Reply = () => {};
let origin = '';
/** Keys that each engine's address received, and other hosts. */
const received = new Map<string, string>();
let elsewhere = '';

function serve(request: IncomingMessage, response: ServerResponse): void {
  const [, name = '', rest = ''] = (request.url ?? '').split('/');
  const sent = `${request.url}\n${inspect(request.headers)}`;
  if (name === 'elsewhere') {
    elsewhere += sent;
    response.writeHead(404).end();
  } else if (name === 'page') {
    const text = `Magpies build a nest of twigs, says ${rest.split('?')[0]}. `.repeat(20);
    response.setHeader('content-type', 'text/html');
    response.end(`<title>Magpies</title><article><h1>Magpies</h1><p>${text}</p></article>`);
  } else {
    received.set(name, sent);
    reply(name as Name, response, origin);
  }
}

const server: Server = createServer(serve);
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Every other key by flag, the rest by the environment. */
function configuration(data: string) {
  const flags = NAMES.filter((_, i) => i % 2 === 0).map((name) => [ENGINES[name][1], keyOf(name)] as const);
  const env = NAMES.filter((_, i) => i % 2 === 1).map((name) => [ENGINES[name][0], keyOf(name)] as const);
  return loadConfig(
    { ...Object.fromEntries(flags), data },
    {
      ...Object.fromEntries(env),
      MAGPIE_CALL_TIMEOUT: '120000',
      MAGPIE_SEARCH_TIMEOUT: '60000',
      MAGPIE_PAGE_TIMEOUT: '60000',
      MAGPIE_ENGINES: NAMES.join(','),
      MAGPIE_ENGINE_URLS: NAMES.map((name) => `${name}=${origin}/${name}`).join(','),
      MAGPIE_ALLOW_HOSTS: `${new URL(origin).host},localhost:${new URL(origin).port}`,
    },
  );
}

/** Those that answer without their key too, and are asked by default. */
const ASKED_WITHOUT: readonly Name[] = ['tavily', 'exa', 'firecrawl', 'keenable', 'parallel', 'openalex'];

test('keyed engines join the default set when their key is set, and without keys only keyless engines are in the set', () => {
  const folder = temporaryFolder();
  const keys = Object.fromEntries(NAMES.map((name) => [ENGINES[name][0], keyOf(name)]));
  expect(engineNames(loadConfig({ data: folder.path }, keys))).toEqual(expect.arrayContaining(NAMES));
  const without = engineNames(loadConfig({ data: folder.path }, {}));
  expect(NAMES.filter((name) => without.includes(name))).toEqual(ASKED_WITHOUT);
  folder.remove();
});

function filesIn(path: string): { name: string; text: string }[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map(({ name, parentPath }) => ({ name, text: readFileSync(join(parentPath, name), 'latin1') }));
}

describe.each(Object.entries(REPLIES))('services with the answer %s', (mode, how) => {
  const folder = temporaryFolder();
  const logged: string[] = [];
  const log = createLog('debug', (line) => logged.push(line));
  beforeAll(() => {
    reply = how;
    received.clear();
    elsewhere = '';
  });
  afterAll(() => folder.remove());

  /** A Magpie for each check: one that asked just now keeps to the engines' pace. */
  async function withMagpie<T>(look: (services: Services, url: string) => Promise<T>): Promise<T> {
    const services = createServices(configuration(folder.path), log);
    const stack = await startStack({ catalog: { operations, prompts }, pipe: { services, log } });
    try {
      return await look(services, stack.url);
    } finally {
      await stack.close();
      await services.lifecycle.close();
    }
  }

  test('get their key, and no other request contains it', async () => {
    const { rest, body } = await withMagpie(async (_, url) => {
      const rest = await fetch(`${url}/search?q=magpie+nest&percentile=1&numofpages=3`);
      return { rest, body: await rest.text() };
    });
    for (const name of NAMES) expect(received.get(name), name).toContain(keyOf(name));
    // What a tool answers is the same as REST but for its form: with results and with one failure it is tried.
    const byTool = mode === 'with results' || mode === 'with 401';
    const askTool = async (_: Services, url: string) => {
      const client = await CONNECTIONS['HTTP, 2025 era, v2 client']?.({ url, env: {} });
      const args = { q: 'magpie tail feathers', percentile: '1', numofpages: '3' };
      const result = await client?.callTool({ name: 'search', arguments: args });
      await client?.close();
      return result;
    };
    const tool = byTool ? await withMagpie(askTool) : undefined;
    const { room, files } = await withMagpie(async (services) => {
      const search = await services.search();
      const room = await search
        .findPages('magpie song', { owner: 'ada', limit: 10, signal: AbortSignal.timeout(10_000) })
        .catch((error: unknown) => error);
      // While the database is open, its log is a file too.
      return { room, files: filesIn(folder.path) };
    });

    // The answers are of the kind that the question is for.
    if (mode === 'with results') {
      expect(body).toContain('asked for with [key]');
      expect(body).toContain('Magpies build a nest');
      expect(tool?.isError ?? false).toBe(false);
    } else {
      expect(rest.status).toBe(502);
      expect(body).toContain('perplexity: ');
      if (byTool) expect(tool?.isError).toBe(true);
      expect(logged.join('')).toContain('an engine failed');
    }

    const headers = inspect([...rest.headers]);
    expect([body, headers].filter((text) => MARK.test(text))).toEqual([]);
    expect(JSON.stringify(tool ?? {})).not.toMatch(MARK);
    expect(inspect(room, { depth: 10, showHidden: true })).not.toMatch(MARK);
    expect(logged.filter((line) => MARK.test(line))).toEqual([]);
    // Neither the key nor the question.
    expect(elsewhere).toBe('');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ text }) => MARK.test(text)).map(({ name }) => name)).toEqual([]);
  });
});
