import Keyv from 'keyv';
import { upstreamError } from '../../../../errors.ts';
import { BoundedMap } from '../../../../lib/concurrency/bounded-map.ts';
import type { PackageVersion } from '../../../findings/finding.ts';
import type { Advisory, AdvisorySource, AdvisoryWatch } from './advisory.ts';
import { type AdvisoryServiceOptions, askJson } from './ask.ts';
import { isAdvisoryId, readOsvRecord } from './osv-record.ts';

/** Maximum number of queries in one request. OSV's API sets this limit. */
const MAX_QUERIES_PER_REQUEST = 1000;
/** Maximum number of result pages of one batch. Stops a service whose pages never end. */
const MAX_PAGES = 50;
const MAX_ADVISORIES = 20_000;
const CONCURRENT_REQUESTS = 5;
const CACHE_LIFETIME_MS = 86_400_000;
const MAX_CACHED = 20_000;

interface OsvQuery {
  readonly index: number;
  readonly token?: string;
}

/** Advisory source for OSV's API (https://google.github.io/osv.dev/api/). Requests each advisory once. */
export function createOsvApi(options: Omit<AdvisoryServiceOptions, 'name'>): AdvisorySource {
  const ask = { ...options, name: 'OSV' };
  const kept = new Keyv<{ advisory: Advisory | null }>({
    store: new BoundedMap(MAX_CACHED),
    ttl: CACHE_LIFETIME_MS,
  });
  // A failing cache is harmless: the advisory is requested again.
  kept.on('error', () => {});

  async function advisoryOf(id: string, modified: string, signal: AbortSignal): Promise<Advisory | null> {
    const key = `${id} ${modified}`;
    const known = await kept.get(key);
    if (known) return known.advisory;
    const advisory = readOsvRecord(await askJson(ask, `/v1/vulns/${encodeURIComponent(id)}`, signal)) ?? null;
    await kept.set(key, { advisory });
    return advisory;
  }

  return {
    name: 'OSV',
    covers: () => true,
    async findAdvisories(packages, watch) {
      for (let from = 0; from < packages.length; from += MAX_QUERIES_PER_REQUEST) {
        const batch = packages.slice(from, from + MAX_QUERIES_PER_REQUEST);
        const named = await idsOf(ask, batch, watch.signal);
        await tell(named, from, watch, advisoryOf);
      }
    },
  };
}

interface AdvisoryMention {
  readonly modified: string;
  readonly indexes: number[];
}

async function idsOf(ask: AdvisoryServiceOptions, packages: readonly PackageVersion[], signal: AbortSignal) {
  const named = new Map<string, AdvisoryMention>();
  let queries: OsvQuery[] = packages.map((_, index) => ({ index }));
  for (let page = 0; queries.length > 0; page++) {
    if (page >= MAX_PAGES) throw upstreamError(`OSV sends over ${MAX_PAGES} pages for one answer`);
    const body = {
      queries: queries.map(({ index, token }) => {
        const { name = '', ecosystem, version } = packages[index] ?? {};
        return { package: { name, ecosystem }, version, page_token: token };
      }),
    };
    const results = resultsOf(await askJson(ask, '/v1/querybatch', signal, body), queries.length);
    const next: OsvQuery[] = [];
    results.forEach((result, at) => {
      const index = queries[at]?.index ?? 0;
      for (const { id, modified } of result.vulns) {
        const known = named.get(id);
        if (known) known.indexes.push(index);
        else named.set(id, { modified, indexes: [index] });
      }
      if (result.token !== undefined) next.push({ index, token: result.token });
    });
    if (named.size > MAX_ADVISORIES)
      throw upstreamError(`OSV names over ${MAX_ADVISORIES} advisories for one batch`);
    queries = next;
  }
  return named;
}

function resultsOf(answer: unknown, expected: number) {
  const { results } = (answer ?? {}) as { results?: unknown };
  if (!Array.isArray(results) || results.length !== expected) {
    throw upstreamError('OSV answered something that is not a list of results');
  }
  return results.map((result: unknown) => {
    const { vulns, next_page_token: token } = (result ?? {}) as {
      vulns?: unknown;
      next_page_token?: unknown;
    };
    const list: unknown[] = Array.isArray(vulns) ? vulns : [];
    return {
      vulns: list.flatMap((one) => {
        const { id, modified } = (one ?? {}) as { id?: unknown; modified?: unknown };
        return isAdvisoryId(id)
          ? [{ id, modified: typeof modified === 'string' ? modified.slice(0, 40) : '' }]
          : [];
      }),
      token: typeof token === 'string' && token !== '' ? token.slice(0, 5000) : undefined,
    };
  });
}

async function tell(
  named: ReadonlyMap<string, AdvisoryMention>,
  offset: number,
  { signal, found }: AdvisoryWatch,
  advisoryOf: (id: string, modified: string, signal: AbortSignal) => Promise<Advisory | null>,
): Promise<void> {
  const waiting = named.entries();
  const stop = new AbortController();
  const both = AbortSignal.any([signal, stop.signal]);
  const work = async () => {
    for (const [id, { modified, indexes }] of waiting) {
      const advisory = await advisoryOf(id, modified, both);
      if (advisory) for (const index of new Set(indexes)) found(offset + index, advisory);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, work)).finally(() => stop.abort());
}
