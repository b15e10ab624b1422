import Keyv from 'keyv';
import { BoundedMap } from '../../lib/concurrency/bounded-map.ts';
import { createCoalescer } from '../../lib/concurrency/request-coalescer.ts';
import { isNetworkDownMessage } from '../../lib/network/network-failure.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { EngineError, type SearchEngine, type SearchHit, type SearchQuery } from '../engine.ts';
import { createEngineClient, type EngineClientOptions } from './engine-client.ts';
import { createPacer, type EngineUseCounts, OutOfTurnError } from './pace.ts';
import type { EngineSuspension, EngineSuspensions } from './suspensions.ts';

export interface EngineAnswer {
  readonly hits: readonly SearchHit[];
  readonly kept: boolean;
}

export interface EngineAskOptions {
  readonly owner: string;
  readonly stake: EngineUseCounts;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly patienceMs?: number | undefined;
}

/** Returns the milliseconds until an engine may be asked, or Infinity if the engine is suspended. */
export type EngineWaitLookup = (engine: SearchEngine) => number;

export interface AskerOptions extends EngineClientOptions {
  readonly timeoutMs: number;
  readonly suspensions: EngineSuspensions;
}

/** Error for a suspended engine. `wait` is the remaining time of the suspension in milliseconds. */
export class EngineSuspendedError extends EngineError {
  constructor({ reason, until }: EngineSuspension) {
    super(
      'rate_limited',
      `${reason}; it is left alone until ${new Date(until).toISOString().slice(0, 19)}Z`,
      until - Date.now(),
    );
  }
}

const MAX_HITS = 50;
const MAX_TEXT_CHARS = 4000;
const UNREACHED_MS = 30_000;
const WAITING_SHARE = 0.5;
/** An equal question joins a running request only during this share of the time limit. */
const JOINING_SHARE = 0.5;

/** Creates a function that asks an engine. Answers are cached for each owner, so questions stay private. */
export function createEngineAsker({ fetch, trusted, timeoutMs, suspensions }: AskerOptions) {
  const pacer = createPacer();
  const visitor = createEngineClient({ fetch, trusted });
  const flights = createCoalescer<readonly SearchHit[]>({
    copy: (hits) => hits,
    joining: timeoutMs * JOINING_SHARE,
  });
  const kept = createAnswerCache();
  const unreached = createUnreached();

  async function checkSuspended(name: string): Promise<void> {
    const suspension = (await suspensions.listCurrent()).get(name);
    if (suspension) throw new EngineSuspendedError(suspension);
  }

  async function request(
    engine: SearchEngine,
    query: SearchQuery,
    {
      stake,
      signal,
      timeoutMs: limit,
      patienceMs: patience = limit * WAITING_SHARE,
    }: Omit<EngineAskOptions, 'owner'>,
  ): Promise<readonly SearchHit[]> {
    const { name, about } = engine;
    await checkSuspended(name);
    try {
      await pacer.waitForTurn(name, { pace: about.pace, patience, stake, signal });
    } catch (error) {
      throw unreached.explain(name, error);
    }
    try {
      if (about.pace > 0) await checkSuspended(name);
      return await exchange(engine, query, limit, signal);
    } catch (error) {
      stake.held--;
      throw error;
    }
  }

  async function exchange(engine: SearchEngine, query: SearchQuery, limit: number, signal: AbortSignal) {
    const { name } = engine;
    try {
      const hits = (await visitor.search(engine, query, { signal, timeoutMs: limit }))
        .slice(0, MAX_HITS)
        .map(cut);
      suspensions.recordAnswer(name);
      unreached.forget(name);
      return hits;
    } catch (error) {
      unreached.note(name, error);
      throw suspended(name, error);
    }
  }

  function suspended(name: string, error: unknown): unknown {
    if (!(error instanceof EngineError) || error.kind === 'refused') return error;
    const kind = error.kind === 'changed' || error.kind === 'unrelated' ? 'changed' : 'refused';
    const suspension = suspensions.suspend(name, kind, error.message, error.wait);
    return suspension ? new EngineSuspendedError(suspension) : error;
  }

  async function ask(engine: SearchEngine, query: SearchQuery, { owner, signal, ...rest }: EngineAskOptions) {
    const question = JSON.stringify([engine.name, query]);
    const key = JSON.stringify([owner, question]);
    const before = await kept.get(key);
    if (before) return { hits: before, kept: true };
    const hits = await flights.join(
      question,
      (shared) => request(engine, query, { ...rest, signal: shared }),
      signal,
    );
    await kept.put(key, hits);
    return { hits, kept: false };
  }

  return {
    ask,
    async readStanding(): Promise<EngineWaitLookup> {
      const suspended = await suspensions.listCurrent();
      return ({ name, about }) => (suspended.has(name) ? Infinity : pacer.waitOf(name, about.pace));
    },
  };
}

/** Remembers for 30 seconds which engines were unreachable because the network was down. */
function createUnreached() {
  const reasons = new Map<string, { readonly why: string; readonly at: number }>();
  return {
    note(engine: string, error: unknown): void {
      const why = error instanceof Error ? error.message : '';
      if (isNetworkDownMessage(why)) reasons.set(engine, { why, at: performance.now() });
    },
    forget: (engine: string) => void reasons.delete(engine),
    explain(engine: string, error: unknown): unknown {
      const known = reasons.get(engine);
      if (!(error instanceof OutOfTurnError) || !known || performance.now() - known.at > UNREACHED_MS)
        return error;
      return new OutOfTurnError(error.pace, error.wait, known.why);
    },
  };
}

function cut(hit: SearchHit): SearchHit {
  return {
    ...hit,
    title: takeCharacters(hit.title, MAX_TEXT_CHARS),
    snippet: takeCharacters(hit.snippet, MAX_TEXT_CHARS),
    url: hit.url.length > MAX_TEXT_CHARS ? '' : hit.url,
  };
}

const LIFETIME_MS = 10 * 60_000;
const MAX_ANSWERS = 200;

/** Creates an in-memory LRU cache of hits as text: as objects, hits could keep whole pages in memory. */
function createAnswerCache() {
  const keyv = new Keyv<readonly SearchHit[]>({ store: new BoundedMap(MAX_ANSWERS), ttl: LIFETIME_MS });
  // Errors of the cache are ignored: without the cache, the engine is asked again.
  keyv.on('error', () => {});
  return {
    get: (key: string) => keyv.get(key),
    put: (key: string, hits: readonly SearchHit[]) => keyv.set(key, hits),
  };
}
