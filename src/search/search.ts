import { AppError } from '../errors.ts';
import type { GuardedFetch } from '../lib/fetch.ts';
import type { Logger } from '../log.ts';
import { EngineError, type SearchEngine, type SearchHit } from './engine.ts';
import { type FoundPage, fuse } from './merge.ts';
import type { PageListing, PageStore, StoredPage } from './page-store.ts';
import { createSuspensions } from './suspensions.ts';

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

export interface Search {
  /** All engines at once under one deadline. AppError `upstream` with each reason when none of them answered. */
  find(
    text: string,
    options: { readonly owner: string; readonly limit: number; readonly signal: AbortSignal },
  ): Promise<Found>;
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
const LOCAL = 'local';

export function createSearch(options: SearchOptions): Search {
  const { fetch, engines, trusted, local, askLocal, timeoutMs, log } = options;
  const suspensions = createSuspensions();

  async function ask(
    engine: SearchEngine,
    text: string,
    limit: number,
    signal: AbortSignal,
  ): Promise<SearchHit[]> {
    const pause = suspensions.remaining(engine.name);
    if (pause > 0)
      throw new EngineError('rate_limited', `left alone for another ${Math.ceil(pause / 1000)} s`);
    const query = { text, limit };
    const { url, ...request } = engine.request(query);
    const response = await fetch(url, {
      ...request,
      signal,
      timeoutMs,
      maxBytes: ANSWER_BYTES,
      allow: trusted,
    });
    try {
      if (response.status === 429) throw new EngineError('rate_limited', 'it is asked too often (429)');
      if (response.status !== 200 && response.status !== 202) throw refusal(response.status);
      const hits = engine.parse(new TextDecoder().decode(response.body), query);
      suspensions.clear(engine.name);
      return hits;
    } catch (error) {
      const wait = Number(response.headers.get('retry-after')) * 1000;
      if (error instanceof EngineError && (error.kind === 'captcha' || error.kind === 'rate_limited')) {
        suspensions.add(engine.name, wait);
      }
      throw error;
    }
  }

  return {
    async find(text, { owner, limit, signal }) {
      if (engines.length === 0 && !(local && askLocal)) {
        throw new AppError(
          'upstream',
          'failed to fetch search results: no engine is configured; set MAGPIE_ENGINES',
        );
      }
      const asked = [
        ...engines.map((engine) => ({ name: engine.name, hits: () => ask(engine, text, limit, signal) })),
        ...(local && askLocal ? [{ name: LOCAL, hits: () => local.search(owner, text, limit) }] : []),
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
      await local?.put(owner, page);
    },
    async recall(owner, url) {
      return local?.get(owner, url);
    },
    async recent(owner, limit, cursor) {
      return local ? local.list(owner, limit, cursor) : { pages: [] };
    },
  };
}

interface Asked {
  readonly name: string;
  hits(): Promise<SearchHit[]>;
}

/** One engine's answer with the time it took; a failure becomes its reason. */
async function timed({ name, hits }: Asked, log: Logger) {
  const started = performance.now();
  const report = (rest: { ok: boolean; reason?: string; hits: SearchHit[] }) => ({
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

function refusal(status: number): EngineError {
  const words =
    status === 403
      ? 'it refuses the request (403)'
      : status >= 500
        ? `it has a fault (${status})`
        : `it answered ${status}`;
  return new EngineError('refused', words);
}
