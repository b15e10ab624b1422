import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type FetchOptions, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import type { FetchCache } from '../../../src/lib/network/fetch-cache.ts';
import { openFetchCache } from '../../../src/storage/fetch-cache.ts';

const folder = mkdtempSync(join(tmpdir(), 'magpie-fetch-cache-'));
let host: string;
let cache: FetchCache;
let get: GuardedFetch;
let seen: IncomingMessage[] = [];
/** Answers that a test holds back. */
let held: ServerResponse[] = [];
let gone = 0;
let address = '127.0.0.1';
let looked = 0;
let failing: 'no' | '500' | 'reset' = 'no';
let mark = '"1"';

const lookup: LookupFunction = (_name, options, callback) => {
  looked += 1;
  if (!address) return callback(Object.assign(new Error('none'), { code: 'EAI_AGAIN' }), '', 0);
  if (options.all) callback(null, [{ address, family: 4 }]);
  else callback(null, address, 4);
};

const ROUTES: Record<string, (r: ServerResponse, q: IncomingMessage) => void> = {
  '/fresh': (r) => r.setHeader('cache-control', 'max-age=600').end('fresh'),
  '/silent': (r) => r.end('silent'),
  '/gzip': (r) =>
    r.setHeader('cache-control', 'max-age=600').setHeader('content-encoding', 'gzip').end(gzipSync('packed')),
  '/private': (r) => r.setHeader('cache-control', 'private, max-age=600').end('mine'),
  '/no-store': (r) => r.setHeader('cache-control', 'no-store').end('secret'),
  '/cookie': (r) => r.setHeader('cache-control', 'max-age=600').setHeader('set-cookie', 'a=1').end('cookie'),
  '/vary': (r, q) =>
    r
      .setHeader('cache-control', 'max-age=600')
      .setHeader('vary', 'accept-language')
      .end(`in ${q.headers['accept-language']}`),
  '/marked': (r, q) => {
    r.setHeader('etag', mark).setHeader('cache-control', 'no-cache');
    if (q.headers['if-none-match'] === mark) r.writeHead(304).end();
    else r.setHeader('content-type', 'text/x').end(`body ${mark}`);
  },
  '/bridge': (r) => {
    if (failing === 'reset') return void r.destroy();
    if (failing === '500') return void r.writeHead(500).end('down');
    r.setHeader('cache-control', 'max-age=0, stale-if-error=600').setHeader('etag', '"1"').end('bridged');
  },
  '/moved': (r) => r.writeHead(301, { location: '/fresh', 'cache-control': 'max-age=600' }).end(),
  '/moved-inside': (r) =>
    r.writeHead(301, { location: `http://127.0.0.1:1/`, 'cache-control': 'max-age=600' }).end(),
  '/long': (r) => r.setHeader('cache-control', 'max-age=600').end('x'.repeat(5000)),
  '/cut': (r) => {
    r.writeHead(200, { 'cache-control': 'max-age=600', 'content-length': '100' }).write('half');
    setTimeout(() => r.destroy(), 20);
  },
  '/held': (r) => {
    r.on('close', () => {
      gone += r.writableEnded ? 0 : 1;
    });
    held.push(r);
  },
  '/soon': (r) => {
    if (seen.filter(({ url }) => url === '/soon').length > 1) return void r.end('here it is');
    r.writeHead(503, { 'retry-after': '1' }).end('in a second');
  },
  '/rest': (r) => r.writeHead(429, { 'retry-after': '120' }).end('slower'),
};

const server = createServer((request, response) => {
  seen.push(request);
  const route = ROUTES[request.url ?? ''];
  if (route) route(response, request);
  else response.writeHead(404).end('not here');
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `site.example:${(server.address() as AddressInfo).port}`;
  cache = openFetchCache({ folder, maxBytes: 10_000_000 });
  get = fetchWith({});
});

afterAll(async () => {
  await get.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  seen = [];
  held = [];
  gone = 0;
  address = '127.0.0.1';
  failing = 'no';
});

function fetchWith(options: { allowHosts?: string[]; perOrigin?: number; closeable?: true }): GuardedFetch {
  const shared = { ...cache, close: async () => {} };
  return createGuardedFetch({
    allowHosts: options.allowHosts ?? ['127.0.0.0/8'],
    userAgent: 'test',
    lookup,
    cache: options.closeable ? shared : cache,
    ...(options.perOrigin !== undefined && { perOrigin: options.perOrigin }),
  });
}

/** Every test has an owner of its own, so that none finds what another kept. */
let owners = 0;
const newOwner = () => `owner ${++owners}`;

async function text(path: string, options: Partial<FetchOptions> = {}): Promise<string> {
  const call = { signal: new AbortController().signal, ...options };
  const { body } = await get(`http://${host}${path}`, call);
  return Buffer.from(body).toString();
}

test.each(['/fresh', '/silent', '/gzip', '/moved'])('%s is requested once', async (path) => {
  const cacheFor = newOwner();
  const first = await text(path, { cacheFor });
  const requests = seen.length;
  expect(await text(path, { cacheFor })).toBe(first);
  expect(first).not.toBe('');
  expect(seen.length).toBe(requests);
});

test.each(['/private', '/no-store', '/cookie', '/missing'])('%s is requested on each call', async (path) => {
  const cacheFor = newOwner();
  await text(path, { cacheFor });
  await text(path, { cacheFor });
  expect(seen.length).toBe(2);
});

test('a cached answer is returned with its address, status and headers', async () => {
  const call = { signal: new AbortController().signal, cacheFor: newOwner() };
  const first = await get(`http://${host}/moved`, call);
  const again = await get(`http://${host}/moved`, call);
  expect(again).toMatchObject({ url: `http://${host}/fresh`, status: 200 });
  expect(again.headers.get('cache-control')).toBe('max-age=600');
  expect([...again.headers]).toEqual([...first.headers]);
});

test('an answer cached for one user is unknown to other users and to calls without a cache', async () => {
  const cacheFor = newOwner();
  await text('/fresh', { cacheFor });
  await text('/fresh', { cacheFor: newOwner() });
  await text('/fresh');
  expect(seen.length).toBe(3);
});

test.each(['authorization', 'cookie', 'x-api-key', 'X-Subscription-Token'])(
  'an answer to a request with %s is neither cached nor served from the cache',
  async (name) => {
    const cacheFor = newOwner();
    await text('/fresh', { cacheFor, headers: { [name]: 'x' } });
    await text('/fresh', { cacheFor });
    await text('/fresh', { cacheFor, headers: { [name]: 'x' } });
    expect(seen.length).toBe(3);
  },
);

test('a POST is never answered from the cache', async () => {
  const cacheFor = newOwner();
  await text('/fresh', { cacheFor });
  await text('/fresh', { cacheFor, method: 'POST', body: 'x' });
  expect(seen.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('an answer that varies is reused for matching requests only', async () => {
  const cacheFor = newOwner();
  const ask = (language: string) => text('/vary', { cacheFor, headers: { 'accept-language': language } });
  expect([await ask('de'), await ask('fr'), await ask('de'), await ask('fr')]).toEqual([
    'in de',
    'in fr',
    'in de',
    'in fr',
  ]);
  expect(seen.length).toBe(2);
});

test('a stale answer is revalidated, and reused if it has not changed', async () => {
  const cacheFor = newOwner();
  mark = '"1"';
  for (let i = 0; i < 3; i++) expect(await text('/marked', { cacheFor })).toBe('body "1"');
  expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"']);
  const { status, headers } = await get(`http://${host}/marked`, {
    signal: new AbortController().signal,
    cacheFor,
  });
  expect([status, headers.get('content-type')]).toEqual([200, 'text/x']);
  mark = '"2"';
  expect(await text('/marked', { cacheFor })).toBe('body "2"');
  expect(await text('/marked', { cacheFor })).toBe('body "2"');
});

test.each(['500', 'reset'] as const)(
  'a failing site (%s) is bridged by the cache where the cached answer permits that',
  async (way) => {
    const cacheFor = newOwner();
    expect(await text('/bridge', { cacheFor })).toBe('bridged');
    failing = way;
    expect(await text('/bridge', { cacheFor })).toBe('bridged');
    expect(seen.length).toBeGreaterThanOrEqual(2);
    const other = text('/bridge', { cacheFor: newOwner() });
    if (way === '500') expect(await other).toBe('down');
    else await expect(other).rejects.toMatchObject({ code: 'upstream' });
  },
);

test('a cached body follows the size limit of the current call', async () => {
  const cacheFor = newOwner();
  await text('/long', { cacheFor });
  await expect(text('/long', { cacheFor, maxBytes: 4999 })).rejects.toMatchObject({ code: 'too_large' });
  expect(await text('/long', { cacheFor, maxBytes: 5000 })).toHaveLength(5000);
});

test('a body that broke off is not cached', async () => {
  const cacheFor = newOwner();
  for (let i = 0; i < 2; i++)
    await expect(text('/cut', { cacheFor })).rejects.toMatchObject({ code: 'upstream' });
  expect(seen.length).toBeGreaterThanOrEqual(2);
});

test('a cached redirect is judged again [safety.private]', async () => {
  const strict = fetchWith({ allowHosts: [host], closeable: true });
  const call = { signal: new AbortController().signal, cacheFor: newOwner() };
  for (let i = 0; i < 2; i++)
    await expect(strict(`http://${host}/moved-inside`, call)).rejects.toMatchObject({ code: 'forbidden' });
  await strict.close();
});

test('a name that now leads to a private address is refused although its page was cached [safety.private]', async () => {
  const cacheFor = newOwner();
  await text('/fresh', { cacheFor });
  address = '10.0.0.1';
  await expect(text('/fresh', { cacheFor })).rejects.toMatchObject({ code: 'forbidden' });
  address = '';
  looked = 0;
  expect(await text('/fresh', { cacheFor })).toBe('fresh');
  expect(looked).toBe(1);
  expect(seen.length).toBe(1);
});

test('an answer cached under another allow list is not used', async () => {
  const cacheFor = newOwner();
  await text('/fresh', { cacheFor });
  const strict = fetchWith({ allowHosts: [], closeable: true });
  const call = { signal: new AbortController().signal, cacheFor };
  await expect(strict(`http://${host}/fresh`, call)).rejects.toMatchObject({ code: 'forbidden' });
  const other = fetchWith({ allowHosts: ['127.0.0.0/8', '10.0.0.0/8'], closeable: true });
  await other(`http://${host}/fresh`, call);
  expect(seen.length).toBe(2);
  await Promise.all([strict.close(), other.close()]);
});

test('many calls for one page at the same time share a request, and each call has a body of its own', async () => {
  const cacheFor = newOwner();
  const call = { signal: new AbortController().signal, cacheFor };
  const asking = Array.from({ length: 5 }, () => get(`http://${host}/held`, call));
  await expect.poll(() => held.length).toBe(1);
  held[0]?.end('shared');
  const answers = await Promise.all(asking);
  expect(answers.map(({ body }) => Buffer.from(body).toString())).toEqual(Array(5).fill('shared'));
  expect(new Set(answers.map(({ body }) => body.buffer)).size).toBe(5);
  expect(seen.length).toBe(1);
});

test.each<[string, Partial<FetchOptions>[]]>([
  ['other users', [{ cacheFor: 'sharing 1' }, { cacheFor: 'sharing 2' }]],
  ['no user', [{}, {}]],
  ['other headers', [{ cacheFor: 's' }, { cacheFor: 's', headers: { 'accept-language': 'de' } }]],
  ['another limit', [{ cacheFor: 's' }, { cacheFor: 's', maxBytes: 5 }]],
  [
    'credentials',
    [
      { cacheFor: 's', headers: { 'x-token': 'a' } },
      { cacheFor: 's', headers: { 'x-token': 'a' } },
    ],
  ],
])('a request is not shared with %s', async (_what, calls) => {
  const asking = calls.map((call) => text('/held', call));
  await expect.poll(() => held.length).toBe(2);
  for (const response of held) response.setHeader('cache-control', 'no-store').end('ok');
  expect(await Promise.all(asking)).toEqual(['ok', 'ok']);
});

test('a caller that stops does not affect the others, and the last caller to stop ends the request', async () => {
  const cacheFor = newOwner();
  const stops = [new AbortController(), new AbortController(), new AbortController()];
  const asking = stops.map(({ signal }) => text('/held', { cacheFor, signal }));
  await expect.poll(() => held.length).toBe(1);
  stops[0]?.abort();
  await expect(asking[0]).rejects.toMatchObject({ code: 'cancelled' });
  const impatient = text('/held', { cacheFor, timeoutMs: 50 });
  await expect(impatient).rejects.toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('0.05 s'),
  });
  expect(gone).toBe(0);
  stops[1]?.abort();
  await expect(asking[1]).rejects.toMatchObject({ code: 'cancelled' });
  expect(gone).toBe(0);
  stops[2]?.abort();
  await expect(asking[2]).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => gone).toBe(1);
  expect(seen.length).toBe(1);
});

test('a site gets a limited number of concurrent requests from all users together', async () => {
  const polite = fetchWith({ perOrigin: 2, closeable: true });
  const asking = Array.from({ length: 6 }, (_, i) =>
    polite(`http://${host}/held`, { signal: new AbortController().signal, cacheFor: `user ${i}` }),
  );
  for (let done = 0; done < 6; done += 2) {
    await expect.poll(() => held.length).toBe(done + 2);
    for (const response of held.slice(done)) response.end('ok');
  }
  await Promise.all(asking);
  await polite.close();
});

test('waiting for a site counts towards the time limit of the call', async () => {
  const polite = fetchWith({ perOrigin: 1, closeable: true });
  const call = { signal: new AbortController().signal };
  const first = polite(`http://${host}/held`, call);
  await expect.poll(() => held.length).toBe(1);
  await expect(polite(`http://${host}/held`, { ...call, timeoutMs: 50 })).rejects.toMatchObject({
    code: 'timeout',
  });
  const closed = expect(polite(`http://${host}/held`, call)).rejects.toMatchObject({ code: 'unavailable' });
  const broken = expect(first).rejects.toMatchObject({ code: 'unavailable' });
  await polite.close();
  await Promise.all([closed, broken]);
  expect(seen.length).toBe(1);
});

test('a call with patience waits for a short pause that the site asks for, and other calls are told of it', async () => {
  const fetch = fetchWith({ closeable: true });
  const signal = new AbortController().signal;
  const patient = await fetch(`http://${host}/soon`, { signal, patienceMs: 5000 });
  expect([patient.status, Buffer.from(patient.body).toString()]).toEqual([200, 'here it is']);
  expect((await fetch(`http://${host}/rest`, { signal, patienceMs: 5000 })).status).toBe(429);
  await expect(fetch(`http://${host}/soon`, { signal, patienceMs: 5000 })).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringContaining('asked for no requests until'),
  });
  expect(seen.map(({ url }) => url)).toEqual(['/soon', '/soon', '/rest']);
});

test('a site that asks for a pause gets no requests, and only its cached answers are served', async () => {
  const fetch = fetchWith({ closeable: true });
  const call = { signal: new AbortController().signal, cacheFor: newOwner() };
  await fetch(`http://${host}/fresh`, call);
  expect((await fetch(`http://${host}/rest`, call)).status).toBe(429);
  await expect(fetch(`http://${host}/silent`, call)).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringContaining('asked for no requests until'),
    retryAfter: expect.any(Number),
  });
  expect(Buffer.from((await fetch(`http://${host}/fresh`, call)).body).toString()).toBe('fresh');
  expect(seen.length).toBe(2);
  await fetch.close();
});
