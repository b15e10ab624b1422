import type { Agent, buildConnector, Dispatcher } from 'undici';
import { AppError } from '../errors.ts';
import { readBody } from './body.ts';
import { HEADER_BYTES } from './fetch-error.ts';
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
const EMPTY_STATUSES = new Set([204, 205, 304]);

type Response = Dispatcher.ResponseData;

/**
 * Plain HTTP/1.1: the ceilings on headers hold for nothing newer. undici's interceptors for redirects,
 * caching, sharing and unpacking are not used: a redirect has to be judged by the guard; theirs let the
 * first asker's leaving break off the others, drop a kept answer when a 304 renews it, refresh behind the
 * back of every deadline, and bound entries but not bytes (undici 8.12).
 */
export function createExchange(guard: UrlGuard, connections: number): Exchange {
  let agents: Promise<{ dispatchers: Record<Verdict, Agent>; request: typeof import('undici').request }>;
  let loaded = false;
  // Loaded at the first fetch: the start of the stdio server does not wait for it.
  const load = () => {
    if (loaded) return agents;
    loaded = true;
    agents = Promise.all([import('undici'), import('./peer-names.ts')]).then(
      ([undici, { compareOwnNames }]) => {
        const { Agent, buildConnector, request } = undici;
        const connectorOf = (verdict: Verdict): buildConnector.connector => {
          const connect = buildConnector({ timeout: 10_000, allowH2: false, lookup: guard.lookups[verdict] });
          // It returns the socket, which its type does not say.
          return (options, callback) => compareOwnNames(connect(options, callback) as unknown);
        };
        const agent = (verdict: Verdict) =>
          new Agent({
            connections,
            pipelining: 1,
            maxHeaderSize: HEADER_BYTES,
            keepAliveTimeout: 4000,
            keepAliveMaxTimeout: 30_000,
            allowH2: false,
            connect: connectorOf(verdict),
          });
        return { dispatchers: { guarded: agent('guarded'), open: agent('open') }, request };
      },
    );
    return agents;
  };

  async function exchange({ url, verdict, method, headers, body, maxBytes, signal }: Ask): Promise<Answer> {
    const { dispatchers, request } = await load();
    signal.throwIfAborted();
    const requestedAt = Date.now();
    const call = {
      dispatcher: dispatchers[verdict],
      method,
      headers,
      signal,
      body,
    };
    const once = () => untilAborted(request(url, call), signal);
    const response = await once().catch((error) => {
      if (method !== 'GET' || signal.aborted || !isBrokenOff(error)) throw error;
      return once();
    });
    const answer = { status: response.statusCode, headers: toHeaders(response.headers) };
    const redirects = isRedirect(answer);
    if (redirects) letGo(response);
    const received = redirects ? new Uint8Array() : await receive(response, maxBytes, signal);
    return { ...answer, body: received, requestedAt, receivedAt: Date.now() };
  }

  return Object.assign(exchange, {
    async close() {
      if (!loaded) return;
      const { dispatchers } = await agents;
      await Promise.all(Object.values(dispatchers).map((agent) => agent.destroy()));
    },
  });
}

/**
 * Whether a connection broke before its answer began. A server closes one that was idle just when the next request is
 * sent on it: a GET is then sent once more (RFC 9112, section 9.3.1).
 */
function isBrokenOff(error: unknown): boolean {
  return codesOf(error).some((code) => BROKEN_OFF.has(code));
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
