import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { localCaller } from '../../src/caller.ts';
import { runOperation } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { loadConfig, secretsOf } from '../../src/config/config.ts';
import type { Setting } from '../../src/config/setting.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics } from '../../src/metrics.ts';
import { defineOperation, type Operation } from '../../src/operation.ts';
import { splitRoute } from '../../src/server/http/rest.ts';
import { inputSchema } from '../../src/server/input.ts';
import type { OperationPipeline } from '../../src/server/invoke.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { createServices, type Services } from '../../src/wiring/services.ts';
import { operations } from '../../tools/index.ts';
import { exitOf } from '../helpers/exit-of.ts';
import { environment, MAIN, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { makePdf } from '../helpers/pdf.ts';
import { startStack } from '../helpers/stack.ts';
import { followLink, linkOf } from '../helpers/uploads.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/**
 * A marked secret in every place where one may stand, and then a look at everything that Magpie writes and says.
 * Two sorts: credentials are found nowhere at all; what a caller sends as content is theirs, and is in the
 * database where they keep it, but in no log, no metric and no record of use.
 */

const CREDENTIALS = new Map<string, string>();
const CONTENT = new Map<string, string>();

function mark(marks: Map<string, string>, where: string): string {
  const value = `zq${randomBytes(9).toString('hex')}`;
  marks.set(value, where);
  return value;
}
const credential = (where: string) => mark(CREDENTIALS, where);
const content = (where: string) => mark(CONTENT, where);

/** Where marks stand in a text, also as part of an address or in base64. */
function found(text: string, marks: ReadonlyMap<string, string>): string[] {
  const plain = new Map([...marks].map(([value, where]) => [value.toLowerCase(), where]));
  const encoded = new Map(
    [...marks].map(([value, where]) => [Buffer.from(value).toString('base64url').slice(2, -4), where]),
  );
  const places = [...stretchesOf(text, encoded.keys())].map((one) => encoded.get(one));
  for (const one of stretchesOf(text.toLowerCase(), plain.keys())) places.push(plain.get(one));
  return [...new Set(places)].flatMap((where) => where ?? []);
}

/** Every stretch of a text, within a run of letters, digits, `_` and `-`, that is as long as one of the words. */
function* stretchesOf(text: string, words: Iterable<string>): Generator<string> {
  const lengths = new Set([...words].map(({ length }) => length));
  const shortest = Math.min(...lengths);
  for (const [run] of text.matchAll(/[\w-]+/g)) {
    if (run.length < shortest) continue;
    for (const length of lengths)
      for (let at = 0; at + length <= run.length; at++) yield run.slice(at, at + length);
  }
}

/** A service that answers nothing of use, and shows all that it was sent: as error, page and redirect. */
async function startEcho(): Promise<{ url: string; server: Server; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const said = JSON.stringify({ url: request.url, headers: request.headers, body });
    asked.push(said);
    const status = [401, 500, 400, 302][asked.length % 4] ?? 500;
    const location = status === 302 ? { location: `/elsewhere?${new URLSearchParams({ said })}` } : {};
    const type = { 'content-type': 'application/json' };
    response
      .writeHead(status, { ...type, ...location })
      .end(JSON.stringify({ error: { message: said, error: said }, detail: said, message: said }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, asked };
}

/** Engines that are asked with a key, by the setting that holds it. */
const KEYED: Readonly<Record<string, string>> = {
  braveKey: 'brave-api',
  tavilyKey: 'tavily',
  exaKey: 'exa',
  serperKey: 'serper',
  kagiKey: 'kagi',
  jinaKey: 'jina',
  perplexityKey: 'perplexity',
  marginaliaKey: 'marginalia',
  firecrawlKey: 'firecrawl',
  keenableKey: 'keenable',
  parallelKey: 'parallel',
  anysearchKey: 'anysearch',
  openalexKey: 'openalex',
};
/** An address that has a marked secret wherever one may stand. */
function webhook(name: string, echo: string): string {
  const url = new URL(`/hook/${credential(`${name}: path`)}`, echo);
  url.username = 'magpie';
  url.password = credential(`${name}: password`);
  url.searchParams.set('token', credential(`${name}: query`));
  return url.href;
}
/** Secrets that take a form of their own. */
const FORMS: Readonly<Record<string, (echo: string) => string>> = {
  gitTokens: () => `git.example=user:${credential('MAGPIE_GIT_TOKENS')}`,
  alertWebhook: (echo) => webhook('webhook', echo),
  monitorWebhook: (echo) => webhook('webhook of monitors', echo),
  monitorSlack: (echo) => webhook('Slack of monitors', echo),
  monitorChannels: (echo) => webhook('channels of monitors', echo),
  monitorSmtp: () => `smtp://user:${credential('MAGPIE_MONITOR_SMTP')}@127.0.0.1:9`,
  monitorSecret: () =>
    `whsec_${credential('MAGPIE_MONITOR_SECRET')
      .replace(/[^A-Za-z0-9]/g, '')
      .padEnd(44, 'A')}`,
};
/** A database elsewhere is another set-up: its own tests mark its address. */
const ELSEWHERE = ['databaseUrl'];

/** Every setting that holds a secret, with a marked one. */
function secretSettings(echo: string): Record<string, string> {
  const entries = Object.entries(SETTINGS).flatMap(([name, setting]: [string, Setting]) => {
    if (!setting.secret || ELSEWHERE.includes(name)) return [];
    return [[setting.env, FORMS[name]?.(echo) ?? credential(setting.env)]];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

const folder = temporaryFolder();
const said: string[] = [];
let web: TestWeb;
let echo: Awaited<ReturnType<typeof startEcho>>;
let env: Record<string, string>;
let server: ChildProcess;
let url = '';
/** What the server wrote to both of its streams. */
let written = '';
/** `watcher` and `reader` each lack the scope that the other has. */
const keys = { good: '', reader: '', watcher: '' };

beforeAll(async () => {
  [web, echo] = [await startWeb(), await startEcho()];
  const withUser = (setting: string) => {
    const address = new URL(echo.url);
    address.username = 'user';
    address.password = credential(`password in ${setting}`);
    return address.href;
  };
  env = {
    ...environment(folder.path, web),
    ...secretSettings(echo.url),
    MAGPIE_ENGINES: ['searxng', 'yacy', 'local', ...Object.values(KEYED)].join(','),
    MAGPIE_ENGINE_URLS: Object.values(KEYED)
      .map((name) => `${name}=${echo.url}/${name}`)
      .join(','),
    MAGPIE_YACY_URL: withUser('MAGPIE_YACY_URL'),
    MAGPIE_EMBEDDER: 'openai:marked',
    OPENAI_BASE_URL: `${echo.url}/v1`,
    MAGPIE_ALLOW_HOSTS: `${web.host},${new URL(echo.url).host}`,
    MAGPIE_AUTOMATION_URL: ['make', 'n8n', 'apify'].map((name) => `${name}=${echo.url}`).join(','),
    MAGPIE_LOG_LEVEL: 'debug',
    MAGPIE_SEARCH_TIMEOUT: '1000',
  };
  const services = createServices(loadConfig({}, env), createLog('silent'));
  const room = (await services.identity.access()).keys;
  for (const [name, scopes] of [
    ['good', ['read', 'write', 'scan', 'monitor']],
    ['watcher', ['monitor']],
    ['reader', ['read']],
  ] as const) {
    const { key } = await room.createKey({ user: 'ada', scopes });
    keys[name] = key;
    CREDENTIALS.set(key.slice('magpie_'.length + 4), `the key ${name}`);
  }
  await services.lifecycle.close();
  server = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [server.stdout, server.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      written += chunk;
      url ||= /listening on (http:\/\/\S+)/.exec(written)?.[1] ?? '';
    });
  }
  await vi.waitFor(() => expect(url, written).not.toBe(''), 20_000);
  await raiseAlert(url);
});
afterAll(async () => {
  server.kill('SIGKILL');
  echo.server.closeAllConnections();
  await Promise.all([web.close(), new Promise((done) => echo.server.close(done))]);
  folder.remove();
});

/** So many refusals are an alert, for which the webhook is tried. */
async function raiseAlert(address: string): Promise<void> {
  for (let i = 0; i < 20; i++) await fetch(`${address}/list`, { headers: { authorization: 'Bearer none' } });
}

/** Headers that carry a secret, by whatever name a client may give it. */
function markedHeaders(key: string): Record<string, string> {
  const names = [
    'x-api-key',
    'api-key',
    'x-auth-token',
    'proxy-authorization',
    'x-magpie',
    'user-agent',
    'via',
  ];
  const secret = credential('header referer');
  return {
    ...Object.fromEntries(names.map((name) => [name, credential(`header ${name}`)])),
    cookie: `session=${credential('cookie')}; magpie_app=${credential('cookie of the page')}`,
    referer: `https://elsewhere.example/?code=${secret}`,
    'x-request-id': `magpie_${credential('header x-request-id')}`,
    authorization: `Bearer ${key}`,
  };
}

type Way = 'success' | 'refusal' | 'failure' | 'upstream failure';
const WAYS: readonly Way[] = ['success', 'refusal', 'failure', 'upstream failure'];

/**
 * The input of a call that ends that way: each text a marked one, where the operation takes any. Texts that are
 * secret, by the operation's own declaration, are marked as credentials.
 */
function markedInput(operation: Operation, way: Way): Record<string, unknown> {
  const { properties = {} } = inputSchema(operation);
  const input: Record<string, unknown> = { ...operation.example };
  for (const [name, { type, format, enum: choice, examples }] of Object.entries(properties)) {
    const secret = operation.secret?.includes(name);
    const value = () => (secret ? credential : content)(`${name} of ${operation.name}, ${way}`);
    if (type === 'string' && !choice && (!examples || secret)) {
      const whole = way === 'success' || way === 'upstream failure';
      if (whole && !secret && !(name in input) && name !== 'title') continue;
      if (format === 'uri') {
        const page = way === 'success' ? `${web.url}/page/magpie-nest` : `${echo.url}/${value()}`;
        input[name] = `${page}?note=${value()}`;
      } else if (name === 'q')
        input[name] = `${way === 'upstream failure' ? 'nothing' : 'magpie'} ${value()}`;
      else if (name === 'fileName' && way === 'success') input[name] = 'example.pdf';
      else input[name] = value();
    } else if (way === 'failure') {
      // A value of the wrong kind: the message that says so may show it, unless it is secret.
      input[name] = value();
    }
  }
  return input;
}

async function overRest(operation: Operation, way: Way): Promise<string> {
  const { method, path } = splitRoute(operation.routes[0] ?? 'GET /');
  const input = markedInput(operation, way);
  const address = new URL(
    path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(input[name]))),
    url,
  );
  const lacking = operation.scope === 'monitor' ? keys.reader : keys.watcher;
  const key = way === 'refusal' ? lacking : keys.good;
  const headers = markedHeaders(key);
  // In operations that have a parameter `key` it is a name, which answers show.
  for (const name of ['access_token', 'api_key', 'key', 'token'].filter(
    (name) => !(name in operation.input.shape),
  )) {
    address.searchParams.set(name, credential(`${name} in the query`));
  }
  if (method === 'GET') {
    for (const [name, value] of Object.entries(input)) address.searchParams.set(name, textOf(value));
  } else headers['content-type'] = 'application/json';
  const response = await fetch(address, {
    method,
    headers,
    ...(method === 'POST' && { body: JSON.stringify(input) }),
  });
  return `${JSON.stringify([...response.headers])} ${response.status} ${await response.text()}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function client(key: string, era: '2025' | '2026') {
  const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
  const made = new Client({ name: 'marked', version: '1' }, era === '2026' ? pin : {});
  const requestInit = { headers: markedHeaders(key) };
  return { made, transport: new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }) };
}

describe('a running server', () => {
  test('every operation runs over REST: success, refusal, failure and upstream failure', async () => {
    const { put } = await followLink(await linkOfKey());
    expect((await put('example.pdf', makePdf(['What magpies build.']))).status).toBe(201);
    for (const way of WAYS) {
      const answers = await Promise.all(operations.map((operation) => overRest(operation, way)));
      said.push(...answers);
      const statuses = answers.map((answer) => Number(/\] (\d{3}) /.exec(answer)?.[1]));
      if (way === 'success') expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(15);
      if (way === 'refusal') expect(new Set(statuses)).toEqual(new Set([403]));
      if (way === 'failure') expect(statuses.filter((status) => status === 400).length).toBeGreaterThan(5);
      if (way === 'upstream failure') expect(statuses.some((status) => status >= 500)).toBe(true);
    }
    expect(echo.asked.length).toBeGreaterThan(10);
  });

  test.each(['2025', '2026'] as const)('every other operation runs over MCP, %s', async (era) => {
    const { made, transport } = client(keys.good, era);
    await made.connect(transport);
    const reading = client(keys.watcher, era);
    await reading.made.connect(reading.transport);
    for (const [nth, way] of WAYS.entries()) {
      const { made: from } = way === 'refusal' ? reading : { made };
      // In the other era those that are left out here.
      const half = operations.filter((_, at) => (at + nth + Number(era)) % 2 === 0);
      const results = await Promise.all(
        half.map((operation) =>
          from
            .callTool({ name: operation.name, arguments: markedInput(operation, way) })
            .catch((error: unknown) => String(error)),
        ),
      );
      said.push(...results.map((result) => JSON.stringify(result)));
    }
    for (const uri of ['kb://entries', 'kb://stats', `kb://entries/${content('a resource')}`]) {
      said.push(JSON.stringify(await made.readResource({ uri }).catch((error: unknown) => String(error))));
    }
    await Promise.all([made.close(), reading.made.close()]);
  });

  test('invalid calls of every kind are refused: credentials, bodies, addresses, hosts and origins', async () => {
    const marked = () => content('a body that is no JSON');
    const jwt = `eyJhbGciOiJSUzI1NiJ9.${Buffer.from(`{"sub":"${credential('a claim')}"}`).toString('base64url')}.${credential('a token')}`;
    const wrong = [`magpie_${credential('a key that is none')}`, credential('a bearer'), jwt];
    const asks: [string, RequestInit][] = [
      ...wrong.map((key): [string, RequestInit] => ['/list', { headers: markedHeaders(key) }]),
      ...wrong.map((key): [string, RequestInit] => ['/mcp', { method: 'POST', headers: markedHeaders(key) }]),
      ['/list', { headers: { authorization: `Basic ${credential('basic')}` } }],
      ['/upsertjson', post('application/json', `{"q": "${marked()}" ${credential('a broken body')}`)],
      ['/upsertjson', post(`text/plain; x=${credential('a content type')}`, '{}')],
      ['/mcp', post('application/json', `{"jsonrpc": ${credential('a broken message')}`)],
      ['/mcp', post('application/json', JSON.stringify({ method: credential('a method'), id: 1 }))],
      [
        '/list',
        { headers: { ...markedHeaders(keys.good), origin: `https://a:${credential('origin')}@b.example` } },
      ],
      [`/app?pass=${credential('a pass')}`, {}],
      [`/app/files/a.pdf?pass=${credential('a pass of a file')}`, {}],
    ];
    for (const [path, init] of asks) {
      const response = await fetch(new URL(path, url), init);
      expect([path, response.status >= 400]).toEqual([path, true]);
      said.push(`${JSON.stringify([...response.headers])} ${await response.text()}`);
    }
  });
});

/** Platforms take the key of a user in a header each of its own; here all of them show what they were sent. */
describe('credentials of an automation', () => {
  test.each(['make', 'n8n', 'apify'])('%s, by query, by header and over MCP', async (platform) => {
    const q = `Watch ${web.url}/page/magpie-nest`;
    const given = (how: string) => ({
      autoplatformapikey: credential(`key for ${platform} ${how}`),
      // Make's are numbers, which may well stand anywhere.
      autoplatformteamid: platform === 'make' ? '4321' : credential(`team of ${platform} ${how}`),
      magpiekey: credential(`Magpie key for ${platform} ${how}`),
    });
    const asked = echo.asked.length;
    const call = (query: object, headers: object) =>
      fetch(new URL(`/automationrpa?${new URLSearchParams({ q, platform, ...query })}`, url), {
        headers: { ...markedHeaders(keys.good), ...headers },
      });
    const headers = Object.entries(given('by header')).map(([name, value]) => [`x-${name}`, value]);
    // Twice as often as the service has answers, so that each is among them.
    for (let i = 0; i < 4; i++) {
      for (const response of [
        await call(given('by query'), {}),
        await call({}, Object.fromEntries(headers)),
      ]) {
        expect(response.status).toBeGreaterThanOrEqual(400);
        said.push(`${JSON.stringify([...response.headers])} ${await response.text()}`);
      }
    }
    const { made, transport } = client(keys.good, '2026');
    await made.connect(transport);
    const result = await made.callTool({
      name: 'automationrpa',
      arguments: { q, platform, ...given('over MCP') },
    });
    said.push(JSON.stringify(result));
    await made.close();
    expect(echo.asked.slice(asked).some((text) => text.includes('zq'))).toBe(true);
  });
});

async function linkOfKey(): Promise<string> {
  const response = await fetch(`${url}/pdfload`, { headers: { authorization: `Bearer ${keys.good}` } });
  return /http[^"\s]+/.exec(await response.text())?.[0] ?? linkOf(url);
}

function post(type: string, body: string): RequestInit {
  return { method: 'POST', body, headers: { ...markedHeaders(keys.good), 'content-type': type } };
}

/** A terminal that keeps what it is shown. */
function quietTerminal(): { terminal: Terminal; shown(): string } {
  const out = new PassThrough();
  const chunks: string[] = [];
  out.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const terminal = { stdin: new PassThrough(), stdout: out, stderr: out, dumb: true } as unknown as Terminal;
  return { terminal, shown: () => chunks.join('') };
}

function callOnTerminal(
  pipe: OperationPipeline,
  operation: Operation,
  input: Record<string, unknown>,
  terminal: Terminal,
) {
  const values = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, textOf(value)]));
  const given = {
    values: { ...values, ...(operation.question && { yes: true }) },
    positionals: [],
    json: false,
    signal: new AbortController().signal,
  };
  return runOperation(pipe, localCaller('ada', 'cli'), operation, given, terminal);
}

function pipeOf(
  services: Services,
  log: OperationPipeline['log'],
  metrics: OperationPipeline['metrics'],
  catalog: readonly Operation[],
): OperationPipeline {
  return {
    catalog: { operations: catalog, prompts: [] },
    services,
    log,
    metrics,
    callTimeout: 8000,
    responseBytes: 4_000_000,
    running: new Set(),
  };
}

describe('the terminal', () => {
  test('every operation runs as a command, with every secret configured', async () => {
    const own = temporaryFolder();
    const config = loadConfig({}, { ...env, MAGPIE_DATA: own.path, HOME: own.path });
    const logged: string[] = [];
    const log = createLog('debug', (line) => logged.push(line), secretsOf(config));
    const services = createServices(config, log);
    const metrics = createMetrics('1');
    const { terminal, shown } = quietTerminal();
    try {
      const pipe = pipeOf(services, log, metrics, operations);
      for (const way of ['success', 'failure', 'upstream failure'] as const) {
        const codes = await Promise.all(
          operations.map((operation) =>
            callOnTerminal(pipe, operation, markedInput(operation, way), terminal),
          ),
        );
        expect(codes).toContain(way === 'success' ? 0 : way === 'failure' ? 2 : 1);
      }
      const { text } = await metrics.render();
      expect(found(shown(), CREDENTIALS)).toEqual([]);
      expect(logged.length).toBeGreaterThan(10);
      expect(found(logged.join(''), new Map([...CREDENTIALS, ...CONTENT]))).toEqual([]);
      expect(found(text, new Map([...CREDENTIALS, ...CONTENT]))).toEqual([]);
    } finally {
      await services.lifecycle.close();
      own.remove();
    }
  });

  test('invalid settings are named without their secrets', async () => {
    const word = credential('an address that is none');
    const wrong = { ...env, MAGPIE_YACY_URL: `htp://user:${word}@peer.example` };
    const { code, stderr, stdout } = await runMagpie(['list'], wrong);
    expect(code).toBe(2);
    expect(stderr).toContain('MAGPIE_YACY_URL');
    expect(found(stderr + stdout, CREDENTIALS)).toEqual([]);
    const long = { ...env, BRAVE_API_KEY: `${word} `.repeat(60) };
    const refused = await runMagpie(['list'], long);
    expect(refused.stderr).toContain('BRAVE_API_KEY');
    expect(found(refused.stderr + refused.stdout, CREDENTIALS)).toEqual([]);
  });
});

describe('a parameter that is declared secret', () => {
  const input = z.object({ q: z.string(), apikey: z.string().min(20).max(100) });
  const secretive = (name: string, run: (apikey: string) => Promise<{ q: string }>) =>
    defineOperation({
      name,
      title: 'T',
      description: 'D.',
      toolset: 'automation',
      routes: [`POST /v1/${name}`],
      effect: 'write',
      openWorld: true,
      scope: 'write',
      input,
      secret: ['apikey'],
      output: z.object({ q: z.string() }),
      example: { q: 'a', apikey: 'x'.repeat(20) },
      run: ({ apikey }) => run(apikey),
    });
  const quoted = (apikey: string) =>
    `https://api.example/hooks?k=${encodeURIComponent(apikey)} refuses ${apikey}`;
  const catalog = [
    secretive('works', async () => ({ q: 'done' })),
    secretive('refuses', async (apikey) => {
      throw new AppError('forbidden', `the platform says: ${quoted(apikey)}`, {
        cause: new Error(quoted(apikey)),
      });
    }),
    secretive('breaks', async (apikey) => {
      throw new AppError('upstream', quoted(apikey), { cause: new Error(quoted(apikey)), retryAfter: 7 });
    }),
    secretive('fails', async (apikey) => {
      throw new Error(quoted(apikey), { cause: new Error(quoted(apikey)) });
    }),
  ];

  test('appears in no answer, log or metric, over REST, MCP and the terminal', async () => {
    const metrics = createMetrics('1');
    const stack = await startStack({ catalog: { operations: catalog, prompts: [] }, metrics });
    const { terminal, shown } = quietTerminal();
    const marks = new Map<string, string>();
    const answers: string[] = [];
    // One is too short, and one has signs that look otherwise in an address.
    const secret = (where: string) => [
      mark(marks, where),
      `${mark(marks, where)}/+ "`,
      mark(marks, where).slice(0, 19),
    ];
    try {
      for (const { name } of catalog) {
        for (const apikey of secret(`REST ${name}`)) {
          const response = await fetch(`${stack.url}/v1/${name}`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ q: 'a', apikey }),
          });
          answers.push(`${response.headers.get('retry-after')} ${await response.text()}`);
        }
      }
      for (const era of ['2025', '2026'] as const) {
        const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
        const made = new Client({ name: 'marked', version: '1' }, era === '2026' ? pin : {});
        await made.connect(new StreamableHTTPClientTransport(new URL('/mcp', stack.url)));
        for (const { name } of catalog) {
          for (const apikey of secret(`MCP ${era} ${name}`)) {
            answers.push(JSON.stringify(await made.callTool({ name, arguments: { q: 'a', apikey } })));
          }
        }
        await made.close();
      }
      for (const operation of catalog) {
        for (const apikey of secret(`CLI ${operation.name}`)) {
          await callOnTerminal(stack.pipe, operation, { q: 'a', apikey }, terminal);
        }
      }
      const { text } = await metrics.render();
      const everything = [...answers, shown(), ...stack.logged, text].join('\n');
      const parts = new Map([...marks].map(([value, where]) => [value.slice(0, 19), where]));
      expect(found(everything, parts)).toEqual([]);
      expect(answers.join('\n')).toContain('https://api.example/hooks?k=[redacted] refuses [redacted]');
      expect(answers.join('\n')).toContain('apikey is not usable: apikey takes text');
      expect(answers.some((answer) => answer.startsWith('7 '))).toBe(true);
      expect(stack.logged.some((line) => line.includes('"code":"internal"'))).toBe(true);
    } finally {
      await stack.close();
    }
  });
});

describe('the remaining places', () => {
  test('alerts reach a webhook that takes a password, and one that fails is logged without its address', async () => {
    const own = temporaryFolder();
    const asked = echo.asked.length;
    const ownEnv = { ...env, MAGPIE_DATA: own.path, HOME: own.path };
    // Without a key anyone may call.
    expect((await runMagpie(['key', 'create', '--scope', 'read'], ownEnv)).code).toBe(0);
    // Its three attempts take twelve seconds where they are not told to come at once.
    const other = await startMagpie(ownEnv, [], { alertAttemptsMs: [0, 20, 20] });
    try {
      await raiseAlert(other.url);
      const basic = () =>
        echo.asked
          .slice(asked)
          .filter((text) => text.includes('/hook/') && /"authorization":"Basic /.test(text));
      await vi.waitFor(() => expect(basic().length).toBeGreaterThan(2), 30_000);
      await vi.waitFor(
        () => expect(other.stderr()).toContain('an alert did not reach MAGPIE_ALERT_WEBHOOK'),
        30_000,
      );
      expect(found(other.stderr(), new Map([...CREDENTIALS, ...CONTENT]))).toEqual([]);
    } finally {
      await other.stop();
      own.remove();
    }
  });

  test('no secret is in logs, answers, metrics, the usage record or the data folder', async () => {
    const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${keys.good}` } });
    const figures = await metrics.text();
    expect(figures).toContain('magpie_calls_total');
    const kept = content('a text that is kept');
    const insert = new URL(`/insert?q=${kept}`, url);
    expect((await fetch(insert, { headers: { authorization: `Bearer ${keys.good}` } })).status).toBe(200);
    server.kill('SIGTERM');
    await exitOf(server);

    expect(CREDENTIALS.size).toBeGreaterThan(500);
    expect(CONTENT.size).toBeGreaterThan(100);
    const all = new Map([...CREDENTIALS, ...CONTENT]);
    // The log speaks of these failures, and leaves out what was asked.
    expect(written).toMatch(/"operation":"browse".*\[…\]/);
    expect(written).toMatch(/"operation":"search".*"code":"bad_request".*\[…\]/);
    expect(found(written, all)).toEqual([]);
    expect(found(figures, all)).toEqual([]);
    expect(found(said.join('\n'), CREDENTIALS)).toEqual([]);

    const db = await openDatabase({ folder: folder.path });
    const tables = ['access_usage', 'access_days', 'access_counts', 'access_networks', 'access_keys'];
    const usage = await db.read((sql) =>
      tables.map((table) => JSON.stringify(sql.all(`SELECT * FROM ${table}`))),
    );
    db.close();
    expect(usage[0]).toContain('"outcome":"forbidden"');
    expect(found(usage.join('\n'), all)).toEqual([]);

    const files = readdirSync(folder.path, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['magpie.sqlite', 'secret']));
    const bytes = files
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1'))
      .join('\n');
    expect(found(bytes, CREDENTIALS)).toEqual([]);
    // The search is able to find what is there: a text that was kept on purpose.
    expect(found(bytes, CONTENT)).toContain('a text that is kept');
  }, 600_000);
});
