import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import { parseUrl } from '../../lib/network/url-guard.ts';
import { isTrusted } from '../certificates/certificate-faults.ts';
import { bareHost } from '../targets/target.ts';
import { onConnectLate } from './tcp-probe.ts';
import {
  factsOf,
  leaveNamesToUs,
  stapleOf,
  type TlsFacts,
  tlsTerms,
  unfinishedFactsOf,
} from './tls-probe.ts';
import { asksForCertificate } from './tls-refusal.ts';
import { ClientCertificateError } from './unreached.ts';

/** Time of each step in milliseconds since the start of the request. */
export interface Timings {
  readonly dns: number;
  readonly connect: number;
  readonly tls: number;
  readonly firstByte: number;
  readonly total: number;
}

export interface Hop {
  readonly url: string;
  readonly status: number;
  readonly cookies: readonly string[];
}

export interface Page {
  readonly url: string;
  readonly status: number;
  header(name: string): readonly string[];
  /** At most a megabyte. */
  readonly body: string;
  readonly hops: readonly Hop[];
  /** Times of the first request. */
  readonly timings: Timings;
  /** Time until the whole body was received, redirects included. */
  readonly answerMs: number;
  /** TLS data of the first and of the last request, if they used TLS. */
  readonly tls: TlsFacts | undefined;
  readonly lastTls: TlsFacts | undefined;
  /** True if browsers show the last answer without a warning. False for plain HTTP. */
  readonly trusted: boolean;
}

export interface PageOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Timeout of each connection in milliseconds, DNS included. */
  readonly connectMs: number;
  readonly userAgent: string;
  readonly authority?: string | undefined;
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of redirects. Default 5. */
  readonly redirects?: number;
  /** Returns the DNS lookup function for an address. Throws if the address may not be reached. */
  judge(url: URL): LookupFunction;
}

const MAX_BYTES = 1_000_000;
const HEADER_BYTES = 64 * 1024;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Accepts any certificate, since a bad one is a finding. Rejects with Node's errors or the guard's AppError. */
export async function probePage(address: string, options: PageOptions): Promise<Page> {
  const { signal, timeoutMs, redirects = 5 } = options;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const begun = performance.now();
  const hops: Hop[] = [];
  let first: Exchange | undefined;
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
      header: (name) => message.headersDistinct[name.toLowerCase()] ?? [],
      body,
      hops,
      timings: first.timings,
      answerMs: performance.now() - begun,
      tls: first.tls,
      lastTls: exchange.tls,
      trusted: exchange.tls !== undefined && isTrusted(exchange.tls, bareHost(url.hostname), Date.now()),
    };
  }
}

interface Exchange {
  readonly message: IncomingMessage;
  readonly body: string;
  readonly timings: Timings;
  readonly tls: TlsFacts | undefined;
}

async function ask(url: URL, options: PageOptions): Promise<Exchange> {
  const { signal, userAgent, authority, method = 'GET', headers, judge } = options;
  const lookup = judge(url);
  signal.throwIfAborted();
  const host = bareHost(url.hostname);
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
    ...(secure && tlsTerms(host, authority)),
  });
  const { message, facts, timings } = await answerOf(request, host, options);
  return { message, body: await textOf(message), timings, tls: facts };
}

function answerOf(request: ClientRequest, host: string, { connectMs, authority }: PageOptions) {
  type Answer = { message: IncomingMessage; facts: TlsFacts | undefined; timings: Timings };
  return new Promise<Answer>((resolve, reject) => {
    const begun = performance.now();
    let [resolved, connected, ready] = [begun, begun, begun];
    let facts: TlsFacts | undefined;
    let isAsked = false;
    request.once('socket', (socket) => {
      leaveNamesToUs(socket);
      const staple = stapleOf(socket);
      // Runs before the request's own listener, since the socket drops the certificate afterwards.
      socket.prependOnceListener('error', (error) => {
        if (!asksForCertificate(error) || !(socket instanceof TLSSocket)) return;
        isAsked = (facts ?? unfinishedFactsOf(socket, staple(), authority)) !== undefined;
      });
      const stopWaiting = onConnectLate(socket, host, connectMs, (error) => request.destroy(error));
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
          if (socket instanceof TLSSocket) facts = factsOf(socket, staple(), authority);
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
    // A write that waits for a failed handshake ends without an error code, so the request is sent after the handshake.
    if (request.protocol === 'http:') request.end();
  });
}

/** Returns the first megabyte of the body and does not wait for the rest. */
async function textOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= MAX_BYTES) break;
  }
  message.destroy();
  return decoderOf(message.headers['content-type']).decode(Buffer.concat(parts).subarray(0, MAX_BYTES));
}

/** Returns a decoder for the charset in Content-Type, or UTF-8 if there is none or it is unknown. */
function decoderOf(contentType = ''): TextDecoder {
  const [, charset = 'utf-8'] = /charset="?([\w.:-]{1,40})/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}
