import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppError, tooLargeError } from '../../errors.ts';
import { waitUnlessAborted } from '../concurrency/deadline.ts';
import { isRedirect, readBody } from './body.ts';
import { collectErrorCodes, fetchClosedError, MAX_HEADER_BYTES } from './network-failure.ts';
import type { ConnectionVerdict, UrlGuard } from './url-guard.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpRequest {
  readonly url: URL;
  readonly verdict: ConnectionVerdict;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly maxBytes: number;
  readonly http2?: boolean | undefined;
  /** True to accept responses to GET that break HTTP rules, as browsers do. */
  readonly asBrowser?: boolean | undefined;
  /** True to cut texts over `maxBytes` instead of throwing. */
  readonly cutsText?: boolean | undefined;
  /** Maximum pause in ms, asked for by Retry-After, for which the request waits. Default: 0. */
  readonly patienceMs?: number | undefined;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Why the end of the body is missing: its site broke it off (only with `asBrowser`), or `cutsText` cut it. */
  readonly isCut?: 'broken' | 'limit' | false;
  /** Milliseconds since 1970. */
  readonly requestedAt: number;
  readonly receivedAt: number;
}

export interface HttpExchangeClient {
  (ask: HttpRequest): Promise<HttpResponse>;
  close(): Promise<void>;
}

const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Maximum number of remembered origins that break off HTTP/2 connections, and of those that speak it alone. */
const MAX_REMEMBERED = 1000;
const HTTP2_ALONE = 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL';
const CONNECT_TIMEOUT_MS = 10_000;
const EMPTY_STATUSES = new Set([204, 205, 304]);
type UndiciResponse = Dispatcher.ResponseData;

/** Sends single requests. The caller follows redirects, because undici's redirects would bypass the guard. */
export function createExchange(guard: UrlGuard, connections: number): HttpExchangeClient {
  const agents = new Map<string, Agent>();
  const older = new Set<string>();
  const newer = new Set<string>();
  let ended = false;
  let loading:
    | Promise<readonly [typeof import('undici'), typeof import('../text/peer-names.ts')]>
    | undefined;

  /** Loads undici at the first request, so that the stdio server starts faster. */
  function load() {
    loading ??= Promise.all([import('undici'), import('../text/peer-names.ts')]);
    return loading;
  }

  async function connectorOf(verdict: ConnectionVerdict, http2: boolean): Promise<buildConnector.connector> {
    const [{ buildConnector }, { limitCertificateCheck: checkOwnCertificateNames }] = await load();
    const protocols = { allowH2: http2, preferH2: http2 };
    const connect = buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      ...protocols,
      lookup: guard.lookups[verdict],
    });
    // buildConnector returns the socket, but its type does not say so.
    return (options, callback) => checkOwnCertificateNames(connect(options, callback) as unknown);
  }

  async function dispatcherOf(verdict: ConnectionVerdict, http2: boolean): Promise<Agent> {
    const [{ Agent }] = await load();
    const connect = await connectorOf(verdict, http2);
    if (ended) throw fetchClosedError();
    const key = `${verdict} ${http2}`;
    const known = agents.get(key);
    if (known) return known;
    const agent = new Agent({
      connections,
      pipelining: 1,
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 30_000,
      ...{ allowH2: http2, preferH2: http2 },
      connect,
    });
    agents.set(key, agent);
    return agent;
  }

  async function exchange(ask: HttpRequest): Promise<HttpResponse> {
    try {
      return await exchangeStrictly(ask);
    } catch (error) {
      const { asBrowser, method, verdict, signal } = ask;
      if (!asBrowser || method !== 'GET' || ended || signal.aborted || !isOddAnswer(error)) throw error;
      const { exchangeTolerantly } = await import('./tolerant/tolerant-exchange.ts');
      return exchangeTolerantly(ask, await connectorOf(verdict, false)).catch((second: unknown) => {
        throw signal.aborted || (second instanceof AppError && second.code === 'too_large') ? second : error;
      });
    }
  }

  async function exchangeStrictly(ask: HttpRequest): Promise<HttpResponse> {
    const { url, verdict, method, headers, body, signal } = ask;
    const { origin } = url;
    const http2 = (ask.http2 === true && !older.has(origin)) || newer.has(origin);
    const [{ request }] = await load();
    signal.throwIfAborted();
    const requestedAt = Date.now();
    const once = async (asHttp2: boolean) => {
      const dispatcher = await dispatcherOf(verdict, asHttp2);
      const pending = request(url, { dispatcher, method, headers, signal, body });
      // Does not wait after an abort, because undici rejects only when its connection attempt ends.
      return waitUnlessAborted(pending, signal).catch((error: unknown) => {
        pending.then(letGo, () => {});
        throw error;
      });
    };
    const response = await once(http2).catch((error) => {
      if (!http2 && collectErrorCodes(error).includes(HTTP2_ALONE)) {
        if (newer.size < MAX_REMEMBERED) newer.add(origin);
        return once(true);
      }
      if (signal.aborted || !isBrokenOff(error)) throw error;
      if (http2 && older.size < MAX_REMEMBERED) older.add(origin);
      if (method !== 'GET') throw error;
      return once(false);
    });
    const answer = { status: response.statusCode, headers: toHeaders(response.headers) };
    const redirects = isRedirect(answer);
    if (redirects) letGo(response);
    const received = redirects ? { body: new Uint8Array() } : await receive(response, ask);
    return { ...answer, ...received, requestedAt, receivedAt: Date.now() };
  }

  return Object.assign(exchange, {
    async close() {
      ended = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  });
}

const ODD_ANSWER =
  /^(?:HTTPParserError|UND_ERR_RES_CONTENT_LENGTH_MISMATCH|UND_ERR_SOCKET|ECONNRESET|Z_|ZSTD_|ERR__ERROR_|ERR_BROTLI)/;

function isOddAnswer(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'unsupported';
  return collectErrorCodes(error).some((code) => ODD_ANSWER.test(code));
}

function isBrokenOff(error: unknown): boolean {
  return collectErrorCodes(error).some((code) => BROKEN_OFF.has(code) || code.startsWith('ERR_HTTP2_'));
}

function letGo({ body }: Pick<UndiciResponse, 'body'>): void {
  body.on('error', () => {});
  body.destroy();
}

const CUTTABLE = /^\s*(?:text\/(?:html|plain|csv|tab-separated-values|markdown)|application\/xhtml\+xml)\b/i;

async function receive(
  { statusCode, headers, body }: UndiciResponse,
  { maxBytes, signal, cutsText = false }: HttpRequest,
): Promise<Pick<HttpResponse, 'body' | 'isCut'>> {
  const said = String(headers['content-length'] ?? '');
  if (said === '0' || EMPTY_STATUSES.has(statusCode)) return readBody(body, {}, { maxBytes, signal });
  const cuts = cutsText && CUTTABLE.test(String(headers['content-type'] ?? ''));
  if (Number(said) > maxBytes && !cuts) {
    letGo({ body });
    throw tooLargeError(`ResponseTooLarge: the page has ${said} bytes, over the limit of ${maxBytes}`);
  }
  return readBody(body, headers, { maxBytes, signal, cuts });
}

/** Converts the headers. If there are several `location` headers, only the first is used. */
function toHeaders(raw: UndiciResponse['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of name === 'location' ? values.slice(0, 1) : values) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
