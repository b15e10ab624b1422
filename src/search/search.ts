import { AppError } from '../errors.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import { EngineError, type SearchEngine, type SearchHit, type SearchQuery } from './engine.ts';
import { takeCharacters } from './excerpt.ts';
import { canonicalUrl, type FoundPage, fuse } from './merge.ts';
import type { PageListing, PageStore, StoredPage } from './page-store.ts';
import { createSuspensions, type Suspension } from './suspensions.ts';

/** How one engine did: its failure is data. */
export interface EngineReport {
  readonly name: string;
  readonly ok: boolean;
  /** Why not, in plain words. */
  readonly reason?: string;
  readonly ms: number;
  readonly hits: number;
}

export interface Found {
  readonly pages: readonly FoundPage[];
  readonly engines: readonly EngineReport[];
}

export interface FindOptions extends Omit<SearchQuery, 'text'> {
  readonly owner: string;
  readonly signal: AbortSignal;
}

export interface Search {
  /** All engines at once under one deadline. AppError `upstream` with each reason when none of them answered. */
  find(text: string, options: FindOptions): Promise<Found>;
  /** Adds a page to the owner's local index; nothing when it is switched off. */
  remember(owner: string, page: StoredPage): Promise<void>;
  recall(owner: string, url: string): Promise<StoredPage | undefined>;
  recent(owner: string, limit: number, cursor?: string): Promise<PageListing>;
}

export interface SearchOptions {
  readonly fetch: GuardedFetch;
  readonly engines: readonly SearchEngine[];
  /** host:port of engines that the operator placed on a private network. */
  readonly trusted: readonly string[];
  /** The local index: every page that a user has read. It needs no network. */
  readonly local?: PageStore;
  /** Whether `local` is among the engines asked; it remembers pages either way. */
  readonly askLocal: boolean;
  /** Milliseconds that the engines have together. */
  readonly timeoutMs: number;
  readonly log: Logger;
}

/** Most bytes of an engine's answer. */
const ANSWER_BYTES = 2_000_000;
/** Hits of one engine that are looked at. */
const MOST_HITS = 50;
/** Characters of a question that are passed on. */
const QUESTION = 2000;
const LOCAL = 'local';

export function createSearch(options: SearchOptions): Search {
  const { fetch, engines, trusted, local, askLocal, timeoutMs, log } = options;
  const suspensions = createSuspensions();

  async function ask(
    engine: SearchEngine,
    query: SearchQuery,
    signal: AbortSignal,
  ): Promise<readonly SearchHit[]> {
    const pause = suspensions.current(engine.name);
    if (pause) throw new EngineError('rate_limited', leftAlone(pause));
    const { url, ...request } = engine.request(query);
    const response = await fetch(url, {
      ...request,
      signal,
      timeoutMs,
      maxBytes: ANSWER_BYTES,
      // Only where the request itself goes: no engine may redirect to another's private address.
      allow: trusted.filter((host) => host === hostOf(url)),
    });
    try {
      const { status } = response;
      if (status === 429 || engine.pauses?.includes(status)) {
        throw new EngineError(
          'rate_limited',
          `${engine.refusals?.[status] ?? 'it is asked too often'} (${status})`,
        );
      }
      if (status !== 200 && status !== 202 && !engine.worded?.includes(status)) throw refusal(engine, status);
      const hits = engine.parse(new TextDecoder().decode(response.body), query);
      suspensions.clear(engine.name);
      return hits.slice(0, MOST_HITS);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      if (error.kind !== 'captcha' && error.kind !== 'rate_limited') throw error;
      const wait = Math.max(error.wait, retryAfter(response.headers.get('retry-after')));
      throw new EngineError(error.kind, leftAlone(suspensions.add(engine.name, error.message, wait)));
    }
  }

  return {
    async find(text, { owner, limit, signal, ...filters }) {
      if (engines.length === 0 && !(local && askLocal)) {
        throw new AppError(
          'upstream',
          'failed to fetch search results: no engine can be asked; name one in MAGPIE_ENGINES, and `local` needs MAGPIE_LOCAL_INDEX',
        );
      }
      const query: SearchQuery = { text: takeCharacters(text.toWellFormed(), QUESTION), limit, ...filters };
      const asked = [
        ...engines.map((engine) => ({ name: engine.name, hits: () => ask(engine, query, signal) })),
        ...(local && askLocal ? [{ name: LOCAL, hits: () => local.search(owner, query.text, limit) }] : []),
      ];
      const answers = await Promise.all(asked.map((one) => timed(one, log)));
      signal.throwIfAborted();
      const reports = answers.map(({ hits, ...report }): EngineReport => ({ ...report, hits: hits.length }));
      const pages = fuse(
        answers.map(({ name, hits }) => ({ engine: name, hits })),
        limit,
      );
      // The local index having nothing says nothing about the web.
      const answered = reports.some(({ ok, name }) => ok && (name !== LOCAL || engines.length === 0));
      if (pages.length > 0 || answered) return { pages, engines: reports };
      const reasons = reports.filter(({ ok }) => !ok).map(({ name, reason }) => `${name}: ${reason}`);
      throw new AppError(
        'upstream',
        `failed to fetch search results: ${reasons.join('; ')}. Try again later, or read a known address with browse`,
      );
    },
    async remember(owner, page) {
      await local?.put(owner, { ...page, url: canonicalUrl(page.url) ?? page.url });
    },
    async recall(owner, url) {
      return local?.get(owner, canonicalUrl(url) ?? url);
    },
    async recent(owner, limit, cursor) {
      return local ? local.list(owner, limit, cursor) : { pages: [] };
    },
  };
}

interface Asked {
  readonly name: string;
  hits(): Promise<readonly SearchHit[]>;
}

/** One engine's answer with the time it took; a failure becomes its reason. */
async function timed({ name, hits }: Asked, log: Logger) {
  const started = performance.now();
  const report = (rest: { ok: boolean; reason?: string; hits: readonly SearchHit[] }) => ({
    name,
    ms: Math.round(performance.now() - started),
    ...rest,
  });
  try {
    return report({ ok: true, hits: await hits() });
  } catch (error) {
    log.debug({ engine: name, err: error }, 'an engine failed');
    return report({ ok: false, reason: reasonOf(error), hits: [] });
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EngineError || error instanceof AppError) return error.message;
  return 'its answer could not be read';
}

function refusal(engine: SearchEngine, status: number): EngineError {
  const words = engine.refusals?.[status] ?? STATUS_WORDS[status];
  if (words) return new EngineError('refused', `${words} (${status})`);
  return new EngineError('refused', `it ${status >= 500 ? 'has a fault' : 'gives no results'} (${status})`);
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: 'it wants a key or password',
  403: 'it refuses the request',
  404: 'there is no search at its address',
  503: 'it is overloaded or down',
};

function leftAlone({ reason, until }: Suspension): string {
  return `${reason}; it is left alone until ${new Date(until).toISOString().slice(0, 19)}Z`;
}

/** Milliseconds of a Retry-After header, seconds or a date; 0 when there is none. */
function retryAfter(header: string | null): number {
  if (!header) return 0;
  return /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, Date.parse(header) - Date.now() || 0);
}

/** host:port, as `trusted` spells it. */
function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
}
