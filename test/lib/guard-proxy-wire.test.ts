import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer as createRawServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  GUARDED_CHROMIUM_ARGS,
  type GuardProxy,
  startGuardProxy,
} from '../../src/lib/network/guard-proxy.ts';
import type { ProxyLease } from '../../src/lib/network/proxy-lease.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';

/** What the site was asked, and what it answers beside its body. */
let asked: { readonly method?: string; readonly url?: string; readonly headers: IncomingHttpHeaders }[] = [];
const web = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  asked.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers });
  if (request.url === '/upgrade') {
    return void request.socket.end(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    );
  }
  if (request.url === '/half') {
    response.writeHead(200, { 'content-length': 8 }).write('half');
    return void setImmediate(() => request.socket.destroy());
  }
  if (request.url === '/long') response.setHeader('x-long', LONG);
  if (request.url === '/hop') {
    for (const [name, value] of HOP) response.setHeader(name, value);
    response.setHeader('connection', 'X-Named,\tx-second');
    for (const [name, value] of KEPT) response.setHeader(name, value);
  }
  request.resume().on('end', () => response.end('body'));
});
/** More than Node.js takes of headers by itself, and less than the proxy does. */
const LONG = 'x'.repeat(20_000);
/** Breaks the connection off at what it is sent. */
const broken = createRawServer((socket) => {
  socket.on('error', () => {}).on('data', () => socket.resetAndDestroy());
});
/** Says back what it is sent. */
const echo = createRawServer((socket) => void socket.on('error', () => {}).pipe(socket));
const HOP = [
  ['keep-alive', 'timeout=5'],
  ['proxy-connection', 'keep-alive'],
  ['proxy-x', '1'],
  ['te', 'trailers'],
  ['trailer', 'x-t'],
  ['x-named', '1'],
  ['x-second', '1'],
] as const;
const KEPT = [
  ['x-te', '1'],
  ['tea', '1'],
  ['x-proxy-a', '1'],
  ['upgrade-insecure-requests', '1'],
  ['x-third', '1'],
] as const;

let proxy: GuardProxy;
let site: string;
let echoPort: number;
/** A port where no one listens. */
let closedPort: number;
const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
const listen = (server: { listen(port: number, host: string, done: () => void): unknown }) =>
  new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

beforeAll(async () => {
  const brief = createRawServer();
  for (const server of [web, echo, brief, broken]) await listen(server);
  site = `127.0.0.1:${portOf(web)}`;
  echoPort = portOf(echo);
  closedPort = portOf(brief);
  await new Promise((resolve) => brief.close(resolve));
  proxy = await startGuardProxy(createUrlGuard({ allowHosts: ['127.0.0.1/32'] }));
});
afterAll(async () => {
  await proxy.close();
  web.closeAllConnections();
  await Promise.all([web, echo, broken].map((server) => new Promise((resolve) => server.close(resolve))));
});

const lease = (maxBytes = 1_000_000) => proxy.lease({ maxBytes, signal: new AbortController().signal });
const packed = ({ username, password }: ProxyLease) =>
  Buffer.from(`${username}:${password}`).toString('base64');

/** What the proxy answers to these very bytes, up to `until` or the end of the connection. */
function said(bytes: string, until?: string): Promise<string> {
  const socket: Socket = connect(Number(new URL(proxy.server).port), '127.0.0.1');
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('error', reject).on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until && text.includes(until)) socket.destroy();
    });
    socket.on('close', () => resolve(text));
    socket.write(bytes);
  });
}

const request = (line: string, authorization: string | undefined, more = '', until?: string) =>
  said(
    `${line} HTTP/1.1\r\nhost: x\r\n${authorization === undefined ? '' : `proxy-authorization: ${authorization}\r\n`}` +
      `${/^connection:/im.test(more) ? '' : 'connection: close\r\n'}${more}\r\n`,
    until,
  );
const statusOf = (answer: string) => Number(answer.split(' ')[1]);

test('a browser is started so that all its traffic goes through the proxy', () => {
  expect(GUARDED_CHROMIUM_ARGS).toEqual([
    '--proxy-bypass-list=<-loopback>',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    '--dns-prefetch-disable',
  ]);
  expect(proxy.server).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
});

test('without a pass the proxy asks for credentials, over HTTP and for a tunnel', async () => {
  const answer = await request(`GET http://${site}/`, undefined);
  expect(answer).toMatch(/^HTTP\/1\.1 407 /);
  expect(answer).toMatch(/\r\nproxy-authenticate: Basic realm="magpie"\r\ncontent-length: 0\r\n/);
  expect(await request(`CONNECT ${site}`, undefined)).toBe(
    'HTTP/1.1 407 Refused\r\nproxy-authenticate: Basic realm="magpie"\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  );
});

test('a pass is accepted only in the form of HTTP credentials', async () => {
  const pass = packed(lease());
  const status = async (authorization: string) =>
    statusOf(await request(`GET http://${site}/`, authorization));
  expect(await status(`Basic ${pass}`)).toBe(200);
  expect(await status(`basic ${pass}`)).toBe(200);
  for (const other of [
    pass,
    `xBasic ${pass}`,
    `Basic ${pass} x`,
    `Basic  ${pass}`,
    'Basic',
    `Bearer ${pass}`,
  ]) {
    expect(await status(other), other).toBe(407);
  }
  const [a, b] = [lease(), lease()];
  a.close();
  expect(await status(`Basic ${packed(a)}`)).toBe(407);
  expect(await status(`Basic ${packed(b)}`)).toBe(200);
});

test.each([
  ['GET http://example.com:25/', 403],
  ['GET https://example.com/', 400],
  ['GET http://user:secret@127.0.0.1/', 400],
  ['GET /path', 400],
  ['GET *', 400],
  ['CONNECT 127.0.0.1', 400],
  ['CONNECT 127.0.0.1:', 400],
  ['CONNECT a@127.0.0.1:80', 400],
  ['CONNECT 127.0.0.1:80/x', 400],
  ['CONNECT x127.0.0.1:443443', 400],
  ['CONNECT 127.0.0.1:99999', 400],
  ['CONNECT 127.0.0.1:22', 403],
  ['CONNECT [::1]:443', 403],
  ['CONNECT [::1:443', 400],
  ['CONNECT 10.0.0.1:443', 403],
])('%s is refused with %d', async (line, status) => {
  const pass = packed(lease());
  const answer = await request(line, `Basic ${pass}`);
  expect(statusOf(answer)).toBe(status);
  if (line.startsWith('CONNECT')) {
    expect(answer).toBe(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
  } else expect(answer).toMatch(/\r\ncontent-type: text\/plain\r\nconnection: close\r\n/);
});

test('a site that does not listen, or that changes the protocol unasked, gives a bad gateway', async () => {
  const pass = `Basic ${packed(lease())}`;
  expect(statusOf(await request(`GET http://127.0.0.1:${closedPort}/`, pass))).toBe(502);
  expect(await request(`CONNECT 127.0.0.1:${closedPort}`, pass)).toBe(
    'HTTP/1.1 502 Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n',
  );
  expect(statusOf(await request(`GET http://${site}/upgrade`, pass))).toBe(502);
});

test('hop-by-hop headers are removed in both directions, with the headers that they name, and all others are forwarded', async () => {
  asked = [];
  const lines = [...HOP, ...KEPT].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const answer = await request(
    `DELETE http://${site}/hop`,
    `Basic ${packed(lease())}`,
    `connection: close, X-Named,\tx-second\r\n${lines}`,
  );
  const [, head = ''] = /^(.*?)\r\n\r\n/s.exec(answer.toLowerCase()) ?? [];
  const names = head.split('\r\n').map((line) => line.split(':')[0]);
  const [{ method, url, headers } = { headers: {} }] = asked;
  expect([method, url, headers.host]).toEqual(['DELETE', '/hop', site]);
  // The proxy says for its own hop whether a connection is kept.
  for (const [name] of HOP.filter(([one]) => one !== 'keep-alive')) {
    expect(headers).not.toHaveProperty(name);
    expect(names).not.toContain(name);
  }
  expect(head).not.toContain('timeout=5');
  for (const [name, value] of KEPT) {
    expect(headers).toHaveProperty(name, value);
    expect(names).toContain(name);
  }
});

test('data sent with the request for a tunnel goes through the tunnel', async () => {
  const pass = lease();
  const answer = await said(
    `CONNECT 127.0.0.1:${echoPort} HTTP/1.1\r\nhost: x\r\nproxy-authorization: Basic ${packed(pass)}\r\n\r\nearly`,
    'early',
  );
  expect(answer).toBe('HTTP/1.1 200 Connection established\r\n\r\nearly');
  // The answer's bytes, and 64 for the piece.
  expect(pass.bytes).toBe(5 + 64);
});

test('a request uses up the bytes of its body and of the answer', async () => {
  const pass = lease();
  await request(
    `POST http://${site}/`,
    `Basic ${packed(pass)}`,
    `content-length: 3000\r\n\r\n${'x'.repeat(3000)}`,
  );
  expect(pass.bytes).toBeGreaterThanOrEqual(3000 + 64 + 'body'.length + 64);
  expect(pass.bytes).toBeLessThan(6000);
});

test('data that is not HTTP gets no answer', async () => {
  expect(await said('no request\r\n\r\n')).toBe('');
});

test('long headers are accepted in both directions', async () => {
  asked = [];
  const answer = await request(`GET http://${site}/long`, `Basic ${packed(lease())}`, `x-long: ${LONG}\r\n`);
  expect(statusOf(answer)).toBe(200);
  expect(answer).toContain(LONG);
  expect(asked[0]?.headers['x-long']).toBe(LONG);
});

test('a site that breaks off also ends the connection of its caller', async () => {
  const pass = `Basic ${packed(lease())}`;
  const half = await request(`GET http://${site}/half`, pass);
  expect(half).toMatch(/^HTTP\/1\.1 200 /);
  expect(half).toMatch(/\r\n\r\n(?:half)?$/);
  const tunnel = await said(
    `CONNECT 127.0.0.1:${portOf(broken)} HTTP/1.1\r\nhost: x\r\nproxy-authorization: ${pass}\r\n\r\nearly`,
  );
  expect(tunnel).toMatch(/^(?:HTTP\/1\.1 200 Connection established\r\n\r\n)?$/);
});
