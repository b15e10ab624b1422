import { once } from 'node:events';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { type AddressInfo, createServer, type LookupFunction } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch, type FetchOptions, type GuardedFetch } from '../../src/lib/network/fetch.ts';
import { pageHeaders } from '../../src/search/asking/browser-headers.ts';
import { createEngineClient } from '../../src/search/asking/engine-client.ts';
import type { SearchEngine } from '../../src/search/engine.ts';
import { certificateOf, root } from '../helpers/test-authority.ts';

let server: Http2SecureServer;
let port: number;
let get: GuardedFetch;
const authorities = getCACertificates('default');
const seen: Http2ServerRequest[] = [];
const stopped: string[] = [];

const ROUTES: Readonly<Record<string, (response: Http2ServerResponse, request: Http2ServerRequest) => void>> =
  {
    '/plain': (r, { httpVersion }) => void r.end(httpVersion),
    '/gzip': (r) => void r.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed text')),
    '/redirect': (r) => void r.writeHead(302, { location: '/plain' }).end(),
    '/wide': (r) => void r.writeHead(200, { 'x-wide': 'x'.repeat(100_000) }).end('x'),
    '/many': (r) => {
      const many = Array.from({ length: 500 }, (_, at) => [`x-${at}`, 'x'] as const);
      r.writeHead(200, Object.fromEntries(many)).end('x');
    },
    '/endless': (r) => {
      const more = setInterval(() => r.write('x'.repeat(65_536)), 1);
      r.stream.on('aborted', () => {
        clearInterval(more);
        stopped.push('/endless');
      });
    },
    '/silent': (r) => void r.stream.on('aborted', () => stopped.push('/silent')),
    '/breaks': (r, { httpVersion, stream }) => {
      if (httpVersion === '2.0') stream.session?.destroy();
      else r.end(httpVersion);
    },
  };

/** `a.example` and `b.example` both lead to this machine. */
const toHere: LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);

beforeAll(async () => {
  setDefaultCACertificates([...authorities, root.pem]);
  const pem = certificateOf('good');
  server = createSecureServer({ key: pem, cert: pem, allowHTTP1: true }, (request, response) => {
    seen.push(request);
    ROUTES[request.url]?.(response, request);
  });
  // A client that goes away in the middle is no fault of the server.
  server.on('sessionError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
  get = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
});
afterAll(async () => {
  await get.close();
  setDefaultCACertificates(authorities);
  server.close();
});

const ask = (path: string, options: Partial<FetchOptions> = {}) =>
  get(`https://127.0.0.1:${port}${path}`, {
    signal: AbortSignal.timeout(10_000),
    timeoutMs: 5000,
    http2: true,
    ...options,
  });
const textOf = async (path: string, options?: Partial<FetchOptions>) =>
  new TextDecoder().decode((await ask(path, options)).body);

test('a site with HTTP/2 is asked over HTTP/2 by a call that requests it, and by no other call', async () => {
  expect(await textOf('/plain')).toBe('2.0');
  expect(await textOf('/plain', { http2: false })).toBe('1.1');
  expect(await textOf('/redirect')).toBe('2.0');
  expect(await textOf('/gzip')).toBe('packed text');
});

test('a site that speaks HTTP/2 alone is asked over it, again and again, by a call that did not request it', async () => {
  const pem = certificateOf('good');
  const alone = createSecureServer({ key: pem, cert: pem }, (_, response) => void response.end('newer'));
  alone.on('sessionError', () => {}).listen(0, '127.0.0.1');
  await once(alone, 'listening');
  const url = `https://127.0.0.1:${(alone.address() as AddressInfo).port}/`;
  for (const asBrowser of [false, true]) {
    const { body } = await get(url, { signal: AbortSignal.timeout(10_000), asBrowser });
    expect(new TextDecoder().decode(body)).toBe('newer');
  }
  alone.close();
});

test('an engine that is asked with browser headers is asked over HTTP/2, and no other engine is', async () => {
  const told: string[] = [];
  const engine: SearchEngine = {
    name: 'test',
    about: {
      title: 'T',
      website: 'https://e.example/',
      categories: ['general'],
      takes: [],
      pace: 0,
      facts: { limits: 'Ours.', keeps: 'nothing', privacy: 'Ours.', sources: [], checked: '2026-11-27' },
    },
    request: () => ({ url: `https://127.0.0.1:${port}/plain` }),
    parse(body) {
      told.push(body);
      return [];
    },
  };
  const visitor = createEngineClient({ fetch: get, trusted: [] });
  const options = { signal: AbortSignal.timeout(5000), timeoutMs: 5000 };
  await visitor.search({ ...engine, http2: true }, { text: 'x', limit: 1 }, options);
  await visitor.search(engine, { text: 'x', limit: 1 }, options);
  expect(told).toEqual(['2.0', '1.1']);
});

test('browser headers are sent in their order, after those of the protocol', async () => {
  const headers = pageHeaders({ from: 'https://e.example/', cookie: 'a=1' });
  await ask('/plain', { headers });
  const names = Object.keys(seen.at(-1)?.headers ?? {});
  expect(names).toEqual([
    ...names.slice(0, 4).filter((name) => name.startsWith(':')),
    ...Object.keys(headers),
  ]);
});

test('browser headers are sent in their order over HTTP/1.1 too', async () => {
  const lines: string[] = [];
  const raw = createServer((socket) =>
    socket.once('data', (data) => {
      lines.push(...data.toString('latin1').split('\r\n'));
      socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    }),
  );
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  const headers = pageHeaders({ from: 'https://e.example/', form: 'https://e.example', cookie: 'a=1' });
  await get(`http://127.0.0.1:${(raw.address() as AddressInfo).port}/`, {
    signal: AbortSignal.timeout(5000),
    method: 'POST',
    body: 'q=x',
    headers,
  });
  raw.close();
  const names = lines.slice(1).flatMap((line) => /^([\w-]+): /.exec(line)?.[1] ?? []);
  expect(names).toEqual(['host', 'connection', ...Object.keys(headers), 'content-length']);
});

test('a GET whose HTTP/2 connection breaks off is repeated over HTTP/1.1, and a POST uses HTTP/1.1 from the next request on', async () => {
  const fresh = () => createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  const url = `https://127.0.0.1:${port}/breaks`;
  const options = { signal: AbortSignal.timeout(5000), http2: true };
  const [first, second] = [fresh(), fresh()];
  expect(new TextDecoder().decode((await first(url, options)).body)).toBe('1.1');
  const post = () => second(url, { ...options, method: 'POST', body: 'x' });
  await expect(post()).rejects.toMatchObject({ code: 'upstream' });
  expect(new TextDecoder().decode((await post()).body)).toBe('1.1');
  await Promise.all([first.close(), second.close()]);
});

test.each(['/wide', '/many'])('an answer with headers above the limit is refused: %s', async (path) => {
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  const options = { signal: AbortSignal.timeout(5000), http2: true, method: 'POST', body: 'x' } as const;
  await expect(fetch(`https://127.0.0.1:${port}${path}`, options)).rejects.toMatchObject({
    code: 'upstream',
  });
  await fetch.close();
});

test('an endless body is refused at its limit, and the site sees the end', async () => {
  stopped.length = 0;
  await expect(ask('/endless', { maxBytes: 200_000 })).rejects.toMatchObject({ code: 'too_large' });
  await expect.poll(() => stopped).toContain('/endless');
});

test('a caller that leaves ends its own stream only', async () => {
  stopped.length = 0;
  const leaving = new AbortController();
  const left = ask('/silent', { signal: leaving.signal });
  await expect.poll(() => seen.at(-1)?.url).toBe('/silent');
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => stopped).toContain('/silent');
  expect(await textOf('/plain')).toBe('2.0');
});

test('each name is judged by its own DNS query, whatever connection exists', async () => {
  const fetch = createGuardedFetch({
    allowHosts: [`a.example:${port}`],
    userAgent: 'Magpie/test',
    lookup: toHere,
  });
  const before = seen.length;
  const asked = (name: string) =>
    fetch(`https://${name}:${port}/plain`, { signal: AbortSignal.timeout(5000), http2: true });
  // Its certificate is for another name; that it was reached at all is the operator's word.
  await expect(asked('a.example')).rejects.toThrow('certificate for another name');
  await expect(asked('b.example')).rejects.toMatchObject({ code: 'forbidden' });
  expect(seen).toHaveLength(before);
  await fetch.close();
});

test('closing ends requests in progress', async () => {
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1'], userAgent: 'Magpie/test' });
  const pending = fetch(`https://127.0.0.1:${port}/silent`, {
    signal: AbortSignal.timeout(10_000),
    http2: true,
  });
  pending.catch(() => {});
  const count = seen.length;
  await expect.poll(() => seen.length).toBeGreaterThan(count);
  await fetch.close();
  await expect(pending).rejects.toMatchObject({ code: 'unavailable' });
});
