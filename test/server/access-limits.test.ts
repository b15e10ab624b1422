import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { AccessScope } from '../../src/caller.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { createServices } from '../../src/wiring/services.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, type Running, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { beginSession, send } from '../helpers/mcp-streams.ts';
import { makePdf } from '../helpers/pdf.ts';
import { followLink } from '../helpers/uploads.ts';

/** Limits, the record of use and alerts of a real server, over REST and MCP. */

const folder = temporaryFolder();
const alerts: Record<string, unknown>[] = [];
let hook: Server;
let embeddings: EmbeddingsApi;
let env: Record<string, string>;
let magpie: Running;
const keys: Record<string, { readonly id: string; readonly key: string }> = {};

beforeAll(async () => {
  hook = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    alerts.push(JSON.parse(body));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  embeddings = await startEmbeddingsApi();
  env = {
    ...environment(folder.path),
    ...embeddings.settings,
    MAGPIE_RATE_REQUESTS: '30',
    MAGPIE_DAY_INSERTS: '2',
    MAGPIE_STORED_BYTES: '10000',
    MAGPIE_PROXIES: '127.0.0.1/32',
    MAGPIE_ALERT_WEBHOOK: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`,
  };
  const services = createServices(loadConfig({}, env), createLog('silent'));
  const room = (await services.identity.access()).keys;
  for (const user of ['ada', 'bob', 'cyd', 'dan', 'eve', 'flo', 'gil', 'hal', 'ivy', 'joy']) {
    const scopes: AccessScope[] = user === 'dan' ? ['read'] : ['read', user === 'hal' ? 'monitor' : 'write'];
    const { record, key } = await room.createKey({ user, scopes });
    keys[user] = { id: record.id, key };
  }
  await services.lifecycle.close();
  magpie = await startMagpie(env);
});
afterAll(async () => {
  await magpie.stop();
  hook.close();
  await embeddings.close();
  folder.remove();
});

function ask(path: string, user: string, from: string): Promise<Response> {
  const headers = { authorization: `Bearer ${keys[user]?.key}`, 'x-forwarded-for': from };
  return fetch(magpie.url + path, { headers });
}

test('a request over the limit is answered 429 with the time to wait, and other keys are not affected', async () => {
  const first = await ask('/list', 'ada', '192.0.2.1');
  expect(first.headers.get('ratelimit-policy')).toBe('"key";q=30;w=60');
  expect(first.headers.get('ratelimit')).toBe('"key";r=29;t=2');
  let last = first;
  for (let i = 0; i < 300 && last.status === 200; i++) last = await ask('/list', 'ada', '192.0.2.1');
  expect(last.status).toBe(429);
  const seconds = Number(last.headers.get('retry-after'));
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(2);
  expect(last.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
  expect(await last.json()).toEqual({
    error: `this key has used up its 30 requests a minute (a heavy one counts as several): try again in ${seconds} s`,
  });
  expect((await ask('/list', 'bob', '192.0.2.1')).status).toBe(200);
});

test.each(['2025', '2026'] as const)(
  'over MCP, %s, a request over the limit is an error with the time to wait, and the client shows it',
  async (era) => {
    const user = era === '2025' ? 'eve' : 'flo';
    const headers = {
      authorization: `Bearer ${keys[user]?.key}`,
      'x-forwarded-for': `192.0.2.${era.slice(2)}`,
    };
    const pin = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;
    const client = new Client({ name: 'test', version: '1' }, era === '2026' ? pin : {});
    const seen: Response[] = [];
    await client.connect(
      new StreamableHTTPClientTransport(new URL('/mcp', magpie.url), {
        requestInit: { headers },
        fetch: async (url, init) => {
          const response = await fetch(url, init);
          if (response.status === 429) seen.push(response.clone());
          return response;
        },
      }),
    );
    let shown = '';
    for (let i = 0; i < 300 && shown === ''; i++) {
      await client.callTool({ name: 'list', arguments: {} }).catch((error: unknown) => {
        shown = String(error);
      });
    }
    const [refused] = seen;
    const seconds = Number(refused?.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(refused?.headers.get('ratelimit-policy')).toBe('"key";q=30;w=60');
    expect(refused?.headers.get('ratelimit')).toMatch(/^"key";r=0;t=\d+$/);
    const words = `this key has used up its 30 requests a minute (a heavy one counts as several): try again in ${seconds} s`;
    expect(await refused?.json()).toEqual({
      jsonrpc: '2.0',
      error: { code: -32000, message: words, data: { code: 'rate_limited', retryAfter: seconds } },
      id: null,
    });
    expect(shown).toContain(words);
    await client.close();
  },
);

test('each message of a batch counts as a request', async () => {
  const headers = { authorization: `Bearer ${keys.ivy?.key}`, 'x-forwarded-for': '192.0.2.77' };
  const session = await beginSession(magpie.url, headers, '2025-03-26');
  const batch = (count: number) =>
    send(
      magpie.url,
      Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })),
      session,
    );
  const taken = await batch(20);
  expect(taken.status).toBe(200);
  expect((await taken.text()).match(/"result"/g)).toHaveLength(20);
  // Some come back meanwhile, two a second.
  let last = await batch(20);
  for (let i = 0; i < 20 && last.status === 200; i++) last = await batch(20);
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await last.json()).toMatchObject({ error: { data: { code: 'rate_limited' } }, id: null });
});

test('the upload page follows the limits of its user: requests, daily inserts, and its own usage record', async () => {
  const answer = (await (await ask('/pdfload', 'gil', '192.0.2.9')).json()) as { status: { status: string } };
  const link = /http\S+/.exec(answer.status.status)?.[0] ?? '';
  const { cookie, put } = await followLink(link);
  const statuses = [];
  for (const name of ['a.pdf', 'b.pdf', 'c.pdf']) statuses.push(await put(name, makePdf([`Of ${name}.`])));
  expect(statuses.map(({ status }) => status)).toEqual([201, 201, 429]);
  expect(Number(statuses[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await statuses[2]?.json()).toEqual({
    error: expect.stringMatching(/2 calls of today stored something/),
  });

  // The page's script asks over and over how far a file is read: that counts neither as requests nor as use.
  const follow = () => fetch(new URL('/app/file/reading', link), { headers: { cookie } });
  for (let i = 0; i < 40; i++) expect((await follow()).status).toBe(200);
  const look = () => fetch(new URL('/app', link), { headers: { cookie } });
  let last = await look();
  expect(last.headers.get('ratelimit-policy')).toBe('"page";q=30;w=60');
  for (let i = 0; i < 300 && last.status === 200; i++) last = await look();
  expect(last.status).toBe(429);
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await last.text()).toContain('This page has used up its 30 requests a minute');
  // What a key of the same user may do is its own.
  expect((await ask('/list', 'gil', '192.0.2.9')).status).toBe(200);
  await vi.waitFor(async () => {
    const { stdout } = await runMagpie(['key', 'usage', 'page:gil', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({ user: 'gil', operations: { 'app upload': 3 } });
  }, 60_000);
  const shown = await runMagpie(['key', 'usage', 'page:gil'], env);
  expect(shown.stdout).toMatch(/^Upload page of gil\.\n\d+ calls, \d+ refused/);
  const nobody = await runMagpie(['key', 'usage', 'ada@https://issuer.example'], env);
  expect(nobody.stderr).toContain('no use of "ada@https://issuer.example" is on record');
});

test('a refused body counts for its sender as one that is taken', async () => {
  const list = Array.from({ length: 50_000 }, (_, at) => at);
  const response = await fetch(`${magpie.url}/upsertjson`, {
    method: 'POST',
    body: JSON.stringify({ q: 'a', list }),
    headers: {
      authorization: `Bearer ${keys.joy?.key}`,
      'x-forwarded-for': '192.0.2.5',
      'content-type': 'application/json',
    },
  });
  expect(response.status).toBe(413);
  const left = Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
  // The request itself, and 10 or more for its members.
  expect(left).toBeLessThanOrEqual(19);
});

test('an address that guesses keys is blocked, but not its valid keys, and an alert is raised', async () => {
  const wrong = (from: string) => {
    const headers = { authorization: 'Bearer magpie_guess', 'x-forwarded-for': from };
    return fetch(`${magpie.url}/list`, { headers });
  };
  const statuses: number[] = [];
  while (statuses.at(-1) !== 429 && statuses.length < 1000) {
    statuses.push((await wrong('203.0.113.5')).status);
  }
  expect(statuses.slice(0, 120).every((status) => status === 401)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const good = await Promise.all(Array.from({ length: 20 }, () => ask('/list', 'bob', '203.0.113.5')));
  expect(new Set(good.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await wrong('203.0.113.6')).status).toBe(401);
  await vi.waitFor(
    () =>
      expect(alerts).toContainEqual(expect.objectContaining({ kind: 'refusals', address: '203.0.113.5' })),
    60_000,
  );
});

test('daily inserts over MCP and REST, and stored bytes, are limited', async () => {
  const call = async (q: string) => {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'insert',
        arguments: { q },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    };
    const response = await fetch(`${magpie.url}/mcp`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        authorization: `Bearer ${keys.bob?.key}`,
        'x-forwarded-for': '192.0.2.2',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'insert',
      },
    });
    return { status: response.status, text: await response.text() };
  };
  expect((await call('the first')).text).not.toContain('"isError":true');
  expect((await ask('/insert?q=the%20second', 'bob', '192.0.2.2')).status).toBe(200);
  const refused = await call('the third');
  expect(refused.text).toContain('"isError":true');
  expect(refused.text).toMatch(/2 calls of today stored something.*: try again in \d+/);
  const rest = await ask('/insert?q=the%20third', 'bob', '192.0.2.2');
  expect(rest.status).toBe(429);
  expect(Number(rest.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await ask('/list', 'bob', '192.0.2.2')).status).toBe(200);

  const long = encodeURIComponent('word '.repeat(2200));
  expect((await ask(`/insert?q=${long}`, 'cyd', '192.0.2.3')).status).toBe(200);
  const full = await ask('/insert?q=more', 'cyd', '192.0.2.3');
  expect(full.status).toBe(413);
  expect(await full.json()).toEqual({
    error: expect.stringMatching(/bytes are stored, and the limit is 10000/),
  });
});

test('resources that a client reads are in the usage record', async () => {
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${keys.hal?.key}`, 'x-forwarded-for': '192.0.2.10' };
  const url = new URL('/mcp', magpie.url);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  await client.listResources();
  await client.readResource({ uri: 'kb://entries' });
  await expect(client.readResource({ uri: 'kb://nothing' })).rejects.toThrow();
  await client.close();
  await vi.waitFor(async () => {
    const { stdout } = await runMagpie(['key', 'usage', keys.hal?.id ?? '', '--json'], env);
    expect(JSON.parse(stdout)).toMatchObject({
      days: [{ calls: 3, failed: 1 }],
      operations: { 'resources/list': 1, 'resources/read': 2 },
    });
  }, 60_000);
});

test('the usage record has the caller and the operation but not the question, and a new network raises an alert', async () => {
  expect((await ask('/query?q=unspeakable', 'dan', '192.0.2.4')).status).toBe(200);
  expect((await ask('/insert?q=unspeakable', 'dan', '192.0.2.4')).status).toBe(403);
  expect((await ask('/query?q=unspeakable', 'dan', '198.51.100.9')).status).toBe(200);
  await vi.waitFor(
    () =>
      expect(alerts).toContainEqual(
        expect.objectContaining({
          kind: 'new-network',
          key: keys.dan?.id,
          user: 'dan',
          address: '198.51.100.9',
        }),
      ),
    60_000,
  );
  // They count the calls of all users, which is not everybody's to see.
  const refused = await ask('/metrics', 'dan', '192.0.2.4');
  expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining('the scope monitor')]);
  const metrics = await (await ask('/metrics', 'hal', '192.0.2.10')).text();
  // bob's key was used at the address that guesses keys.
  expect(metrics).toMatch(/magpie_access_alerts_total\{kind="new-network"\} 2\n/);
  await magpie.stop();

  const id = keys.dan?.id ?? '';
  const shown = await runMagpie(['key', 'usage', id], env);
  expect(shown.stdout).toMatch(
    /^Key k\w+ of dan, active\.\n3 calls, 1 refused since \d{4}-\d\d-\d\d\.\n\n\d{4}-\d\d-\d\d {2}#{40} {2}3 calls, 1 refused\n\nCalled most: query 2, insert 1\.\n$/,
  );
  const { stdout } = await runMagpie(['key', 'usage', id, '--json'], env);
  const usage = JSON.parse(stdout);
  expect(usage).toMatchObject({
    user: 'dan',
    days: [{ calls: 3, refused: 1, failed: 0 }],
    operations: { query: 2, insert: 1 },
    calls: [
      { operation: 'query', outcome: 'ok', address: '198.51.100.9' },
      { operation: 'insert', outcome: 'forbidden', address: '192.0.2.4' },
      { operation: 'query', outcome: 'ok', address: '192.0.2.4' },
    ],
  });
  expect(Date.now() - Date.parse(usage.usedAt)).toBeLessThan(160_000);
  expect(stdout + magpie.stderr()).not.toContain('unspeakable');
});
