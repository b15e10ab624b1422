import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { asAppError, badRequestError, upstreamError } from '../../errors.ts';
import chromium from './chromium-arguments.json' with { type: 'json' };
import { fetchError, MAX_HEADER_BYTES } from './network-failure.ts';
import {
  createProxyLease,
  type ProxyLease,
  type ProxyLeaseControl,
  type ProxyLeaseLimits,
} from './proxy-lease.ts';
import { parseUrl, type UrlGuard } from './url-guard.ts';

export type GuardProxy = Awaited<ReturnType<typeof startGuardProxy>>;

/** Chromium's flags for the proxy: all traffic goes through it, and Chromium resolves no host names. */
export const GUARDED_CHROMIUM_ARGS: readonly string[] = chromium.guarded;
export const RENDERING_CHROMIUM_ARGS: readonly string[] = [...chromium.guarded, ...chromium.rendering];

const MAX_CONNECTIONS = 256;
const CONNECT_MS = 10_000;
const IDLE_MS = 30_000;
/** Headers that apply to a single connection (RFC 9110, 7.6.1). */
const HOP = /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/i;

/** Starts a local HTTP proxy for a browser. Clients need a lease. The guard allows or refuses each host. */
export async function startGuardProxy(guard: UrlGuard) {
  const leases = new Map<string, ProxyLeaseControl>();
  const passOf = ({ headers }: IncomingMessage) => {
    const [, packed = ''] =
      /^Basic ([A-Za-z0-9+/=]{1,200})$/i.exec(headers['proxy-authorization'] ?? '') ?? [];
    const [username = '', password = ''] = Buffer.from(packed, 'base64').toString('latin1').split(':');
    const lease = leases.get(username);
    return lease?.accepts(password) ? lease : undefined;
  };

  const server = createServer(
    { maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: CONNECT_MS },
    (request, response) => {
      const lease = passOf(request);
      if (!lease) return void response.writeHead(407, CHALLENGE).end();
      forward(request, response, guard, lease);
    },
  );
  server.maxConnections = MAX_CONNECTIONS;
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    const lease = passOf(request);
    if (!lease) return void refuse(client, 407, 'proxy-authenticate: Basic realm="magpie"\r\n');
    tunnel(request.url ?? '', client, head, guard, lease);
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', () => resolve());
  });

  return {
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lease(limits: ProxyLeaseLimits): ProxyLease {
      const lease = createProxyLease(limits, () => leases.delete(lease.username));
      if (!limits.signal.aborted) leases.set(lease.username, lease);
      return lease;
    },
    async close(): Promise<void> {
      for (const lease of [...leases.values()]) lease.close();
      const closing = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closing;
    },
  };
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="magpie"', 'content-length': 0 };

function forward(
  request: IncomingMessage,
  response: ServerResponse,
  guard: UrlGuard,
  lease: ProxyLeaseControl,
): void {
  const fail = (thrown: unknown) => {
    if (response.headersSent || response.destroyed) return void response.destroy();
    const { status } = asAppError(thrown);
    response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end();
  };
  try {
    const url = parseUrl(request.url ?? '');
    // A browser sends https through CONNECT, so an https URL in a plain request is an error.
    if (url.protocol !== 'http:') throw badRequestError('https goes through CONNECT');
    const lookup = guard.lookups[guard.judge(url)];
    const upstream = httpRequest(url, {
      lookup,
      agent: false,
      method: request.method ?? 'GET',
      headers: { ...endToEnd(request), host: url.host },
      maxHeaderSize: MAX_HEADER_BYTES,
      timeout: IDLE_MS,
    });
    upstream.on('timeout', () => upstream.destroy(late()));
    upstream.on('error', (error) => fail(asRefusal(error, url)));
    // Reports a protocol switch as an error. Without this listener, Node.js would just close the connection.
    upstream.on('upgrade', (_answer, socket) => {
      socket.destroy();
      fail(upstreamError('it changes the protocol unasked'));
    });
    upstream.on('response', (answer) => {
      answer.on('error', () => response.destroy());
      answer.on('data', (chunk: Buffer) => lease.spend(chunk.length));
      try {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer));
      } catch {
        return void response.destroy();
      }
      answer.pipe(response);
    });
    request.on('data', (chunk: Buffer) => lease.spend(chunk.length));
    request.on('error', () => upstream.destroy());
    response.on('close', () => upstream.destroy());
    lease.hold(upstream, response);
    request.pipe(upstream);
  } catch (error) {
    fail(error);
  }
}

function tunnel(authority: string, client: Duplex, head: Buffer, guard: UrlGuard, lease: ProxyLeaseControl) {
  const [, port] = AUTHORITY.exec(authority) ?? [];
  if (port === undefined) return void refuse(client, 400);
  let upstream: Socket;
  let url: URL;
  try {
    url = parseUrl(`http://${authority}/`);
    const lookup = guard.lookups[guard.judge(url)];
    upstream = connect({ host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port), lookup });
  } catch (error) {
    return void refuse(client, asAppError(error).status);
  }
  let open = false;
  upstream.setTimeout(CONNECT_MS, () => upstream.destroy(late()));
  upstream.on('error', (error) => {
    if (open) client.destroy();
    else refuse(client, asRefusal(error, url).status);
  });
  upstream.on('connect', () => {
    open = true;
    upstream.setTimeout(IDLE_MS);
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    upstream.write(head);
    for (const side of [upstream, client]) side.on('data', (chunk: Buffer) => lease.spend(chunk.length));
    upstream.pipe(client).pipe(upstream);
  });
  client.on('close', () => upstream.destroy());
  // `client.end()` does not close the connection of a client that reads no data, so a timeout closes it.
  upstream.on('close', () => {
    client.end();
    if (client instanceof Socket) client.setTimeout(IDLE_MS, () => client.destroy());
  });
  lease.hold(upstream, client);
}

const AUTHORITY = /^(?:\[[0-9a-f:.]+\]|[^\s/?#@:[\]\\]+):(\d{1,5})$/i;

function refuse(client: Duplex, status: number, header = ''): void {
  client.end(`HTTP/1.1 ${status} Refused\r\n${header}content-length: 0\r\nconnection: close\r\n\r\n`);
}

const late = (): DOMException => new DOMException('no answer in time', 'TimeoutError');

const NEVER = new AbortController().signal;

function asRefusal(error: unknown, url: URL) {
  if (error instanceof DOMException) return asAppError(error);
  return fetchError(error, { url, caller: NEVER, deadline: NEVER, timeoutMs: CONNECT_MS });
}

function endToEnd({ headersDistinct, headers }: IncomingMessage): Record<string, string[]> {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/[\s,]+/));
  const kept = Object.entries(headersDistinct).filter(([name]) => !HOP.test(name) && !named.has(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values ?? []]));
}
