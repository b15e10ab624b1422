import { request as httpRequest } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GuardProxy, startGuardProxy } from '../../src/lib/network/guard-proxy.ts';
import { createUrlGuard } from '../../src/lib/network/url-guard.ts';
import { type Deed, HEADERS, LENGTHS, PROTOCOL, SLOW } from './hostile-answers.ts';

let server: Server;
let host: string;
let proxy: GuardProxy;
let deed: Deed = () => {};
const open = new Set<Socket>();

beforeAll(async () => {
  server = createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    socket.once('data', () => deed(socket, '/'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  proxy = await startGuardProxy(createUrlGuard({ allowHosts: [host] }));
});

afterAll(async () => {
  await proxy.close();
  for (const socket of open) socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

/** How a request through the proxy ends: a status and a body, or a connection that breaks off. */
function through(timeoutMs: number): Promise<{ status: number; body: string } | Error> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { username, password } = proxy.lease({ maxBytes: 1_000_000, signal });
  const { hostname, port } = new URL(proxy.server);
  const headers = {
    'proxy-authorization': `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  };
  return new Promise((resolve) => {
    const call = { hostname, port, path: `http://${host}/`, headers, agent: false };
    const request = httpRequest(call, (response) => {
      let body = '';
      response.on('error', resolve);
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1');
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', resolve).end();
  });
}

const HOSTILE = [...HEADERS, ...PROTOCOL, ...LENGTHS, ...SLOW.slice(0, 4)];

test.each(HOSTILE)('$why: the connection ends, and no connection stays open', async (hostile) => {
  deed = hostile.deed;
  const result = await through(hostile.code?.includes('timeout') ? 100 : 10_000);
  if (!(result instanceof Error)) {
    expect(result.status).toBeGreaterThanOrEqual(200);
    expect(result.body.length).toBeLessThan(2_000_000);
    if (hostile.body !== undefined && hostile.status === undefined) expect(result.body).toBe(hostile.body);
  }
  await expect.poll(() => open.size, { timeout: 60_000, interval: 5 }).toBe(0);
});

test('the proxy works normally after all hostile requests', async () => {
  deed = (socket) => void socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 4\r\n\r\nfine');
  expect(await through(10_000)).toEqual({ status: 200, body: 'fine' });
});
