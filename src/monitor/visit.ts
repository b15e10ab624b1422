import type { LookupFunction } from 'node:net';
import { AppError } from '../errors.ts';
import { parseAllowList } from '../lib/address.ts';
import { fetchError } from '../lib/fetch-error.ts';
import type { UrlGuard } from '../lib/url-guard.ts';
import { isTimeout } from './deadline.ts';
import { type Page, probePage } from './page-probe.ts';
import type { Resolver } from './resolver.ts';
import type { Endpoint, Infrastructure, RepositoryTarget } from './target.ts';
import { tcpConnect } from './tcp-probe.ts';
import {
  type Agreed,
  type HandshakeOptions,
  handshake,
  offerTls,
  type TlsFacts,
  type TlsOffer,
} from './tls-probe.ts';

/** Why something could not be reached. */
export interface Unreached {
  /** In plain words, after the host's name: `refuses the connection`. */
  readonly reason: string;
  /**
   * Node's or OpenSSL's: `ECONNREFUSED`; `ETIMEDOUT` where no connection was taken in time, `LATE` where what followed
   * took too long; empty when there is none.
   */
  readonly code: string;
}

/** A fault that a scan of a repository has found. */
export interface ScanFault {
  readonly id: string;
  readonly score: number;
  readonly title: string;
  readonly description: string;
  readonly fix: string;
  readonly fingerprint: string;
  /** Names of the scanners that found it. */
  readonly scanners: readonly string[];
  readonly cwe?: readonly string[];
}

export interface ScanResult {
  readonly faults: readonly ScanFault[];
  /** Scanners that did not come to their end, and why. */
  readonly failed: readonly { readonly scanner: string; readonly why: string }[];
}

/** Scans a repository for an owner; the scan room's, handed in. */
export type RepositoryScan = (
  owner: string,
  target: RepositoryTarget,
  signal: AbortSignal,
) => Promise<ScanResult>;

/** What a check may do while it looks at a target; everything is guarded and has a deadline. */
export interface Visit {
  readonly signal: AbortSignal;
  /** The same visit, with the pages it has, for work that has a signal of its own. */
  under(signal: AbortSignal): Visit;
  now(): number;
  /** The page at an address, asked once a visit however many checks want it. */
  page(address: string): Promise<Page | Unreached>;
  /** The same, asked for in a way of its own. */
  ask(address: string, how: Ask): Promise<Page | Unreached>;
  handshake(endpoint: Endpoint): Promise<TlsFacts | Unreached>;
  offer(endpoint: Endpoint, offer: TlsOffer): Promise<Agreed | Unreached>;
  /** Milliseconds of connecting. */
  connect(endpoint: Endpoint): Promise<number | Unreached>;
  readonly resolver: Resolver;
  scan(target: RepositoryTarget): Promise<ScanResult>;
}

export interface Ask {
  readonly method?: 'GET' | 'OPTIONS';
  readonly headers?: Readonly<Record<string, string>>;
  readonly redirects?: number;
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
  readonly patience?: Patience;
}

/** Milliseconds of one page with its redirects, of one handshake, and until one connection is taken. */
export interface Patience {
  readonly page: number;
  readonly handshake: number;
  readonly connect: number;
}
const PATIENCE: Patience = { page: 15_000, handshake: 8000, connect: 5000 };

/** Lists that are in use, read once: an entry of the inventory may name thousands, and each look goes by it. */
const allowLists = new WeakMap<readonly string[], ReturnType<typeof parseAllowList>>();

function allowListOf(allow: readonly string[]): ReturnType<typeof parseAllowList> {
  const list = allowLists.get(allow) ?? parseAllowList(allow);
  allowLists.set(allow, list);
  return list;
}

/** Begins the visit of one target. */
export function createVisit(options: VisitOptions): Visit {
  const pages = new Map<string, Promise<Page | Unreached>>();
  const whole: Visit = visitUnder(options.signal, options, (address) => {
    const known = pages.get(address) ?? whole.ask(address, {});
    pages.set(address, known);
    return known;
  });
  return whole;
}

function visitUnder(signal: AbortSignal, options: VisitOptions, page: Visit['page']): Visit {
  const { guard, resolver, userAgent, scan, owner, infrastructure, patience = PATIENCE } = options;
  const { authority } = infrastructure;
  const own = allowListOf(infrastructure.allow);

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
      return unreachedBy(error, address, timeoutMs);
    }
  }

  function shake<T>(endpoint: Endpoint, work: (how: HandshakeOptions) => Promise<T>): Promise<T | Unreached> {
    const timeoutMs = patience.handshake;
    return attempt(`https://${endpoint.host}/`, timeoutMs, async () =>
      work({ signal, timeoutMs, connectMs: patience.connect, authority, lookup: reach(endpoint) }),
    );
  }

  return {
    signal,
    under: (narrower) => visitUnder(narrower, options, page),
    now: Date.now,
    resolver,
    page,
    ask(address, how) {
      const call = {
        ...how,
        signal,
        timeoutMs: patience.page,
        connectMs: patience.connect,
        userAgent,
        authority,
        judge,
      };
      return attempt(address, patience.page, () => probePage(address, call));
    },
    handshake: (endpoint) => shake(endpoint, (how) => handshake(endpoint, how)),
    offer: (endpoint, offer) => shake(endpoint, (how) => offerTls(endpoint, how, offer)),
    connect: (endpoint) =>
      attempt(`https://${endpoint.host}/`, patience.connect, async () =>
        tcpConnect(endpoint, { signal, timeoutMs: patience.connect, lookup: reach(endpoint) }),
      ),
    scan: (target) => scan(owner, target, signal),
  };
}

/** Whether an attempt failed. */
export function isUnreached<T>(answer: T | Unreached): answer is Unreached {
  return typeof answer === 'object' && answer !== null && 'reason' in answer;
}

const PRIVATE = 'has no public address: private ones are watched only from the inventory';

function unreachedBy(error: unknown, address: string, timeoutMs: number): Unreached {
  if (isTimeout(error)) return { reason: `did not answer within ${timeoutMs / 1000} s`, code: 'LATE' };
  const url = new URL(URL.canParse(address) ? address : 'https://host.invalid/');
  const caller = new AbortController().signal;
  const told = fetchError(error, { url, caller, deadline: caller, timeoutMs });
  const code = codeOf(error);
  if (told instanceof AppError && told.code === 'forbidden') return { reason: PRIVATE, code };
  const named = told.message.startsWith(`${url.host} `);
  return { reason: named ? told.message.slice(url.host.length + 1) : told.message, code };
}

/** Of the first attempt where several addresses were tried. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error ? String((error as NodeJS.ErrnoException).code ?? '') : '';
}
