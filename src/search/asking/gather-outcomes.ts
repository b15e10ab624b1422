import { AppError } from '../../errors.ts';
import { isNetworkDownMessage } from '../../lib/network/network-failure.ts';
import type { Logger } from '../../log.ts';
import { EngineError, type SearchHit } from '../engine.ts';
import type { EngineAnswer } from './engine-asker.ts';
import { type EngineUseCounts, OutOfTurnError } from './pace.ts';

export interface EngineTask {
  readonly name: string;
  /** True if the engine is suspended. `ask` then only returns the reason, without a request. */
  readonly isSuspended?: boolean;
  ask(stake: EngineUseCounts, signal: AbortSignal, patienceMs?: number): Promise<EngineAnswer>;
}

export interface EngineOutcome {
  readonly name: string;
  readonly ok: boolean;
  readonly reason?: string;
  readonly ms: number;
  readonly hits: readonly SearchHit[];
  readonly kept?: true;
  /** Milliseconds until a new attempt may succeed. */
  readonly wait?: number;
  /** Wait for the rate limit in ms. Set only if the engine was not asked because of this wait. */
  readonly turn?: number;
  readonly dropped?: true;
}

/** `only waiting`: all open requests wait for rate limits. `late`: a quarter of the time limit has passed. */
export type SearchProgress = 'under way' | 'only waiting' | 'late';

export interface GatherOptions {
  readonly reserve?: readonly EngineTask[];
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly log: Logger;
  canStop(outcomes: readonly EngineOutcome[], progress: SearchProgress): boolean;
  hasTooFewResults(outcomes: readonly EngineOutcome[]): boolean;
  /** True if no answer is usable. The search then waits longer for engines with a rate limit. */
  isOutage(outcomes: readonly EngineOutcome[]): boolean;
}

/** Once there are enough hits, the search goes on for this share of the time elapsed so far. */
const GRACE_SHARE = 0.5;
const MIN_GRACE_MS = 100;
const AT_ONCE = 3;
const LATE_SHARE = 0.25;
/** If hits are still too few after this multiple of the time to the first hits, reserve engines are asked. */
const LATE_TIMES = 4;
const MIN_LATE_MS = 300;
/** If no answer is usable, the search waits for a rate limit, at most this share of the remaining time. */
const PATIENCE_SHARE = 0.75;
const MOST_WAITED = 2;
const DROPPED = 'dropped: enough was in';

/** Asks all `first` engines at once, and reserve engines if hits are too few. Rejects on an abort. */
export function gatherOutcomes(
  first: readonly EngineTask[],
  options: GatherOptions,
): Promise<EngineOutcome[]> {
  const { signal, timeoutMs, log, canStop, hasTooFewResults, isOutage } = options;
  const asked: EngineTask[] = [];
  const reserve = [...(options.reserve ?? [])];
  const { promise, resolve, reject } = Promise.withResolvers<EngineOutcome[]>();
  const stop = new AbortController();
  const stake: EngineUseCounts = { held: 0, waiting: 0 };
  const started = performance.now();
  const ended = new Map<EngineTask, EngineOutcome>();
  const spent = () => performance.now() - started;
  let grace: NodeJS.Timeout | undefined;
  let hasWaited = false;
  let isLate = false;

  const end = () => {
    clearTimeout(grace);
    clearTimeout(deadline);
    late.stop();
    signal.removeEventListener('abort', onAbort);
  };
  const finish = (reason: string) => {
    end();
    const left = { ok: false, reason, ms: Math.round(spent()), hits: [] };
    const dropped = reason === DROPPED && { dropped: true as const };
    resolve(asked.map((one) => ended.get(one) ?? { name: one.name, ...left, ...dropped }));
    if (ended.size < asked.length) stop.abort(new DOMException(reason, 'AbortError'));
  };
  const fail = (reason: unknown) => {
    end();
    reject(reason);
    stop.abort(reason);
  };
  const deadline = setTimeout(() => finish(`it did not answer within ${timeoutMs / 1000} s`), timeoutMs);
  const onAbort = () => fail(signal.reason);

  const late = createLateness(timeoutMs * LATE_SHARE, (isLast) => {
    if (grace) return;
    isLate ||= isLast;
    if (hasTooFewResults([...ended.values()])) takeMore(Math.min(AT_ONCE, asked.length - ended.size));
    weigh();
  });

  function takeMore(count: number): boolean {
    const next = reserve.splice(0, count);
    for (const one of next) start(one);
    return next.length > 0;
  }

  function start(one: EngineTask, patienceMs?: number): void {
    if (!asked.includes(one)) asked.push(one);
    take(one, patienceMs).catch(fail);
  }

  async function take(one: EngineTask, patienceMs?: number): Promise<void> {
    const outcome = await timed(one, { stake, signal: stop.signal, patienceMs });
    if (stop.signal.aborted) return;
    if (outcome.error) log.debug({ engine: one.name, err: outcome.error }, 'an engine failed');
    const { error: _, ...rest } = outcome;
    ended.set(one, rest);
    if (outcome.hits.length > 0) late.noteAnswer(spent());
    if (!outcome.ok && !one.isSuspended && !grace) takeMore(1);
    weigh();
  }

  function waitForTurns(): boolean {
    if (hasWaited || !isOutage([...ended.values()])) return false;
    hasWaited = true;
    const patienceMs = (timeoutMs - spent()) * PATIENCE_SHARE;
    const soon = [...ended]
      .filter(([, { turn = Infinity }]) => turn <= patienceMs)
      .sort(([, a], [, b]) => (a.turn ?? 0) - (b.turn ?? 0))
      .slice(0, MOST_WAITED);
    for (const [one] of soon) {
      ended.delete(one);
      start(one, patienceMs);
    }
    return soon.length > 0;
  }

  function weigh(): void {
    const sofar = [...ended.values()];
    if (ended.size === asked.length) {
      const goesOn = !grace && ((hasTooFewResults(sofar) && takeMore(AT_ONCE)) || waitForTurns());
      if (!goesOn) finish('');
      return;
    }
    const onlyWaiting = stake.waiting === asked.length - ended.size;
    if (grace || !canStop(sofar, onlyWaiting ? 'only waiting' : isLate ? 'late' : 'under way')) return;
    grace = setTimeout(finish, Math.max(MIN_GRACE_MS, spent() * GRACE_SHARE), DROPPED);
  }

  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    for (const one of first) start(one);
    if (asked.length === 0 && !takeMore(AT_ONCE)) finish('');
  }
  return promise;
}

function createLateness(lastMs: number, onLate: (isLast: boolean) => void) {
  let early: NodeJS.Timeout | undefined;
  const last = setTimeout(onLate, lastMs, true);
  return {
    noteAnswer(ms: number): void {
      early ??= setTimeout(onLate, Math.max(MIN_LATE_MS, ms * (LATE_TIMES - 1)), false);
    },
    stop(): void {
      clearTimeout(early);
      clearTimeout(last);
    },
  };
}

async function timed(
  { name, ask }: EngineTask,
  {
    stake,
    signal,
    patienceMs,
  }: { stake: EngineUseCounts; signal: AbortSignal; patienceMs: number | undefined },
): Promise<EngineOutcome & { readonly error?: unknown }> {
  const started = performance.now();
  const spent = () => Math.round(performance.now() - started);
  try {
    const { hits, kept } = await ask(stake, signal, patienceMs);
    return { name, ok: true, ms: spent(), hits, kept: kept || undefined };
  } catch (error) {
    const reason = describeEngineFailure(error);
    const isKnown =
      !isNetworkDownMessage(reason) && (error instanceof EngineError || error instanceof OutOfTurnError);
    const wait = isKnown ? error.wait : 0;
    return {
      name,
      ok: false,
      reason,
      ms: spent(),
      hits: [],
      error,
      wait: wait > 0 ? wait : undefined,
      turn: isKnown && error instanceof OutOfTurnError ? error.wait : undefined,
    };
  }
}

export function describeEngineFailure(error: unknown): string {
  if (error instanceof EngineError || error instanceof AppError || error instanceof OutOfTurnError)
    return error.message;
  return 'its answer could not be read';
}
