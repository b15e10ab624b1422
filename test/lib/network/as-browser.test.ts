import { type AddressInfo, createServer, type Server } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createGuardedFetch, type GuardedFetch } from '../../../src/lib/network/fetch.ts';
import { createRedirectCookies } from '../../../src/lib/network/redirect-cookies.ts';

let server: Server;
let host: string;
let get: GuardedFetch;
let answer: (request: string) => string | Buffer = () => '';
let asked: string[] = [];

beforeAll(async () => {
  server = createServer((socket) => {
    socket
      .on('error', () => {})
      .once('data', (head) => {
        asked.push(String(head));
        socket.end(Buffer.from(answer(String(head)) as string, 'latin1'));
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  get = createGuardedFetch({ allowHosts: [host], userAgent: 'test' });
});
beforeEach(() => {
  asked = [];
});
afterAll(async () => {
  await get.close();
  await new Promise((resolve) => server.close(resolve));
});

const fetchPage = async (path = '/', asBrowser = true) => {
  const signal = new AbortController().signal;
  const {
    status,
    body,
    isCut = false,
  } = await get(`http://${host}${path}`, { signal, asBrowser, maxBytes: 100_000 });
  return { status, body: Buffer.from(body).toString(), isCut };
};

test.each<[string, string | Buffer, boolean]>([
  ['bare LF', 'HTTP/1.1 200 OK\n\nhello', false],
  ['a header name with blanks', 'HTTP/1.1 200 OK\r\nX Powered By: a\r\n\r\nhello', false],
  [
    'chunks with a length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    false,
  ],
  ['no last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', true],
  ['a cut body', 'HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhello', true],
  [
    'an encoding that is none',
    'HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\nContent-Length: 5\r\n\r\nhello',
    false,
  ],
])('%s is read for a page alone', async (_name, sent, isBroken) => {
  answer = () => sent;
  expect(await fetchPage()).toEqual({ status: 200, body: 'hello', isCut: isBroken && 'broken' });
  await expect(fetchPage('/', false)).rejects.toMatchObject({ name: 'AppError' });
});

test('a cut gzip is read as far as it goes', async () => {
  const text = Array.from({ length: 500 }, (_, index) => `line ${index * 7919}\n`).join('');
  const packed = gzipSync(text);
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length - 500}\r\n\r\n`;
  answer = () =>
    Buffer.concat([Buffer.from(head), packed.subarray(0, packed.length - 500)]).toString('latin1');
  const { body, isCut } = await fetchPage();
  expect(isCut).toBe('broken');
  expect(text.startsWith(body) && body.length > 100).toBe(true);
});

test('an odd answer cannot lead to a private address, nor over the limit of bytes', async () => {
  answer = () => 'HTTP/1.1 302 Found\nLocation: http://10.0.0.1/\n\n';
  await expect(fetchPage()).rejects.toMatchObject({ code: 'forbidden' });
  answer = () => `HTTP/1.1 200 OK\n\n${'x'.repeat(200_000)}`;
  await expect(fetchPage()).rejects.toMatchObject({ code: 'too_large' });
});

test('a second request has the same headers and no lines of its own', async () => {
  answer = () => 'HTTP/1.1 200 OK\n\nhello';
  await fetchPage('/a%0d%0ax:%201?q=\r\nx-injected: 1'.replace('\r\n', ''));
  const [first = '', second = ''] = asked.map((head) => head.split('\r\n').sort().join('\n').toLowerCase());
  expect(asked).toHaveLength(2);
  expect(second.replace('connection: close', '')).toBe(first.replace('connection: keep-alive', ''));
});

test('cookies hold within one chain of redirects, and nowhere else', async () => {
  answer = (request) =>
    /^cookie: consent=1\r/im.test(request)
      ? 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello'
      : 'HTTP/1.1 302 Found\r\nConnection: close\r\nSet-Cookie: consent=1; Path=/\r\nLocation: /wall\r\n\r\n';
  expect(await fetchPage('/wall')).toMatchObject({ status: 200, body: 'hello' });
  expect(asked).toHaveLength(2);
  expect(await fetchPage('/wall')).toMatchObject({ status: 200 });
  expect(asked.filter((head) => /^cookie:/im.test(head))).toHaveLength(2);
  expect(asked[2]).not.toMatch(/^cookie:/im);
  await expect(fetchPage('/wall', false)).rejects.toMatchObject({ code: 'upstream' });
});

test('a cookie goes to the hosts, paths and schemes that it is for', () => {
  const sent = (from: string, line: string, to: string) => {
    const jar = createRedirectCookies();
    jar.keep(new URL(from), [line]);
    return jar.header(new URL(to));
  };
  expect(sent('https://a.example/', 'x=1', 'https://a.example/b')).toBe('x=1');
  expect(sent('https://a.example/', 'x=1', 'https://b.example/')).toBeUndefined();
  expect(sent('https://a.example/', 'x=1', 'https://www.a.example/')).toBeUndefined();
  expect(sent('https://www.a.example/', 'x=1; Domain=.a.example', 'https://b.a.example/')).toBe('x=1');
  expect(sent('https://www.a.example/', 'x=1; Domain=example', 'https://b.example/')).toBeUndefined();
  expect(sent('https://a.co.uk/', 'x=1; domain=co.uk', 'https://b.co.uk/')).toBeUndefined();
  expect(sent('https://a.example/', 'x=1; domain=b.example', 'https://b.example/')).toBeUndefined();
  expect(sent('https://a.example/', 'x=1; secure', 'http://a.example/')).toBeUndefined();
  expect(sent('https://a.example/p/q', 'x=1', 'https://a.example/p/r')).toBe('x=1');
  expect(sent('https://a.example/p/q', 'x=1', 'https://a.example/pr')).toBeUndefined();
  expect(sent('https://a.example/', 'x=1; max-age=0', 'https://a.example/')).toBeUndefined();
  expect(sent('https://a.example/', 'x=a\x01b', 'https://a.example/')).toBeUndefined();
  expect(sent('https://a.example/', `x=${'a'.repeat(5000)}`, 'https://a.example/')).toBeUndefined();
});
