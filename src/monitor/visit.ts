import type { LookupFunction } from 'node:net';
import type { SecureVersion } from 'node:tls';
import { AppError } from '../errors.ts';
import { parseAllowList } from '../lib/address.ts';
import { fetchError } from '../lib/fetch-error.ts';
import type { UrlGuard } from '../lib/url-guard.ts';
import { type Page, probePage } from './page-probe.ts';
import type { Resolver } from './resolver.ts';
import type { Endpoint, Infrastructure, RepositoryTarget } from './target.ts';
import { tcpConnect } from './tcp-probe.ts';
import { handshake, type TlsFacts } from './tls-probe.ts';

/** Why something could not be reached, in plain words, after the host's name: `refuses the connection`. */
export interface Unreached {
  readonly reason: string;
}

/** A fault that a scan of a repository has found. */
export interface ScanFault {
  readonly id: string;
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly fingerprint: string;
  readonly cwe?: readonly string[];
}

/** Scans a repository for an owner; the scan room's, handed in. */
export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<readonly ScanFault[]>;

/** What a check may do while it looks at a target; everything is guarded and has a deadline. */
export interface Visit {
  readonly signal: AbortSignal;
  now(): number;
  /** The page at an address, asked once a visit however many checks want it. */
  page(address: string): Promise<Page | Unreached>;
  /** The same, asked for in a way of its own. */
  ask(address: string, how: Ask): Promise<Page | Unreached>;
  handshake(endpoint: Endpoint, offer?: TlsOffer): Promise<TlsFacts | Unreached>;
  /** Milliseconds of connecting. */
  connect(endpoint: Endpoint): Promise<number | Unreached>;
  readonly resolver: Resolver;
  scan(target: RepositoryTarget): Promise<readonly ScanFault[]>;
}

export interface Ask {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirects?: number;
}

/** The only version, or the only ciphers, that are offered. */
export interface TlsOffer {
  readonly version?: SecureVersion;
  readonly ciphers?: string;
}

export interface VisitOptions {
  readonly guard: UrlGuard;
  readonly resolver: Resolver;
  readonly userAgent: string;
  readonly scan: RepositoryScan;
  /** Whose monitor it is. */
  readonly owner: string;
  readonly infrastructure: Pick<Infrastructure, 'allow' | 'authority'>;
  readonly signal: AbortSignal;
}

/** Milliseconds of one page with its redirects, of one handshake, of one connection. */
const [PAGE_MS, HANDSHAKE_MS, CONNECT_MS] = [15_000, 8000, 4000];

/** Begins the visit of one target. */
export function createVisit(options: VisitOptions): Visit {
  const { guard, resolver, userAgent, scan, owner, infrastructure, signal } = options;
  const { authority } = infrastructure;
  const own = parseAllowList(infrastructure.allow);
  const pages = new Map<string, Promise<Page | Unreached>>();

  const judge = (url: URL): LookupFunction => guard.lookups[guard.judge(url, own)];

  /** A host and port as the guard knows them; a machine of the inventory is looked at on ports of every protocol. */
  function reach({ host, port }: Endpoint): LookupFunction {
    const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}/`);
    return own.allows(url) ? guard.lookups.open : judge(url);
  }

  async function attempt<T>(
    address: string,
    timeoutMs: number,
    work: () => Promise<T>,
  ): Promise<T | Unreached> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      return { reason: reasonOf(error, address, timeoutMs) };
    }
  }

  function ask(address: string, how: Ask): Promise<Page | Unreached> {
    const call = { ...how, signal, timeoutMs: PAGE_MS, userAgent, authority, judge };
    return attempt(address, PAGE_MS, () => probePage(address, call));
  }

  return {
    signal,
    now: Date.now,
    resolver,
    page(address) {
      const known = pages.get(address) ?? ask(address, {});
      pages.set(address, known);
      return known;
    },
    ask,
    handshake: (endpoint, offer = {}) =>
      attempt(`https://${endpoint.host}/`, HANDSHAKE_MS, async () =>
        handshake(endpoint, {
          ...offer,
          signal,
          timeoutMs: HANDSHAKE_MS,
          authority,
          lookup: reach(endpoint),
        }),
      ),
    connect: (endpoint) =>
      attempt(`https://${endpoint.host}/`, CONNECT_MS, async () =>
        tcpConnect(endpoint, { signal, timeoutMs: CONNECT_MS, lookup: reach(endpoint) }),
      ),
    scan: (target) => scan(owner, target, signal),
  };
}

/** Whether an attempt failed. */
export function isUnreached<T>(answer: T | Unreached): answer is Unreached {
  return typeof answer === 'object' && answer !== null && 'reason' in answer;
}

const PRIVATE = 'has no public address: private ones are watched only from the inventory';

function reasonOf(error: unknown, address: string, timeoutMs: number): string {
  const late = error instanceof DOMException && error.name === 'TimeoutError';
  if (late) return `did not answer within ${timeoutMs / 1000} s`;
  const url = new URL(URL.canParse(address) ? address : 'https://host.invalid/');
  const caller = new AbortController().signal;
  const told = fetchError(error, { url, caller, deadline: caller, timeoutMs });
  if (told instanceof AppError && told.code === 'forbidden') return PRIVATE;
  return told.message.startsWith(`${url.host} `) ? told.message.slice(url.host.length + 1) : told.message;
}
