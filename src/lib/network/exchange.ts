import type { Agent, Dispatcher } from 'undici';
import { AppError } from '../../errors.ts';
import { readBody } from './body.ts';
import { closed, HEADER_BYTES } from './fetch-error.ts';
import { codesOf } from './network-failure.ts';
import type { UrlGuard, Verdict } from './url-guard.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One request to one address. */
export interface Ask {
  readonly url: URL;
  /** What the guard said of the address. */
  readonly verdict: Verdict;
  readonly method: Method;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly maxBytes: number;
  /** Over HTTP/2 where the site speaks it. */
  readonly http2?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** One answer; times are milliseconds since the epoch. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Unpacked; empty for a redirect, whose body is not read. */
  readonly body: Uint8Array;
  readonly requestedAt: number;
  readonly receivedAt: number;
}

/** The connections, by verdict, and one exchange over them. Throws undici's errors as they are, and AppError. */
export interface Exchange {
  (ask: Ask): Promise<Answer>;
  /** Breaks off what is under way. */
  close(): Promise<void>;
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const BROKEN_OFF = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
/** Origins that are remembered as breaking HTTP/2 off. */
const MAX_OLDER = 1000;
const EMPTY_STATUSES = new Set([204, 205, 304]);

type Response = Dispatcher.ResponseData;

/**
 * HTTP/1.1, or HTTP/2 where a request asks for it: both have ceilings on headers, and both connect by the guard's look-up, a
 * pool for each origin, so that no connection serves another name. undici's interceptors for redirects, caching, sharing and unpacking are not used: a redirect has to be judged by the guard; theirs let the
 * first asker's leaving break off the others, drop a kept answer when a 304 renews it, refresh behind the
 * back of every deadline, and bound entries but not bytes (undici 8.12).
 */
export function createExchange(guard: UrlGuard, connections: number): Exchange {
  const agents = new Map<string, Agent>();
  /** Origins that broke HTTP/2 off. */
  const older = new Set<string>();
  let ended = false;
  let loading:
    | Promise<readonly [typeof import('undici'), typeof import('../text/peer-names.ts')]>
    | undefined;

  /** Loaded at the first fetch: the start of the stdio server does not wait for it. */
  function load() {
    loading ??= Promise.all([import('undici'), import('../text/peer-names.ts')]);
    return loading;
  }

  async function dispatcherOf(verdict: Verdict, http2: boolean): Promise<Agent> {
    const [{ Agent, buildConnector }, { compareOwnNames }] = await load();
    if (ended) throw closed();
    const key = `${verdict} ${http2}`;
    const known = agents.get(key);
    if (known) return known;
    const protocols = { allowH2: http2, preferH2: http2 };
    const connect = buildConnector({ timeout: 10_000, ...protocols, lookup: guard.lookups[verdict] });
    const agent = new Agent({
      connections,
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      keepAliveTimeout: 4000,
      keepAliveMaxTimeout: 30_000,
      ...protocols,
      // It returns the socket, which its type does not say.
      connect: (options, callback) => compareOwnNames(connect(options, callback) as unknown),
    });
    agents.set(key, agent);
    return agent;
  }

  async function exchange(ask: Ask): Promise<Answer> {
    const { url, verdict, method, headers, body, maxBytes, signal } = ask;
    const http2 = ask.http2 === true && !older.has(url.origin);
    const [{ request }] = await load();
    signal.throwIfAborted();
    const requestedAt = Date.now();
    const once = async (newer: boolean) => {
      const dispatcher = await dispatcherOf(verdict, newer);
      return untilAborted(request(url, { dispatcher, method, headers, signal, body }), signal);
    };
    const response = await once(http2).catch((error) => {
      if (signal.aborted || !isBrokenOff(error)) throw error;
      if (http2 && older.size < MAX_OLDER) older.add(url.origin);
      if (method !== 'GET') throw error;
      return once(false);
    });
    const answer = { status: response.statusCode, headers: toHeaders(response.headers) };
    const redirects = isRedirect(answer);
    if (redirects) letGo(response);
    const received = redirects ? new Uint8Array() : await receive(response, maxBytes, signal);
    return { ...answer, body: received, requestedAt, receivedAt: Date.now() };
  }

  return Object.assign(exchange, {
    async close() {
      ended = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  });
}

/**
 * Whether a connection broke before its answer began. A server closes one that was idle just when the next request is
 * sent on it: a GET is then sent once more (RFC 9112, section 9.3.1), over HTTP/1.1, since some sites break HTTP/2 off.
 */
function isBrokenOff(error: unknown): boolean {
  return codesOf(error).some((code) => BROKEN_OFF.has(code) || code.startsWith('ERR_HTTP2_'));
}

/** Whether an answer sends the asker elsewhere. */
export function isRedirect({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean {
  return REDIRECT_STATUSES.has(status) && headers.has('location');
}

/** undici lets a request go only once its connection stands or has failed; a caller does not wait for that. */
async function untilAborted(pending: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const aborted = Promise.withResolvers<never>();
  const stop = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([pending, aborted.promise]);
  } catch (error) {
    pending.then(letGo, () => {});
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Gives a body up unread, with its connection: it may never end. */
function letGo({ body }: Response): void {
  body.on('error', () => {});
  body.destroy();
}

async function receive(response: Response, maxBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const said = String(response.headers['content-length'] ?? '');
  if (said === '0' || EMPTY_STATUSES.has(response.statusCode))
    return readBody(response.body, {}, maxBytes, signal);
  if (Number(said) > maxBytes) {
    letGo(response);
    throw new AppError(
      'too_large',
      `ResponseTooLarge: the page has ${said} bytes, over the limit of ${maxBytes}`,
    );
  }
  return readBody(response.body, response.headers, maxBytes, signal);
}

/** Of a location said several times the first counts, as before this was asked. */
function toHeaders(raw: Response['headers']): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(raw)) {
    const values = Array.isArray(value) ? value : [value];
    for (const one of name === 'location' ? values.slice(0, 1) : values) {
      if (one !== undefined) headers.append(name, one);
    }
  }
  return headers;
}
