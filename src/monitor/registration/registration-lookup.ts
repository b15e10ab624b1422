import { randomInt } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { createCoalescer } from '../../lib/concurrency/request-coalescer.ts';
import type { GuardedFetch } from '../../lib/network/fetch.ts';
import { networkFailure } from '../../lib/network/network-failure.ts';
import type { UrlGuard } from '../../lib/network/url-guard.ts';
import { DAY_MS, type DomainRegistration } from './domain-registration.ts';
import { askRdap, fetchRdapBootstrap, parseRdapBootstrap } from './rdap.ts';
import shipped from './rdap-bootstrap.json' with { type: 'json' };
import { askRegistryWhois, WHOIS_ROOT } from './whois.ts';

export interface RegistrationLookupOptions {
  readonly fetch: GuardedFetch;
  readonly guard: UrlGuard;
  readonly bootstrapUrl?: string;
  readonly whoisRoot?: typeof WHOIS_ROOT;
  /** Milliseconds for one lookup. The list of servers may take half of it. */
  readonly timeoutMs?: number;
}

/** The result of a lookup, which counts from `at` until `nextAt`. `unknown` says why there is none. */
export interface KnownRegistration extends DomainRegistration {
  readonly domain: string;
  readonly at: number;
  readonly nextAt: number;
  readonly unknown?: string;
}

export type RegistrationLookup = ReturnType<typeof createRegistrationLookup>;

const [MAX_DOMAINS, JOINING_MS] = [10_000, 60_000];
/** Milliseconds until a failed lookup is tried again, and over which the times of next lookups spread. */
const [RETRY_MS, SPREAD_MS] = [DAY_MS / 4, DAY_MS / 8];

/** Looks a domain up once a day for all monitors, by RDAP, or by WHOIS where no RDAP serves its suffix. */
export function createRegistrationLookup(options: RegistrationLookupOptions) {
  const { fetch, guard, whoisRoot = WHOIS_ROOT, timeoutMs = 20_000 } = options;
  const { bootstrapUrl = 'https://data.iana.org/rdap/dns.json' } = options;
  const known = new BoundedMap<KnownRegistration>(MAX_DOMAINS);
  const flights = createCoalescer<KnownRegistration>({ copy: (value) => value, joining: JOINING_MS });
  let bases = Promise.resolve(parseRdapBootstrap(shipped));
  let basesUntil = 0;

  /** Fetches the list once a day. Without an answer the earlier list counts, or that of this release. */
  function loadBases(now: number): Promise<ReadonlyMap<string, string>> {
    if (now < basesUntil) return bases;
    const earlier = bases;
    const signal = AbortSignal.timeout(timeoutMs / 2);
    basesUntil = now + DAY_MS;
    bases = fetchRdapBootstrap(bootstrapUrl, { fetch, signal }).catch(() => earlier);
    return bases;
  }

  async function askRegistry(domain: string, now: number, signal: AbortSignal): Promise<DomainRegistration> {
    const base = (await loadBases(now)).get(domain.replace(/^.*\./, ''));
    if (base !== undefined) return askRdap(base, domain, now, { fetch, signal });
    return askRegistryWhois({ ...whoisRoot, guard, signal }, domain, now);
  }

  async function lookUp(domain: string, now: number, signal: AbortSignal): Promise<KnownRegistration> {
    const times = (ms: number) => ({ domain, at: now, nextAt: now + ms + randomInt(SPREAD_MS) });
    try {
      const found = await withDeadline(signal, timeoutMs, (own) => askRegistry(domain, now, own));
      return { ...found, ...times(DAY_MS) };
    } catch (error) {
      signal.throwIfAborted();
      return { statuses: [], unknown: explainFailure(error), ...times(RETRY_MS) };
    }
  }

  /** `stored` is the JSON of an earlier result, so that a restart asks no registry again. */
  return async (domain: string, stored: string | undefined, now: number, signal: AbortSignal) => {
    const own = attempt(() => JSON.parse(stored ?? '') as KnownRegistration);
    const found =
      [own, known.get(domain)].find((one) => one?.domain === domain && one.at <= now && now < one.nextAt) ??
      (await flights.join(domain, (work) => lookUp(domain, now, work), signal));
    known.set(domain, found);
    return { ...found, before: stored };
  };
}

function explainFailure(error: unknown): string {
  if (isTimeout(error)) return 'its registry did not answer in time';
  if (error instanceof AppError) return error.message.slice(0, 200);
  return `its registry ${networkFailure(error)?.what ?? 'could not be asked'}`;
}
