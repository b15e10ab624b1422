import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { FORBIDDEN, LEADING_INSIDE, UNUSABLE } from './hostile-addresses.ts';

/** Listens where the hostile addresses lead, and counts who knocks. */
let canary: Server;
let knocks = 0;
let port: number;
/** The one host that may be reached: it redirects to whatever its query says, byte for byte. */
let redirector: Server;
let from: string;
let get: GuardedFetch;
let looked: string[] = [];

const answers = new Map(LEADING_INSIDE.map(([name, found]) => [name, found.map(asFound)]));
function asFound(address: string) {
  return { address, family: address.includes(':') ? 6 : 4 };
}
const lookup: LookupFunction = (name, _options, callback) => {
  looked.push(name);
  const found = answers.get(name);
  if (!found) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '', 0);
  else callback(null, found);
};

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('secret'));
  canary.on('connection', () => {
    knocks += 1;
  });
  redirector = createServer((request, response) => {
    const location = Buffer.from(decodeURIComponent(request.url?.slice(2) ?? '')).toString('latin1');
    response.writeHead(302, { location }).end();
  });
  // Both families, so that no notation misses it.
  await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
  await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.1', resolve));
  port = (canary.address() as AddressInfo).port;
  from = `127.0.0.1:${(redirector.address() as AddressInfo).port}`;
  get = createGuardedFetch({ allowHosts: [], userAgent: 'test', lookup });
});

afterAll(async () => {
  await get.close();
  for (const server of [canary, redirector]) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

const written = (url: string) => url.replaceAll('PORT', String(port));
const call = (own: object = {}) => ({ signal: new AbortController().signal, timeoutMs: 10_000, ...own });

test('the list is long enough and has no duplicates', () => {
  const all = [...FORBIDDEN, ...UNUSABLE].map(([, url]) => url);
  expect(new Set(all).size).toBe(all.length);
  expect(all.length + LEADING_INSIDE.length).toBeGreaterThanOrEqual(180);
});

test('the canary detects a connection', async () => {
  const open = createGuardedFetch({ allowHosts: [`127.0.0.1:${port}`], userAgent: 'test' });
  await open(`http://127.0.0.1:${port}/`, call());
  expect(knocks).toBe(1);
  await open.close();
  knocks = 0;
});

test.each(FORBIDDEN)(
  '%s: %j is forbidden without a DNS query or a connection [safety.private]',
  async (_why, url) => {
    looked = [];
    await expect(get(written(url), call())).rejects.toMatchObject({ code: 'forbidden' });
    await expect(
      createUrlGuard({ allowHosts: [], lookup }).check(written(url), call().signal),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect([looked, knocks]).toEqual([[], 0]);
  },
);

/** With fewer slashes than two a location of the same scheme is a path of the site that sends it. */
const ABSOLUTE = FORBIDDEN.filter(([, url]) => !/^http:\/?[^/\\]/.test(url));

test.each(ABSOLUTE)('%s: a redirect to %j is forbidden [safety.private]', async (_why, url) => {
  looked = [];
  // Line breaks cannot be in a header, and neither spaces around its value.
  const location = written(url)
    .replace(/[\n\t]/g, '')
    .trim();
  const redirected = get(`http://${from}/?${encodeURIComponent(location)}`, call({ allow: [from] }));
  await expect(redirected).rejects.toMatchObject({ code: 'forbidden' });
  expect([looked, knocks]).toEqual([[], 0]);
});

test.each(UNUSABLE)(
  '%s: %j is not a usable address, and the error contains no secret from it',
  async (_why, url) => {
    const refused = get(written(url), call());
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' });
    if (_why.startsWith('a name') || _why.startsWith('a password'))
      await expect(refused).rejects.not.toThrow('secret');
    expect(knocks).toBe(0);
  },
);

test.each(UNUSABLE.filter(([, url]) => /^[a-z]/.test(url) && !url.startsWith('127')))(
  '%s: a redirect to %j is refused',
  async (_why, url) => {
    const location = encodeURIComponent(written(url));
    await expect(get(`http://${from}/?${location}`, call({ allow: [from] }))).rejects.toMatchObject({
      code: 'bad_request',
    });
    expect(knocks).toBe(0);
  },
);

test.each(LEADING_INSIDE)('the name %s, which leads to %j, is forbidden [safety.private]', async (name) => {
  looked = [];
  const refused = get(`http://${name}:${port}/`, call());
  await expect(refused).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining(name),
  });
  expect([looked, knocks]).toEqual([[name], 0]);
  const redirected = get(`http://${from}/?http://${name}:${port}/`, call({ allow: [from] }));
  await expect(redirected).rejects.toMatchObject({ code: 'forbidden' });
  expect(knocks).toBe(0);
});

test('of public and private addresses of one name only permitted addresses are tried', async () => {
  answers.set('mixed.example', ['10.0.0.1', '127.0.0.1', '::1'].map(asFound));
  const some = createGuardedFetch({ allowHosts: ['127.0.0.1/32'], userAgent: 'test', lookup });
  const { body } = await some(`http://mixed.example:${port}/`, call());
  expect(Buffer.from(body).toString()).toBe('secret');
  knocks = 0;
  await some.close();
});

test('a name that changes between two DNS queries is judged by the query of the connection', async () => {
  let turn = 0;
  // The first answer may be reached; every later one is loopback, where the canary listens.
  const rebinding: LookupFunction = (_name, _options, callback) =>
    callback(null, [asFound(turn++ === 0 ? '127.0.0.2' : '127.0.0.1')]);
  const guard = createUrlGuard({ allowHosts: ['127.0.0.2/32'], lookup: rebinding });
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.2/32'], userAgent: 'test', lookup: rebinding });
  const url = `http://rebinding.example:${port}/`;
  await guard.check(url, call().signal);
  await expect(fetch(url, call())).rejects.toMatchObject({ code: 'forbidden' });
  expect([turn, knocks]).toEqual([2, 0]);
  await fetch.close();
});

test.each(['ws', 'wss'])('%s addresses are judged like web addresses', async (scheme) => {
  const guard = createUrlGuard({ allowHosts: [], lookup });
  const { signal } = call();
  await expect(guard.check(`${scheme}://127.0.0.1:${port}/`, signal)).rejects.toMatchObject({
    code: 'forbidden',
  });
  await guard.check(`${scheme}://8.8.8.8/`, signal);
  await expect(guard.check(`${scheme}://unknown.example/`, signal)).rejects.toMatchObject({
    code: 'upstream',
  });
  await expect(guard.check('data:,x', signal)).rejects.toMatchObject({ code: 'bad_request' });
});

test('an unresponsive name server does not hold up a cancelled caller', async () => {
  const guard = createUrlGuard({ allowHosts: [], lookup: () => {} });
  const stop = new AbortController();
  const waiting = guard.check('http://a.example/', stop.signal);
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  await expect(guard.check('http://a.example/', AbortSignal.abort())).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('an allow list entry with the exact port permits that port', async () => {
  const guard = createUrlGuard({ allowHosts: ['mail.example:25', 'other.example'], lookup });
  expect(guard.judge(new URL('http://mail.example:25/'))).toBe('open');
  expect(() => guard.judge(new URL('http://other.example:25/'))).toThrow(
    'port 25 belongs to another protocol',
  );
  expect(guard.judge(new URL('http://other.example:81/'))).toBe('open');
});
