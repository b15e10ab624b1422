import { z } from 'zod';
import { upstreamError } from '../../errors.ts';
import { attempt } from '../../lib/attempt.ts';
import type { FetchOptions, GuardedFetch } from '../../lib/network/fetch.ts';
import { normalizeStatus, readEnd } from './domain-registration.ts';

type AskOptions = Pick<FetchOptions, 'signal'> & { readonly fetch: GuardedFetch };

const BOOTSTRAP = z.object({
  services: z.array(z.tuple([z.array(z.string()), z.array(z.url()).min(1)])).min(1),
});
const [MAX_BOOTSTRAP_BYTES, MAX_DOMAIN_BYTES, MAX_ITEMS] = [1_000_000, 256_000, 100];

/** Reads which server each top-level domain has (RFC 9224). Throws if the list has another form. */
export function parseRdapBootstrap(json: unknown): ReadonlyMap<string, string> {
  const entries = BOOTSTRAP.parse(json).services.flatMap(([domains, addresses]) => {
    const base = addresses.find((address) => address.startsWith('https:')) ?? addresses[0] ?? '';
    return domains.map((domain) => [domain.toLowerCase(), base.endsWith('/') ? base : `${base}/`] as const);
  });
  return new Map(entries);
}

export async function fetchRdapBootstrap(url: string, how: AskOptions) {
  return parseRdapBootstrap(await fetchJson(url, how, MAX_BOOTSTRAP_BYTES));
}

/** Asks the registry at `base` about a domain (RFC 9082). Throws AppError if its answer is of no use. */
export async function askRdap(base: string, domain: string, now: number, how: AskOptions) {
  const { href, host } = new URL(`domain/${domain}`, base);
  const {
    objectClassName,
    ldhName = domain,
    events,
    status,
  } = toRecord(await fetchJson(href, how, MAX_DOMAIN_BYTES));
  if (objectClassName !== 'domain' || String(ldhName).toLowerCase().replace(/\.$/, '') !== domain)
    throw upstreamError(`${host} gives no answer about ${domain}`);
  const ends = listOf(events)
    .map(toRecord)
    .filter(({ eventAction }) => eventAction === 'expiration');
  const dates = textsOf(ends.map(({ eventDate }) => eventDate));
  return { until: readEnd(dates, now), statuses: textsOf(status).map(normalizeStatus) };
}

async function fetchJson(url: string, { fetch, signal }: AskOptions, maxBytes: number) {
  const headers = { accept: 'application/rdap+json, application/json' };
  const { status, body } = await fetch(url, { headers, signal, maxBytes, maxRedirects: 3 });
  return toRecord(status === 200 ? attempt(() => JSON.parse(new TextDecoder().decode(body))) : undefined);
}

const toRecord = (value: unknown) => (value ?? {}) as Readonly<Record<string, unknown>>;
const listOf = (value: unknown) => (Array.isArray(value) ? (value.slice(0, MAX_ITEMS) as unknown[]) : []);
const textsOf = (value: unknown) => listOf(value).filter((text) => typeof text === 'string');
