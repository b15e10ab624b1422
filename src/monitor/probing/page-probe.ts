import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { parseUrl } from '../../lib/network/url-guard.ts';
import { isTrustedByBrowsers } from '../certificates/certificate-problems.ts';
import { stripHostBrackets } from '../targets/target.ts';
import { ClientCertificateError } from './connection-failure.ts';
import { onConnectTimeout } from './tcp-probe.ts';
import {
  buildLenientTlsOptions,
  captureOcspStaple,
  disableCertificateParsing,
  type HandshakeOptions,
  readTlsInfo,
  readUnfinishedTlsInfo,
  type TlsConnectionInfo,
} from './tls-probe.ts';
import { isClientCertificateAlert } from './tls-refusal.ts';

export interface RequestTimings {
  readonly dns: number;
  readonly connect: number;
  readonly tls: number;
  readonly firstByte: number;
  readonly total: number;
}

export interface RedirectHop {
  readonly url: string;
  readonly status: number;
  readonly cookies: readonly string[];
}

export type ProbedPage = Awaited<ReturnType<typeof probePage>>;

export interface PageProbeOptions extends Omit<HandshakeOptions, 'lookup'> {
  readonly userAgent: string;
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirects?: number;
  /** Throws if the URL must not be requested. Otherwise returns the DNS lookup function for the request. */
  judge(url: URL): LookupFunction;
}

const MAX_BYTES = 1_000_000;
const HEADER_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export async function probePage(address: string, options: PageProbeOptions) {
  const { signal, timeoutMs, redirects = 5 } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const begun = performance.now();
  const hops: RedirectHop[] = [];
  let first: Awaited<ReturnType<typeof ask>> | undefined;
  let url = parseUrl(address);
  for (;;) {
    const exchange = await ask(url, { ...options, signal: limit });
    first ??= exchange;
    const { message, body } = exchange;
    const status = message.statusCode ?? 0;
    hops.push({ url: url.href, status, cookies: message.headers['set-cookie'] ?? [] });
    const { location } = message.headers;
    if (REDIRECTS.has(status) && location !== undefined && hops.length <= redirects) {
      url = parseUrl(location, url);
      continue;
    }
    return {
      url: url.href,
      status,
      header: (name: string): readonly string[] => message.headersDistinct[name.toLowerCase()] ?? [],
      /** Body after all redirects, cut off at one megabyte. */
      body,
      hops,
      /** Timings of the first request, before any redirect. */
      timings: first.timings,
      answerMs: performance.now() - begun,
      /** TLS data of the first request (`tls`) and the last (`lastTls`). Undefined for plain HTTP. */
      tls: first.tls,
      lastTls: exchange.tls,
      /** True if browsers accept the certificate without a warning. `trusted` is false for plain HTTP. */
      trusted:
        exchange.tls !== undefined &&
        isTrustedByBrowsers(exchange.tls, stripHostBrackets(url.hostname), Date.now()),
    };
  }
}

async function ask(url: URL, options: PageProbeOptions) {
  const { signal, userAgent, authority, method = 'GET', headers, judge } = options;
  const lookup = judge(url);
  signal.throwIfAborted();
  const host = stripHostBrackets(url.hostname);
  const secure = url.protocol === 'https:';
  const request = (secure ? secureRequest : plainRequest)({
    host,
    port: url.port || (secure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    method,
    agent: false,
    lookup,
    signal,
    maxHeaderSize: HEADER_BYTES,
    headers: { accept: 'text/html,*/*;q=0.8', 'user-agent': userAgent, host: url.host, ...headers },
    ...(secure && buildLenientTlsOptions(host, authority)),
  });
  const { message, facts, timings } = await answerOf(request, host, options);
  return { message, body: await textOf(message), timings, tls: facts };
}

function answerOf(request: ClientRequest, host: string, { connectMs, authority }: PageProbeOptions) {
  type Answer = { message: IncomingMessage; facts: TlsConnectionInfo | undefined; timings: RequestTimings };
  return new Promise<Answer>((resolve, reject) => {
    const begun = performance.now();
    let [resolved, connected, ready] = [begun, begun, begun];
    let facts: TlsConnectionInfo | undefined;
    let isAsked = false;
    request.once('socket', (socket) => {
      disableCertificateParsing(socket);
      const staple = captureOcspStaple(socket);
      // This listener must run first: when later listeners run, the socket no longer has the certificate.
      socket.prependOnceListener('error', (error) => {
        if (!isClientCertificateAlert(error) || !(socket instanceof TLSSocket)) return;
        isAsked = (facts ?? readUnfinishedTlsInfo(socket, staple(), authority)) !== undefined;
      });
      const stopWaiting = onConnectTimeout(socket, host, connectMs, (error) => request.destroy(error));
      request.once('close', stopWaiting);
      socket.once('lookup', () => {
        resolved = performance.now();
      });
      socket.once('connect', () => {
        stopWaiting();
        connected = performance.now();
        ready = connected;
      });
      socket.once('secureConnect', () => {
        ready = performance.now();
        try {
          if (socket instanceof TLSSocket) facts = readTlsInfo(socket, staple(), authority);
          request.end();
        } catch (error) {
          request.destroy(error instanceof Error ? error : undefined);
        }
      });
    });
    request.once('response', (message) => {
      const now = performance.now();
      const timings = {
        dns: resolved - begun,
        connect: connected - resolved,
        tls: facts ? ready - connected : 0,
        firstByte: now - ready,
        total: now - begun,
      };
      resolve({ message, facts, timings });
    });
    request.on('error', (error) => {
      reject(isAsked ? new ClientCertificateError(error) : error);
    });
    // An https request is sent after the handshake (above). Otherwise the handshake's error would be lost.
    if (request.protocol === 'http:') request.end();
  });
}

/** Reads at most one megabyte and does not wait for the rest of the body. */
async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= MAX_BYTES) break;
  }
  message.destroy();
  const { decodeBytes } = await import('../../lib/encoding/decode-bytes.ts');
  const contentType = message.headers['content-type'] ?? '';
  const declares = /html/i.test(contentType) ? 'html' : 'nothing';
  return decodeBytes(Buffer.concat(parts).subarray(0, MAX_BYTES), { contentType, declares }).text;
}
