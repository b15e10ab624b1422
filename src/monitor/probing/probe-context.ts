import { connect, isIP, type LookupFunction, type Socket } from 'node:net';
import { unavailableError } from '../../errors.ts';
import { parseAllowList } from '../../lib/network/address.ts';
import { lookUpAddresses, type UrlGuard } from '../../lib/network/url-guard.ts';
import type { PageWatchTimes, WatchedResult } from '../../lib/watching/page-watch.ts';
import type { RegistrationLookup } from '../registration/registration-lookup.ts';
import type { HeartbeatState } from '../scheduling/heartbeats.ts';
import type { PageWatcher, RepositoryScan, RepositoryScanResult } from '../service-types.ts';
import type { OwnNetworkTracker } from '../targets/own-network.ts';
import {
  type Endpoint,
  type Infrastructure,
  type RepositoryTarget,
  stripHostBrackets,
} from '../targets/target.ts';
import { encodeClientHello, type TlsOffer } from './client-hello.ts';
import { type ConnectionFailure, isConnectionFailure, toConnectionFailure } from './connection-failure.ts';
import { type ProbedPage, probePage } from './page-probe.ts';
import { NoPingError, pingAddress } from './ping-probe.ts';
import type { ProbeOptions } from './probe-options.ts';
import type { DnsResolver } from './resolver.ts';
import { createServerAnswerParser, type ServerChoice } from './server-hello.ts';
import { measureTcpConnect, onConnectTimeout } from './tcp-probe.ts';
import { type HandshakeOptions, probeTlsHandshake, type TlsConnectionInfo } from './tls-probe.ts';

export interface ProbeContext {
  readonly signal: AbortSignal;
  readonly probing: ProbeOptions;
  /** Milliseconds between two usual probes. */
  readonly intervalMs: number;
  withSignal(signal: AbortSignal): ProbeContext;
  now(): number;
  page(address: string): Promise<ProbedPage | ConnectionFailure>;
  requestPage(address: string, how: PageRequestOptions): Promise<ProbedPage | ConnectionFailure>;
  handshake(endpoint: Endpoint): Promise<TlsConnectionInfo | ConnectionFailure>;
  offer(endpoint: Endpoint, offer: TlsOffer): Promise<ServerChoice | ConnectionFailure>;
  connect(endpoint: Endpoint): Promise<number | ConnectionFailure>;
  /** Returns the round-trip time in ms, or a failure. `CANNOT_PING_CODE`: this machine cannot send pings. */
  ping(host: string): Promise<number | ConnectionFailure>;
  address(host: string): Promise<{ readonly ip: string } | ConnectionFailure>;
  readHeartbeat(): Promise<HeartbeatState>;
  /** Compares a page with the state of the probe before. Throws AppError if the page cannot be read. */
  lookAtPage(url: string, times: PageWatchTimes): Promise<WatchedResult>;
  /** Returns what the registry of a domain says, and the state that the probe before left. */
  findRegistration(domain: string): ReturnType<RegistrationLookup>;
  readonly resolver: DnsResolver;
  /** Explains a failure of this machine's own network. Returns undefined if the host is the cause. */
  explainOwnFailure(host: string, failure: ConnectionFailure): Promise<string | undefined>;
  scan(target: RepositoryTarget): Promise<RepositoryScanResult>;
  /** Milliseconds before a failed connection is tried again, so that a lost packet raises no alert. */
  readonly retryMs: number;
}

export interface PageRequestOptions {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirects?: number;
}

export interface ProbeContextOptions {
  /** Decides to which addresses probes may connect. The inventory may allow private addresses. */
  readonly guard: UrlGuard;
  readonly resolver: DnsResolver;
  readonly network: OwnNetworkTracker;
  readonly userAgent: string;
  readonly scan: RepositoryScan;
  readonly owner: string;
  readonly infrastructure: Pick<Infrastructure, 'allow' | 'authority'>;
  readonly signal: AbortSignal;
  readonly probing?: ProbeOptions;
  readonly intervalMs?: number;
  readonly timeouts?: ProbeTimeouts;
  readonly beat?: () => Promise<HeartbeatState>;
  readonly pages?: PageWatcher;
  readonly findRegistration: RegistrationLookup;
  /** State that an earlier probe of this check left. */
  readonly stateBefore?: (check: string) => Promise<string | undefined>;
  readonly pingPrograms?: readonly string[];
}

export const CANNOT_PING_CODE = 'NO_PING';

/** Time limits in ms. `page` includes redirects. `retry` is the pause before a second attempt. */
export type ProbeTimeouts = typeof DEFAULT_PROBE_TIMEOUTS_MS;
export const DEFAULT_PROBE_TIMEOUTS_MS = {
  page: 15_000,
  handshake: 8000,
  connect: 5000,
  retry: 1000,
};

const allowLists = new WeakMap<readonly string[], ReturnType<typeof parseAllowList>>();

function allowListOf(allow: readonly string[]): ReturnType<typeof parseAllowList> {
  const list = allowLists.get(allow) ?? parseAllowList(allow);
  allowLists.set(allow, list);
  return list;
}

export function createProbeContext(options: ProbeContextOptions): ProbeContext {
  const pages = new Map<string, Promise<ProbedPage | ConnectionFailure>>();
  const whole: ProbeContext = contextUnder(options.signal, options, (address) => {
    const known = pages.get(address) ?? whole.requestPage(address, {});
    pages.set(address, known);
    return known;
  });
  return whole;
}

function contextUnder(
  signal: AbortSignal,
  options: ProbeContextOptions,
  page: ProbeContext['page'],
): ProbeContext {
  const { guard, resolver, network, userAgent, scan, owner, probing = {} } = options;
  const { findRegistration, timeouts = DEFAULT_PROBE_TIMEOUTS_MS } = options;
  const { allow, authority } = options.infrastructure;
  const own = allowListOf(allow);

  function reach(endpoint: Endpoint): LookupFunction {
    const url = urlOf(endpoint);
    return own.allows(url) ? guard.lookups.open : guard.lookups[guard.judge(url, own)];
  }

  async function attempt<T>(address: string, timeoutMs: number, work: () => Promise<T>) {
    try {
      const answer = await work();
      network.noteReached(stripHostBrackets(new URL(address).hostname));
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      return toConnectionFailure(error, address, timeoutMs);
    }
  }

  function shake<T>(endpoint: Endpoint, work: (how: HandshakeOptions) => Promise<T>) {
    const timeoutMs = timeouts.handshake;
    return attempt(urlOf(endpoint).href, timeoutMs, async () =>
      work({ signal, timeoutMs, connectMs: timeouts.connect, authority, lookup: reach(endpoint) }),
    );
  }

  async function address(host: string): Promise<{ readonly ip: string } | ConnectionFailure> {
    const endpoint = { host, port: 443 };
    try {
      if (isIP(host) > 0) reach(endpoint);
      return { ip: isIP(host) > 0 ? host : await lookUp(host, reach(endpoint), signal) };
    } catch (error) {
      signal.throwIfAborted();
      return toConnectionFailure(error, urlOf(endpoint).href, timeouts.connect);
    }
  }

  async function ping(host: string): Promise<number | ConnectionFailure> {
    const found = await address(host);
    if (isConnectionFailure(found)) return found;
    try {
      const { connect: timeoutMs } = timeouts;
      const ms = await pingAddress(found.ip, { signal, timeoutMs, programs: options.pingPrograms });
      network.noteReached(host);
      return ms;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoPingError) return { reason: error.message, code: CANNOT_PING_CODE };
      return { reason: `does not answer a ping within ${timeouts.connect / 1000} s`, code: 'ETIMEDOUT' };
    }
  }

  return {
    signal,
    probing,
    intervalMs: options.intervalMs ?? 0,
    ping,
    address,
    readHeartbeat: async () => (await options.beat?.()) ?? { dueAt: Infinity },
    async lookAtPage(url, times) {
      if (!options.pages) throw unavailableError('this process watches no pages');
      const before = await options.stateBefore?.('page');
      return {
        ...(await options.pages.look(url, probing.page ?? {}, before, { ...times, owner, signal })),
        before,
      };
    },
    findRegistration: async (domain) =>
      findRegistration(domain, await options.stateBefore?.('registration'), Date.now(), signal),
    withSignal: (narrower) => contextUnder(narrower, options, page),
    now: Date.now,
    retryMs: timeouts.retry,
    resolver,
    page,
    requestPage(address, how) {
      const call = {
        ...how,
        signal,
        timeoutMs: timeouts.page,
        connectMs: timeouts.connect,
        userAgent,
        authority,
        judge: (url: URL) => guard.lookups[guard.judge(url, own)],
      };
      return attempt(address, timeouts.page, () => probePage(address, call));
    },
    handshake: (endpoint) => shake(endpoint, (how) => probeTlsHandshake(endpoint, how)),
    offer: (endpoint, offer) => shake(endpoint, (how) => offerTls(endpoint, how, offer)),
    connect: (endpoint) =>
      attempt(urlOf(endpoint).href, timeouts.connect, async () =>
        measureTcpConnect(endpoint, { signal, timeoutMs: timeouts.connect, lookup: reach(endpoint) }),
      ),
    explainOwnFailure: (host, failure) => network.explainFailure(host, failure, allow.length > 0, signal),
    scan: (target) => scan(owner, target, signal),
  };
}

async function lookUp(host: string, lookup: LookupFunction, signal: AbortSignal): Promise<string> {
  const [first] = await lookUpAddresses(host, lookup, signal);
  if (!first) throw Object.assign(new Error('no address'), { code: 'ENOTFOUND' });
  return first.address;
}

function urlOf({ host, port }: Endpoint): URL {
  return new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}/`);
}

export function offerTls(
  { host, port }: Endpoint,
  { lookup, signal, timeoutMs, connectMs }: HandshakeOptions,
  offer: TlsOffer,
): Promise<ServerChoice> {
  return new Promise((resolve, reject) => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    if (limit.aborted) return reject(limit.reason);
    const reader = createServerAnswerParser(offer);
    const socket: Socket = connect({ host, port, lookup });
    const end = (error: unknown) => {
      stopWaiting();
      limit.removeEventListener('abort', stop);
      socket.destroy();
      const chosen = signal.aborted ? undefined : reader.chosen();
      if (chosen) resolve(chosen);
      else reject(error);
    };
    const stop = () => end(limit.reason);
    limit.addEventListener('abort', stop, { once: true });
    const stopWaiting = onConnectTimeout(socket, host, connectMs, end);
    socket.once('connect', () => {
      stopWaiting();
      socket.write(encodeClientHello(offer, isIP(host) === 0 ? host : undefined));
    });
    socket.on('data', (piece: Buffer) => {
      try {
        if (reader.push(piece)) end(undefined);
      } catch (error) {
        // Rejects without `end`, which would return a cipher that the server chose before a TLS alert.
        stopWaiting();
        limit.removeEventListener('abort', stop);
        socket.destroy();
        reject(error);
      }
    });
    socket.on('error', end);
    socket.once('close', () =>
      end(Object.assign(new Error('the connection was closed'), { code: 'ECONNRESET' })),
    );
  });
}
