import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import {
  type AddressInfo,
  createServer as createRawServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGuardedFetch, type FetchOptions, type GuardedFetch } from '../../../src/lib/network/fetch.ts';

let server: Server;
let port: number;
let host: string;
let get: GuardedFetch;
const gone: string[] = [];
const used = new WeakSet<Socket>();
const seen: IncomingMessage[] = [];

const LONG_TEXT = Array.from({ length: 400 }, (_, at) => `row ${at}, of many\n`).join('');

const ROUTES: Readonly<Record<string, (response: ServerResponse, request: IncomingMessage) => void>> = {
  '/plain': (r) => r.end('plain text'),
  '/gzip': (r) => r.setHeader('content-encoding', 'gzip').end(gzipSync('packed text')),
  '/br': (r) => r.setHeader('content-encoding', 'br').end(brotliCompressSync('packed text')),
  '/zstd': (r) => r.setHeader('content-encoding', 'zstd').end(zstdCompressSync('packed text')),
  '/deflate': (r) => r.setHeader('content-encoding', 'deflate').end(deflateSync('packed text')),
  '/raw-deflate': (r) => r.setHeader('content-encoding', 'deflate').end(deflateRawSync('packed text')),
  '/empty-chunked': (r) => {
    r.writeHead(200, { 'content-encoding': 'gzip, br' }).flushHeaders();
    r.end();
  },
  '/nothing': (r) => {
    r.setHeader('content-encoding', 'gzip');
    const nothing = Buffer.concat(Array<Buffer>(2000).fill(gzipSync('')));
    const more = setInterval(() => r.write(nothing), 1);
    r.on('close', () => clearInterval(more));
  },
  '/wide-zstd': (r) =>
    // A frame whose header asks for a window of 128 MB.
    r.setHeader('content-encoding', 'zstd').end(Buffer.from('28b52ffd0088010000', 'hex')),
  '/twice': (r) =>
    r.setHeader('content-encoding', 'gzip, br').end(brotliCompressSync(gzipSync('packed text'))),
  '/thrice': (r) => r.setHeader('content-encoding', 'gzip, gzip, gzip').end('x'),
  '/lying': (r) => r.setHeader('content-encoding', 'gzip').end('this is not gzip'),
  '/odd': (r) => r.setHeader('content-encoding', 'rot13').end('x'),
  '/cut': (r) => r.setHeader('content-encoding', 'gzip').end(gzipSync('x'.repeat(10_000)).subarray(0, 20)),
  '/bomb': (r) => r.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(5_000_000))),
  '/endless': (r) => {
    const more = setInterval(() => r.write('x'.repeat(65_536)), 1);
    r.on('close', () => {
      clearInterval(more);
      gone.push('/endless');
    });
  },
  '/silent': (r) => void r.on('close', () => gone.push('/silent')),
  '/stuck': (r) => {
    r.write('beginning');
    r.on('close', () => gone.push('/stuck'));
  },
  '/headers': (r) => r.setHeader('x-large', 'x'.repeat(100_000)).end(),
  '/length': (r) => {
    r.writeHead(200, { 'content-length': '100' });
    r.write('short');
    setTimeout(() => r.destroy(), 20);
  },
  '/missing': (r) => r.writeHead(404).end('not here'),
  '/loop': (r) => r.writeHead(302, { location: '/loop' }).end(),
  '/once': (r) => r.writeHead(301, { location: '/plain' }).end(),
  '/to-private': (r) => r.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
  '/to-metadata': (r) => r.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  '/to-decimal': (r) => r.writeHead(302, { location: 'http://2130706433:1/' }).end(),
  '/to-file': (r) => r.writeHead(302, { location: 'file:///etc/passwd' }).end(),
  '/to-secret': (r) => r.writeHead(302, { location: `http://user:secret@127.0.0.1:${port}/plain` }).end(),
  '/to-name': (r) => r.writeHead(302, { location: `http://named.example:${port}/plain` }).end(),
  '/reset': (r) => r.destroy(),
  // As one that closes what was idle just when the next request comes.
  '/idle': (r, { socket, method }) => {
    if (used.has(socket) || method === 'POST') r.destroy();
    else used.add(socket) && r.end('fresh');
  },
  '/many-headers': (r) => {
    for (let i = 0; i < 1000; i++) r.setHeader(`x-${i}`, 'x'.repeat(100));
    r.end();
  },
  '/bad-br': (r) => r.setHeader('content-encoding', 'br').end('this is not brotli'),
  '/bad-zstd': (r) => r.setHeader('content-encoding', 'zstd').end('this is not zstd'),
  '/announced': (r) => r.writeHead(200, { 'content-length': '5000000' }).flushHeaders(),
  '/empty-gzip': (r) => r.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '0' }).end(),
  '/see-other': (r) => r.writeHead(303, { location: '/plain' }).end(),
  '/found': (r) => r.writeHead(302, { location: '/plain' }).end(),
  '/temporary': (r) => r.writeHead(307, { location: '/plain' }).end(),
  '/endless-redirect': (r) => {
    r.writeHead(302, { location: '/plain' }).write('x');
    r.on('close', () => gone.push('/endless-redirect'));
  },
  '/long-text': (r) => r.setHeader('content-type', 'text/csv').end(LONG_TEXT),
  '/long-packed': (r) => {
    r.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' });
    r.end(gzipSync(LONG_TEXT));
  },
  '/long-line': (r) => r.setHeader('content-type', 'text/plain').end('x'.repeat(5000)),
  '/long-binary': (r) => r.setHeader('content-type', 'application/pdf').end(LONG_TEXT),
  '/to-nowhere': (r) => r.writeHead(302, { location: 'http://' }).end(),
};

beforeAll(async () => {
  const listener: RequestListener = (request, response) => {
    seen.push(request);
    (ROUTES[request.url ?? ''] ?? ROUTES['/missing'])?.(response, request);
  };
  server = createServer({ maxHeaderSize: 16_384 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  host = `127.0.0.1:${port}`;
  get = createGuardedFetch({ allowHosts: [host], userAgent: 'Magpie-test' });
});

afterAll(async () => {
  await get.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test.each(['/long-text', '/long-packed'])('of %s the whole lines within the limit are kept', async (path) => {
  const { text, isCut } = await fetchText(path, { maxBytes: 1000, cutsText: true });
  expect(isCut).toBe('limit');
  expect(text).toBe(LONG_TEXT.slice(0, LONG_TEXT.lastIndexOf('\n', 999) + 1));
  await expect(fetchText(path, { maxBytes: 1000 })).rejects.toMatchObject({ code: 'too_large' });
});

test('a long line is cut at the limit, and a text of just the limit is whole', async () => {
  expect((await fetchText('/long-line', { maxBytes: 1000, cutsText: true })).text).toBe('x'.repeat(1000));
  const whole = await fetchText('/long-line', { maxBytes: 5000, cutsText: true });
  expect([whole.text.length, whole.isCut]).toEqual([5000, undefined]);
});

test('files other than texts are not cut', async () => {
  await expect(fetchText('/long-binary', { maxBytes: 1000, cutsText: true })).rejects.toMatchObject({
    code: 'too_large',
  });
});

const fetchText = async (path: string, options: Partial<FetchOptions> = {}) => {
  const { body, ...rest } = await get(`http://${host}${path}`, {
    signal: new AbortController().signal,
    ...options,
  });
  return { ...rest, text: Buffer.from(body).toString() };
};

test.each(['/gzip', '/br', '/zstd', '/deflate', '/raw-deflate', '/twice'])(
  '%s is decompressed',
  async (path) => {
    expect((await fetchText(path)).text).toBe('packed text');
  },
);

test('another status is an answer, and the request has the user agent and no cookie', async () => {
  expect(await fetchText('/missing')).toMatchObject({ status: 404, text: 'not here' });
  expect(seen.at(-1)?.headers).toMatchObject({ 'user-agent': 'Magpie-test' });
  expect(seen.at(-1)?.headers.cookie).toBeUndefined();
});

test('a redirect is followed, and the final address is returned', async () => {
  expect(await fetchText('/once')).toMatchObject({ url: `http://${host}/plain`, text: 'plain text' });
});

test.each([
  ['/loop', 'upstream', 'redirects more than 5 times'],
  ['/thrice', 'upstream', 'compressed 3 times over'],
  ['/lying', 'upstream', 'does not unpack'],
  ['/odd', 'unsupported', '"rot13"'],
  ['/cut', 'upstream', 'ends too early'],
  ['/bomb', 'too_large', 'ResponseTooLarge: the page has over 1000000 bytes'],
  ['/endless', 'too_large', 'ResponseTooLarge'],
  ['/nothing', 'too_large', 'ResponseTooLarge'],
  ['/wide-zstd', 'upstream', 'does not unpack'],
  ['/headers', 'upstream', 'bytes of headers'],
  ['/many-headers', 'upstream', 'bytes of headers'],
  ['/bad-br', 'upstream', 'does not unpack'],
  ['/bad-zstd', 'upstream', 'does not unpack'],
  ['/announced', 'too_large', 'ResponseTooLarge: the page has 5000000 bytes, over the limit of 1000000'],
  ['/to-nowhere', 'bad_request', 'redirects to "http://", which is not a URL'],
  ['/length', 'upstream', 'broke the connection off'],
  ['/reset', 'upstream', 'broke the connection off'],
  ['/silent', 'timeout', 'did not answer within 0.5 s'],
  ['/stuck', 'timeout', 'did not answer within 0.5 s'],
  ['/to-private', 'forbidden', '10.0.0.1 is not a public address'],
  ['/to-metadata', 'forbidden', '169.254.169.254 is not a public address'],
  ['/to-decimal', 'forbidden', '127.0.0.1:1 is not a public address'],
  ['/to-file', 'bad_request', 'only http and https'],
  ['/to-secret', 'bad_request', 'leave it out'],
])('%s is refused as %s [safety.private]', async (path, code, message) => {
  const failed = fetchText(path, { maxBytes: 1_000_000, timeoutMs: path.startsWith('/s') ? 500 : 10_000 });
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  await expect(failed).rejects.not.toThrow('secret');
});

test.each([
  ['ftp://example.com/', 'bad_request'],
  ['file:///etc/passwd', 'bad_request'],
  ['javascript:alert(1)', 'bad_request'],
  ['data:text/html,x', 'bad_request'],
  ['no url', 'bad_request'],
  ['http://', 'bad_request'],
  ['http://user:secret@example.com/', 'bad_request'],
  ['http://:secret@example.com/', 'bad_request'],
  ['http://user:secret@exam ple.com/', 'bad_request'],
  ['ftp://user:secret@example.com/', 'bad_request'],
  ['http://[fe80::1%25eth0]/', 'bad_request'],
  ['http://localhost/', 'forbidden'],
  ['http://127.0.0.1:1/', 'forbidden'],
  ['http://[::1]/', 'forbidden'],
  ['http://metadata.google.internal/', 'forbidden'],
  ['http://router/', 'forbidden'],
  ['http://0x7f.1/', 'forbidden'],
])('%s is %s without a connection', async (url, code) => {
  const failed = get(url, { signal: new AbortController().signal });
  await expect(failed).rejects.toMatchObject({ code });
  await expect(failed).rejects.not.toThrow('secret');
});

test('the caller can stop at any moment, and the server sees it', async () => {
  for (const path of ['/silent', '/stuck', '/endless']) {
    const stop = new AbortController();
    const before = gone.filter((name) => name === path).length;
    const failed = fetchText(path, { signal: stop.signal, maxBytes: 1e9 });
    setTimeout(() => stop.abort(), 50);
    await expect(failed).rejects.toMatchObject({ code: 'cancelled' });
    await expect.poll(() => gone.filter((name) => name === path).length).toBeGreaterThan(before);
  }
});

test('the caller and the deadline do not wait for a connection that is never made', async () => {
  // A name service that never answers; the connection itself would be given up after 10 s.
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'x', lookup: () => {} });
  let given = false;
  const waiting = fetch('http://e.example/', { signal: new AbortController().signal }).catch(() => {
    given = true;
  });
  await expect(fetch('http://a.example/', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    code: 'cancelled',
  });
  const stop = new AbortController();
  const cancelled = fetch('http://b.example/', { signal: stop.signal });
  setTimeout(() => stop.abort(), 50);
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  const late = fetch('http://c.example/', { signal: new AbortController().signal, timeoutMs: 100 });
  await expect(late).rejects.toMatchObject({ code: 'timeout' });
  const out = fetch('http://d.example/', { signal: AbortSignal.timeout(100) });
  await expect(out).rejects.toMatchObject({ code: 'timeout' });
  // The connection that was asked for first has not been given up yet.
  expect(given).toBe(false);
  await fetch.close();
  await waiting;
});

test('following a redirect does not wait for the end of its body', async () => {
  expect((await fetchText('/endless-redirect')).text).toBe('plain text');
  await expect.poll(() => gone).toContain('/endless-redirect');
});

test('an empty body is not decompressed', async () => {
  for (const path of ['/empty-gzip', '/empty-chunked'])
    expect(await fetchText(path)).toMatchObject({ status: 200, text: '' });
});

test.each([
  ['POST', '/see-other', 'GET'],
  ['POST', '/found', 'GET'],
  ['POST', '/once', 'GET'],
  ['POST', '/temporary', 'POST'],
  ['PATCH', '/see-other', 'GET'],
  ['PATCH', '/found', 'PATCH'],
  ['DELETE', '/once', 'DELETE'],
] as const)('a %s redirected with %s arrives as %s', async (first, path, method) => {
  const headers = { 'Content-Type': 'application/json' };
  expect((await fetchText(path, { method: first, body: '{}', headers })).text).toBe('plain text');
  expect(seen.at(-1)).toMatchObject({ url: '/plain', method });
  expect(seen.at(-1)?.headers['content-type']).toBe(method === 'GET' ? undefined : 'application/json');
});

test('headers are sent once whatever their case, and an invalid header is named without its value', async () => {
  await fetchText('/plain', { headers: { 'User-Agent': 'Other' } });
  expect(seen.at(-1)?.headers['user-agent']).toBe('Other');
  const bad = fetchText('/plain', { headers: { 'x-name': 'a\nx-more: secret' } });
  await expect(bad).rejects.toMatchObject({
    code: 'bad_request',
    message: expect.stringContaining('"x-name"'),
  });
  await expect(bad).rejects.not.toThrow('secret');
  await expect(bad).rejects.not.toHaveProperty('cause');
});

/** Serves one raw answer for each connection, in turn, and closes it. */
async function rawServer(answers: (string | Buffer)[]) {
  const open = new Set<Socket>();
  const raw = createRawServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => socket.end(answers.shift() ?? ''));
  });
  await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
  const close = () => {
    for (const socket of open) socket.destroy();
    return new Promise((resolve) => raw.close(resolve));
  };
  return { host: `127.0.0.1:${(raw.address() as AddressInfo).port}`, close };
}

const OK = 'HTTP/1.1 200 OK\r\n';

test.each([
  ['a longer body than said', `${OK}content-length: 2\r\n\r\nok, and HTTP/1.1 200`, 'ok'],
  ['two lengths', `${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`, 'another length'],
  ['a negative length', `${OK}content-length: -2\r\n\r\nok`, 'does not speak HTTP'],
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', 'does not speak HTTP'],
  ['a control character in a header', `${OK}x-a: \u0001\r\n\r\n`, 'does not speak HTTP'],
  ['bytes beyond ASCII in a header', `${OK}x-a: é日\r\ncontent-length: 2\r\n\r\nok`, 'ok'],
])('%s', async (_what, answer, expected) => {
  const raw = await rawServer([answer]);
  const signal = new AbortController().signal;
  const fetched = get(`http://${raw.host}/`, { signal, allow: [raw.host] });
  if (expected === 'ok') expect(Buffer.from((await fetched).body).toString()).toBe('ok');
  else
    await expect(fetched).rejects.toMatchObject({
      code: 'upstream',
      message: expect.stringContaining(expected),
      cause: expect.any(Error),
    });
  await raw.close();
});

test('a redirect to a path in UTF-8 is followed', async () => {
  const end = 'connection: close\r\ncontent-length: 0\r\n\r\n';
  const raw = await rawServer([`HTTP/1.1 302 Found\r\nlocation: /é日\r\n${end}`, OK + end]);
  const signal = new AbortController().signal;
  expect((await get(`http://${raw.host}/`, { signal, allow: [raw.host] })).url).toBe(
    `http://${raw.host}/%C3%A9%E6%97%A5`,
  );
  await raw.close();
});

test('a redirect to a path in Latin-1 is followed', async () => {
  const head = Buffer.from(
    'HTTP/1.1 302 Found\r\nlocation: /synspr\xf8ve\r\nconnection: close\r\n',
    'latin1',
  );
  const end = 'connection: close\r\ncontent-length: 0\r\n\r\n';
  const raw = await rawServer([Buffer.concat([head, Buffer.from('content-length: 0\r\n\r\n')]), OK + end]);
  const signal = new AbortController().signal;
  expect((await get(`http://${raw.host}/`, { signal, allow: [raw.host] })).url).toBe(
    `http://${raw.host}/synspr%C3%B8ve`,
  );
  await raw.close();
});

test('a server without TLS is reported in plain words', async () => {
  const signal = new AbortController().signal;
  await expect(get(`https://${host}/plain`, { signal })).rejects.toMatchObject({
    code: 'upstream',
    message: expect.stringContaining('TLS'),
  });
});

test('a name that becomes private between two connections is refused on the second', async () => {
  const answer = `${OK}connection: close\r\ncontent-length: 2\r\n\r\nok`;
  const raw = await rawServer([answer, answer]);
  const lookup = resolver({ 'rebinding.example': ['127.0.0.1', '127.0.0.2'] });
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.1/32'], userAgent: 'x', lookup });
  const signal = new AbortController().signal;
  const url = `http://${raw.host.replace('127.0.0.1', 'rebinding.example')}/`;
  expect((await fetch(url, { signal })).status).toBe(200);
  await expect(fetch(url, { signal })).rejects.toMatchObject({ code: 'forbidden' });
  await fetch.close();
  await raw.close();
});

test('an allow list entry of one call does not apply to the hosts of its redirects', async () => {
  const lookup = resolver({ 'named.example': ['127.0.0.1'] });
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'x', lookup });
  const signal = new AbortController().signal;
  await expect(fetch(`http://${host}/to-name`, { signal, allow: [host] })).rejects.toMatchObject({
    code: 'forbidden',
    message: expect.stringContaining('named.example'),
  });
  await expect(fetch(`http://${host}/plain`, { signal })).rejects.toMatchObject({ code: 'forbidden' });
  await fetch.close();
});

test('redirects are followed up to the permitted number', async () => {
  for (const [maxRedirects, requests] of [
    [undefined, 6],
    [2, 3],
    [0, 1],
  ] as const) {
    const before = seen.length;
    const looped = fetchText('/loop', maxRedirects === undefined ? {} : { maxRedirects });
    await expect(looped).rejects.toMatchObject({ code: 'upstream' });
    expect(seen.length - before).toBe(requests);
  }
});

test('a fetch closed before its first use stays closed', async () => {
  const fetch = createGuardedFetch({ allowHosts: [host], userAgent: 'x' });
  await fetch.close();
  const signal = new AbortController().signal;
  await expect(fetch(`http://${host}/plain`, { signal })).rejects.toMatchObject({ code: 'unavailable' });
});

test('closing ends requests in progress and refuses later requests', async () => {
  const fetch = createGuardedFetch({ allowHosts: [host], userAgent: 'x' });
  const signal = new AbortController().signal;
  const before = gone.filter((name) => name === '/silent').length;
  const asked = seen.length;
  const running = expect(fetch(`http://${host}/silent`, { signal })).rejects.toMatchObject({
    code: 'unavailable',
  });
  await expect.poll(() => seen.length).toBeGreaterThan(asked);
  await fetch.close();
  await running;
  await expect.poll(() => gone.filter((name) => name === '/silent').length).toBeGreaterThan(before);
  await expect(fetch(`http://${host}/plain`, { signal })).rejects.toMatchObject({ code: 'unavailable' });
  await fetch.close();
});

test('credentials do not follow a redirect to another origin', async () => {
  const lookup = resolver({ 'named.example': ['127.0.0.1'] });
  const fetch = createGuardedFetch({ allowHosts: [host, 'named.example'], userAgent: 'x', lookup });
  await fetch(`http://${host}/to-name`, {
    signal: new AbortController().signal,
    headers: {
      Authorization: 'Bearer secret',
      Cookie: 'secret',
      'X-Subscription-Token': 'secret',
      'api-key': 'secret',
      'accept-language': 'de',
    },
  });
  expect(seen.at(-1)?.headers.host).toBe(`named.example:${port}`);
  expect(seen.at(-1)?.headers).toMatchObject({ 'accept-language': 'de' });
  expect(JSON.stringify(seen.at(-1)?.headers)).not.toContain('secret');
  expect(JSON.stringify(seen.at(-2)?.headers).match(/secret/g)).toHaveLength(4);
  await fetch.close();
});

/** A name service of the test's own: answers of a name in turn, the last one for ever. */
function resolver(names: Record<string, string[]>): LookupFunction {
  return (hostname, options, callback) => {
    const answers = names[hostname] ?? [];
    const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
    if (!address) return callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '', 0);
    if (options.all) callback(null, [{ address, family: 4 }]);
    else callback(null, address, 4);
  };
}

test('a name that resolves to a private address is refused, whatever its earlier address', async () => {
  const lookup = resolver({ 'rebound.example': ['127.0.0.1'], 'mixed.example': ['10.0.0.5'] });
  const fetch = createGuardedFetch({ allowHosts: [], userAgent: 'x', lookup });
  const signal = new AbortController().signal;
  for (const name of ['rebound.example', 'mixed.example']) {
    await expect(fetch(`http://${name}:${port}/plain`, { signal })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.not.stringContaining('127.0.0.1'),
    });
  }
  await expect(fetch('http://unknown.example/', { signal })).rejects.toMatchObject({ code: 'upstream' });
  await fetch.close();
});

test('a configured block permits its addresses, and an entry of one call permits one port', async () => {
  const signal = new AbortController().signal;
  const lookup = resolver({ 'inside.example': ['127.0.0.1'] });
  const fetch = createGuardedFetch({ allowHosts: ['127.0.0.0/8'], userAgent: 'x', lookup });
  expect((await fetch(`http://inside.example:${port}/plain`, { signal })).status).toBe(200);
  await fetch.close();
  const closed = createGuardedFetch({ allowHosts: [], userAgent: 'x' });
  expect((await closed(`http://${host}/plain`, { signal, allow: [host] })).status).toBe(200);
  await expect(closed(`http://${host}/to-decimal`, { signal, allow: [host] })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await expect(closed(`http://${host}/plain`, { signal, allow: ['127.0.0.1:1'] })).rejects.toMatchObject({
    code: 'forbidden',
  });
  await closed.close();
});

test('a connection closed by the server as the next request is sent costs no answer, and only a GET is sent again', async () => {
  const ask = (method: 'GET' | 'POST') =>
    get(`http://${host}/idle`, { method, signal: new AbortController().signal });
  const told = async () => Buffer.from((await ask('GET')).body).toString();
  expect([await told(), await told(), await told()]).toEqual(['fresh', 'fresh', 'fresh']);
  const before = seen.length;
  await expect(ask('POST')).rejects.toThrow('broke the connection off');
  expect(seen.length - before).toBe(1);
});
