import { isIP, type LookupFunction } from 'node:net';
import { parseAllowList } from '../../lib/network/address.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';
import type { Beat } from '../scheduling/beats.ts';
import type { OwnNetwork } from '../targets/own-network.ts';
import { bareHost, type Endpoint, type Infrastructure, type RepositoryTarget } from '../targets/target.ts';
import type { RepositoryScan, ScanResult } from '../types.ts';
import type { HelloOffer } from './client-hello.ts';
import { offerTls } from './hello-probe.ts';
import { type Page, probePage } from './page-probe.ts';
import { NoPingError, pingAddress } from './ping-probe.ts';
import type { Probing } from './probing.ts';
import type { Resolver } from './resolver.ts';
import type { Chosen } from './server-hello.ts';
import { tcpConnect } from './tcp-probe.ts';
import { type HandshakeOptions, handshake, type TlsFacts } from './tls-probe.ts';
import { isUnreached, type Unreached, unreachedBy } from './unreached.ts';

/** Network access of a check during one probe of a target. All requests are guarded and have timeouts. */
export interface ProbeContext {
  readonly signal: AbortSignal;
  readonly probing: Probing;
  under(signal: AbortSignal): ProbeContext;
  now(): number;
  /** Returns a page, which is requested only once per probe. */
  page(address: string): Promise<Page | Unreached>;
  ask(address: string, how: Ask): Promise<Page | Unreached>;
  handshake(endpoint: Endpoint): Promise<TlsFacts | Unreached>;
  offer(endpoint: Endpoint, offer: HelloOffer): Promise<Chosen | Unreached>;
  /** Returns the time to connect in milliseconds. */
  connect(endpoint: Endpoint): Promise<number | Unreached>;
  /** Returns the time to the ping's answer in milliseconds. The code is `NO_PING` if this machine cannot send pings. */
  ping(host: string): Promise<number | Unreached>;
  /** Resolves a host's address, unless the address may not be reached. */
  address(host: string): Promise<{ readonly ip: string } | Unreached>;
  beat(): Promise<Beat>;
  readonly resolver: Resolver;
  /** Returns the reason if a failure to reach a host is caused by this machine, or undefined if by the host. */
  excuse(host: string, failure: Unreached): Promise<string | undefined>;
  scan(target: RepositoryTarget): Promise<ScanResult>;
  /** Delay before the second attempt in milliseconds, so that a lost packet raises no alert. */
  readonly retryMs: number;
}

export interface Ask {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirects?: number;
}

export interface ProbeContextOptions {
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly network: OwnNetwork;
  readonly userAgent: string;
  readonly scan: RepositoryScan;
  readonly owner: string;
  readonly infrastructure: Pick<Infrastructure, 'allow' | 'authority'>;
  readonly signal: AbortSignal;
  readonly probing?: Probing;
  readonly timeouts?: Timeouts;
  readonly beat?: () => Promise<Beat>;
  readonly pingPrograms?: readonly string[];
}

export const NO_PING = 'NO_PING';

/** Timeouts in milliseconds of a page with its redirects, of a handshake and of connecting, and the delay before a retry. */
export interface Timeouts {
  readonly page: number;
  readonly handshake: number;
  readonly connect: number;
  readonly retry: number;
}
export const TIMEOUTS_MS: Timeouts = { page: 15_000, handshake: 8000, connect: 5000, retry: 1000 };

/** Cache of parsed allow lists, since each probe needs one and an inventory entry may list thousands of hosts. */
const allowLists = new WeakMap<readonly string[], ReturnType<typeof parseAllowList>>();

function allowListOf(allow: readonly string[]): ReturnType<typeof parseAllowList> {
  const list = allowLists.get(allow) ?? parseAllowList(allow);
  allowLists.set(allow, list);
  return list;
}

export function createProbeContext(options: ProbeContextOptions): ProbeContext {
  const pages = new Map<string, Promise<Page | Unreached>>();
  const whole: ProbeContext = contextUnder(options.signal, options, (address) => {
    const known = pages.get(address) ?? whole.ask(address, {});
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
  const {
    guard,
    resolver,
    network,
    userAgent,
    scan,
    owner,
    infrastructure: { allow, authority },
    probing = {},
    timeouts = TIMEOUTS_MS,
  } = options;
  const own = allowListOf(allow);

  const judge = (url: URL): LookupFunction => guard.lookups[guard.judge(url, own)];

  /** Returns the lookup function for a host and port. A listed machine may be probed on ports of every protocol. */
  function reach(endpoint: Endpoint): LookupFunction {
    const url = urlOf(endpoint);
    return own.allows(url) ? guard.lookups.open : judge(url);
  }

  async function attempt<T>(
    address: string,
    timeoutMs: number,
    work: () => Promise<T>,
  ): Promise<T | Unreached> {
    try {
      const answer = await work();
      network.noteReached(hostOf(address));
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      return unreachedBy(error, address, timeoutMs);
    }
  }

  function shake<T>(endpoint: Endpoint, work: (how: HandshakeOptions) => Promise<T>): Promise<T | Unreached> {
    const timeoutMs = timeouts.handshake;
    return attempt(urlOf(endpoint).href, timeoutMs, async () =>
      work({ signal, timeoutMs, connectMs: timeouts.connect, authority, lookup: reach(endpoint) }),
    );
  }

  async function address(host: string): Promise<{ readonly ip: string } | Unreached> {
    const endpoint = { host, port: 443 };
    try {
      if (isIP(host) > 0) reach(endpoint);
      return { ip: isIP(host) > 0 ? host : await lookUp(host, reach(endpoint), signal) };
    } catch (error) {
      signal.throwIfAborted();
      return unreachedBy(error, urlOf(endpoint).href, timeouts.connect);
    }
  }

  async function ping(host: string): Promise<number | Unreached> {
    const found = await address(host);
    if (isUnreached(found)) return found;
    try {
      const ms = await pingAddress(found.ip, {
        signal,
        timeoutMs: timeouts.connect,
        programs: options.pingPrograms,
      });
      network.noteReached(host);
      return ms;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoPingError) return { reason: error.message, code: NO_PING };
      return { reason: `does not answer a ping within ${timeouts.connect / 1000} s`, code: 'ETIMEDOUT' };
    }
  }

  return {
    signal,
    probing,
    ping,
    address,
    beat: async () => (await options.beat?.()) ?? { dueAt: Infinity },
    under: (narrower) => contextUnder(narrower, options, page),
    now: Date.now,
    retryMs: timeouts.retry,
    resolver,
    page,
    ask(address, how) {
      const call = {
        ...how,
        signal,
        timeoutMs: timeouts.page,
        connectMs: timeouts.connect,
        userAgent,
        authority,
        judge,
      };
      return attempt(address, timeouts.page, () => probePage(address, call));
    },
    handshake: (endpoint) => shake(endpoint, (how) => handshake(endpoint, how)),
    offer: (endpoint, offer) => shake(endpoint, (how) => offerTls(endpoint, how, offer)),
    connect: (endpoint) =>
      attempt(urlOf(endpoint).href, timeouts.connect, async () =>
        tcpConnect(endpoint, { signal, timeoutMs: timeouts.connect, lookup: reach(endpoint) }),
      ),
    excuse: (host, failure) => network.excuse(host, failure, allow.length > 0, signal),
    scan: (target) => scan(owner, target, signal),
  };
}

/** Returns the first address of a name through a guarded lookup. The lookup and the signal limit its time. */
function lookUp(host: string, lookup: LookupFunction, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    lookup(host, { all: true }, (error, found) => {
      signal.removeEventListener('abort', stop);
      const [first] = Array.isArray(found) ? found : [];
      if (error || !first) reject(error ?? Object.assign(new Error('no address'), { code: 'ENOTFOUND' }));
      else resolve(first.address);
    });
  });
}

function urlOf({ host, port }: Endpoint): URL {
  return new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}/`);
}

function hostOf(address: string): string {
  return bareHost(new URL(address).hostname);
}
