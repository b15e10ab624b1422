import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createRawServer,
  type LookupFunction,
  type Socket,
} from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuardProxy, startGuardProxy } from '../../../src/lib/network/guard-proxy.ts';
import type { ProxyLease } from '../../../src/lib/network/proxy-lease.ts';
import { createUrlGuard } from '../../../src/lib/network/url-guard.ts';

let host: string;
let port: number;
let proxy: GuardProxy;
let rawPort: number;
let looked: string[] = [];
const seen: IncomingMessage[] = [];
const open = new Set<Socket>();

/** Names of the test's own; `rebinding.example` is allowed at first and private ever after. */
const NAMES: Record<string, string[]> = {
  'inside.example': ['127.0.0.1'],
  'outside.example': ['10.0.0.1'],
  'rebinding.example': ['127.0.0.1', '127.0.0.2'],
};
const lookup: LookupFunction = (name, options, callback) => {
  looked.push(name);
  const answers = NAMES[name] ?? [];
  const address = (answers.length > 1 ? answers.shift() : answers[0]) ?? '';
  if (name === 'silent.example') return;
  if (!address) return callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), '', 0);
  if (options.all) callback(null, [{ address, family: 4 }]);
  else callback(null, address, 4);
};

const web = createServer((request, response) => {
  seen.push(request);
  if (request.url === '/endless') {
    const more = setInterval(() => response.write('x'.repeat(65_536)), 1);
    return void response.on('close', () => clearInterval(more));
  }
  if (request.url === '/hop') response.setHeader('connection', 'x-secret, close').setHeader('x-secret', '1');
  if (request.url === '/two') response.setHeader('set-cookie', ['a=1', 'b=2']);
  if (request.url === '/silent') return;
  request.pipe(response.writeHead(request.url === '/missing' ? 404 : 200, { 'x-path': request.url ?? '' }));
});
const echo = createRawServer((socket) => {
  open.add(socket);
  socket.on('error', () => {}).on('close', () => open.delete(socket));
  socket.pipe(socket);
});

beforeAll(async () => {
  for (const server of [web, echo]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  }
  port = (web.address() as AddressInfo).port;
  rawPort = (echo.address() as AddressInfo).port;
  host = `127.0.0.1:${port}`;
  proxy = await startGuardProxy(createUrlGuard({ allowHosts: ['127.0.0.1/32'], lookup }));
});

afterAll(async () => {
  await proxy.close();
  web.closeAllConnections();
  for (const socket of open) socket.destroy();
  await Promise.all([web, echo].map((server) => new Promise((resolve) => server.close(resolve))));
});

const lease = (limits: { maxBytes?: number; maxConnections?: number; signal?: AbortSignal } = {}) =>
  proxy.lease({ maxBytes: 1_000_000, signal: new AbortController().signal, ...limits });

const basic = ({ username, password }: Pick<ProxyLease, 'username' | 'password'>) => ({
  'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** One request through the proxy, as a browser puts it for plain HTTP. */
function through(url: string, headers: Record<string, string>, body = ''): Promise<Answer> {
  const { hostname, port } = new URL(proxy.server);
  return new Promise((resolve, reject) => {
    const method = body ? 'POST' : 'GET';
    const request = httpRequest({ hostname, port, path: url, method, headers, agent: false }, (response) => {
      let text = '';
      response.on('error', reject);
      response.on('data', (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    request.on('error', reject).end(body);
  });
}

/** CONNECT, as a browser does it for TLS and WebSockets; the socket is there when it was let through. */
function dig(
  authority: string,
  headers: Record<string, string>,
): Promise<{ status: number; socket: Socket }> {
  const { hostname, port } = new URL(proxy.server);
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      hostname,
      port,
      method: 'CONNECT',
      path: authority,
      headers,
      agent: false,
    });
    request.on('connect', (response, socket) => {
      socket.on('error', () => {});
      resolve({ status: response.statusCode ?? 0, socket: socket as Socket });
    });
    request.on('error', reject).end();
  });
}

test('plain HTTP is forwarded with status, headers and body, without hop-by-hop headers', async () => {
  const pass = basic(lease());
  expect(await through(`http://${host}/a?b=c`, { ...pass, te: 'x', 'x-mine': '1' }, 'a body')).toMatchObject({
    status: 200,
    body: 'a body',
    headers: { 'x-path': '/a?b=c' },
  });
  expect(seen.at(-1)).toMatchObject({ method: 'POST', headers: { host, 'x-mine': '1' } });
  expect(seen.at(-1)?.headers).not.toHaveProperty('proxy-authorization');
  expect(seen.at(-1)?.headers).not.toHaveProperty('te');
  expect(await through(`http://${host}/missing`, pass)).toMatchObject({ status: 404 });
  expect((await through(`http://${host}/hop`, pass)).headers).not.toHaveProperty('x-secret');
  expect((await through(`http://${host}/two`, pass)).headers['set-cookie']).toEqual(['a=1', 'b=2']);
});

test('a tunnel carries bytes in both directions, and its name is resolved for the connection', async () => {
  looked = [];
  const { status, socket } = await dig(`inside.example:${rawPort}`, basic(lease()));
  expect(status).toBe(200);
  socket.write('hello');
  expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toBe('hello');
  expect(looked).toEqual(['inside.example']);
  socket.destroy();
  await expect.poll(() => open.size).toBe(0);
});

test.each([
  ['no pass', {}],
  ['another scheme', { 'proxy-authorization': 'Bearer x' }],
  ['a wrong pass', basic({ username: 'a', password: 'b' })],
])('with %s no request is forwarded', async (_what, headers) => {
  const before = seen.length;
  expect(await through(`http://${host}/`, headers)).toMatchObject({
    status: 407,
    headers: { 'proxy-authenticate': 'Basic realm="magpie"' },
  });
  expect((await dig(host, headers)).status).toBe(407);
  expect(seen.length).toBe(before);
});

test('the password of one pass does not open another', async () => {
  const [a, b] = [lease(), lease()];
  const mixed = basic({ username: a.username, password: b.password });
  expect((await through(`http://${host}/`, mixed)).status).toBe(407);
});

test.each([
  ['10.0.0.1', 403],
  ['169.254.169.254', 403],
  ['localhost', 502],
  ['metadata.google.internal', 502],
  ['127.0.0.2', 403],
  ['[::1]', 403],
  ['[::ffff:10.0.0.1]', 403],
  ['2130706434', 403],
  ['outside.example', 403],
  ['unknown.example', 502],
])('%s is not reached by HTTP or by a tunnel [safety.private]', async (name, status) => {
  const pass = basic(lease());
  expect((await through(`http://${name}/`, pass)).status).toBe(status);
  expect((await dig(`${name}:443`, pass)).status).toBe(status);
});

test('without a configured block a private name is not even resolved', async () => {
  const strict = await startGuardProxy(createUrlGuard({ allowHosts: [], lookup }));
  const { username, password } = strict.lease({ maxBytes: 1000, signal: new AbortController().signal });
  looked = [];
  const { hostname, port } = new URL(strict.server);
  const status = await new Promise((resolve) => {
    const headers = basic({ username, password });
    httpRequest({ hostname, port, method: 'CONNECT', path: 'localhost:80', headers })
      .on('connect', (response) => resolve(response.statusCode))
      .end();
  });
  expect(status).toBe(403);
  expect(looked).toEqual([]);
  await strict.close();
});

test('a name that becomes private between two connections is refused on the second', async () => {
  const pass = basic(lease());
  expect((await through(`http://rebinding.example:${port}/`, pass)).status).toBe(200);
  expect((await through(`http://rebinding.example:${port}/`, pass)).status).toBe(403);
});

test.each([
  'http://example.com:25/',
  'https://example.com/',
  'ftp://example.com/',
  'http://user:secret@127.0.0.1/',
  '/path',
  '*',
])('%s is not a proxy request', async (url) => {
  const { status } = await through(url, basic(lease()));
  expect([400, 403]).toContain(status);
});

test.each(['127.0.0.1', '127.0.0.1:', 'a@127.0.0.1:80', '127.0.0.1:80/x', '127.0.0.1:99999', '127.0.0.1:22'])(
  'a tunnel to %s is refused',
  async (authority) => {
    const { status } = await dig(authority, basic(lease()));
    expect([400, 403]).toContain(status);
  },
);

test('a pass above its byte limit ends with all its connections', async () => {
  const pass = lease({ maxBytes: 300_000 });
  const { socket } = await dig(`127.0.0.1:${rawPort}`, basic(pass));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  await expect(through(`http://${host}/endless`, basic(pass))).rejects.toThrow();
  await ended;
  expect(pass.exhausted).toBe(true);
  expect(pass.bytes).toBeGreaterThan(300_000);
  expect((await through(`http://${host}/`, basic(pass))).status).toBe(407);
});

test('a tunnel uses up bytes in both directions', async () => {
  const pass = lease({ maxBytes: 10_000 });
  const { socket } = await dig(`127.0.0.1:${rawPort}`, basic(pass));
  const ended = new Promise((resolve) => socket.on('close', resolve));
  socket.resume().write('x'.repeat(6000));
  await ended;
  expect(pass.exhausted).toBe(true);
});

test('a pass ends with its signal, its close or the proxy, and a connection above its number is dropped', async () => {
  const stop = new AbortController();
  const [a, b] = [lease({ signal: stop.signal }), lease({ maxConnections: 1 })];
  const first = await dig(`127.0.0.1:${rawPort}`, basic(a));
  const second = await dig(`127.0.0.1:${rawPort}`, basic(b));
  await expect(dig(`127.0.0.1:${rawPort}`, basic(b))).rejects.toThrow();
  const ends = [first, second].map(({ socket }) => new Promise((resolve) => socket.on('close', resolve)));
  stop.abort();
  await ends[0];
  b.close();
  await ends[1];
  await expect.poll(() => open.size).toBe(0);
  expect((await through(`http://${host}/`, basic(a))).status).toBe(407);
  expect((await through(`http://${host}/`, basic(lease({ signal: AbortSignal.abort() })))).status).toBe(407);
});

test('a browser that disconnects ends its upstream connection', async () => {
  const before = seen.length;
  const { hostname, port: at } = new URL(proxy.server);
  const socket = connect(Number(at), hostname);
  const [name, value] = Object.entries(basic(lease()))[0] ?? [];
  socket.write(`GET http://${host}/silent HTTP/1.1\r\nhost: ${host}\r\n${name}: ${value}\r\n\r\n`);
  await expect.poll(() => seen.length).toBe(before + 1);
  const gone = new Promise((resolve) => seen.at(-1)?.socket.on('close', resolve));
  socket.destroy();
  await gone;
});

test('closing does not wait for requests in progress', async () => {
  const other = await startGuardProxy(createUrlGuard({ allowHosts: ['127.0.0.1'] }));
  const { username, password } = other.lease({ maxBytes: 1000, signal: new AbortController().signal });
  const { hostname, port: at } = new URL(other.server);
  const closed = new Promise((resolve) => {
    httpRequest({ hostname, port: at, path: `http://${host}/silent`, headers: basic({ username, password }) })
      .on('error', resolve)
      .end();
  });
  const before = seen.length;
  await expect.poll(() => seen.length).toBeGreaterThan(before);
  await other.close();
  expect(await closed).toBeInstanceOf(Error);
});
