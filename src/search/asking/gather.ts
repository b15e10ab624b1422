import { AppError } from '../../errors.ts';
import { isWithoutNetwork } from '../../lib/network/network-failure.ts';
import type { Logger } from '../../log.ts';
import { EngineError, type SearchHit } from '../engine.ts';
import type { EngineAnswer } from './ask.ts';
import { OutOfTurn, type Stake } from './pace.ts';

/** One engine as a search asks it. */
export interface EngineTask {
  readonly name: string;
  /** It was suspended when the engines were chosen: it takes part for its reason, and none is asked in its place. */
  readonly isSuspended?: boolean;
  /** `patienceMs` is how long its turn is waited for, where that is longer than usual. */
  ask(stake: Stake, signal: AbortSignal, patienceMs?: number): Promise<EngineAnswer>;
}

/** How an engine's part ended. */
export interface Outcome {
  readonly name: string;
  readonly ok: boolean;
  /** Why not, in plain words. */
  readonly reason?: string;
  readonly ms: number;
  readonly hits: readonly SearchHit[];
  readonly kept?: true;
  /** Milliseconds after which asking again may succeed, where that is known. */
  readonly wait?: number;
  /** Milliseconds until its turn: it was not asked, since others had been asked before. */
  readonly turn?: number;
  /** It neither answered nor refused: its answer was no longer waited for. */
  readonly dropped?: true;
}

/** How far the asking is: engines under way, or none of the others asked yet since their turn has not come, or late. */
export type Progress = 'under way' | 'only waiting' | 'late';

export interface GatherOptions {
  /** Asked in place of those that fail, are late or bring too little. */
  readonly reserve?: readonly EngineTask[];
  /** The caller's cancellation. */
  readonly signal: AbortSignal;
  /** Milliseconds that all have together. */
  readonly timeoutMs: number;
  readonly log: Logger;
  /** Whether the outcomes so far make an answer that the others would hardly change. */
  canStop(outcomes: readonly Outcome[], progress: Progress): boolean;
  /** Whether the outcomes so far are too little for an answer, so that more engines have to be asked. */
  hasTooLittle(outcomes: readonly Outcome[]): boolean;
  /** Whether the outcomes, all there are, are not an answer at all: then an engine's turn is waited for longer. */
  isOutage(outcomes: readonly Outcome[]): boolean;
}

/** Once enough is in, the others get this share of the time that it took: where all are slow, all get longer. */
const GRACE_SHARE = 0.5;
/** Milliseconds that the others get at least. */
const MIN_GRACE_MS = 100;
/** Engines of the reserve that are asked at once where all that were asked bring too little. */
const AT_ONCE = 3;
/** Share of the time limit after which an engine is late. */
const LATE_SHARE = 0.25;
/** An engine is late too when it takes this many times as long as the first answer, and so many milliseconds. */
const LATE_TIMES = 4;
const MIN_LATE_MS = 300;
/** Share of the time that is left in which a turn has to come, where nothing else has answered: the rest is for the answer. */
const PATIENCE_SHARE = 0.75;
/** Engines whose turn is waited for so long. */
const MOST_WAITED = 2;

/** The reason of a signal that ends requests whose answers are no longer waited for. */
const DROPPED = 'dropped: enough was in';

/**
 * Asks all at once; one of the reserve for each that fails, and more of it where those asked are late or bring too
 * little. Resolves when each has ended, when enough is in and a short grace is over, or at the deadline; what is then
 * under way is broken off. Rejects with the signal's reason when the caller cancels.
 */
export function gather(first: readonly EngineTask[], options: GatherOptions): Promise<Outcome[]> {
  const { signal, timeoutMs, log, canStop, hasTooLittle, isOutage } = options;
  const asked: EngineTask[] = [];
  const reserve = [...(options.reserve ?? [])];
  const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
  const stop = new AbortController();
  const stake: Stake = { held: 0, waiting: 0 };
  const started = performance.now();
  const ended = new Map<EngineTask, Outcome>();
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
    if (hasTooLittle([...ended.values()])) takeMore(Math.min(AT_ONCE, asked.length - ended.size));
    weigh();
  });

  /** Asks as many of the reserve; false where it is empty. */
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

  /** Where nothing has answered, an engine whose turn comes within the time is asked again: it is all there is. */
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

  /** Goes on, or ends, by what is in. */
  function weigh(): void {
    const sofar = [...ended.values()];
    if (ended.size === asked.length) {
      const goesOn = !grace && ((hasTooLittle(sofar) && takeMore(AT_ONCE)) || waitForTurns());
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

/** Calls `onLate` some time after the first answer, and at a fixed time, which is the last. */
function createLateness(lastMs: number, onLate: (isLast: boolean) => void) {
  let early: NodeJS.Timeout | undefined;
  const last = setTimeout(onLate, lastMs, true);
  return {
    /** An answer came after so many milliseconds. */
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
  { stake, signal, patienceMs }: { stake: Stake; signal: AbortSignal; patienceMs: number | undefined },
): Promise<Outcome & { readonly error?: unknown }> {
  const started = performance.now();
  const spent = () => Math.round(performance.now() - started);
  try {
    const { hits, kept } = await ask(stake, signal, patienceMs);
    return { name, ok: true, ms: spent(), hits, kept: kept || undefined };
  } catch (error) {
    const reason = reasonOf(error);
    // Where there is no network its time says nothing.
    const isKnown = !isWithoutNetwork(reason) && (error instanceof EngineError || error instanceof OutOfTurn);
    const wait = isKnown ? error.wait : 0;
    return {
      name,
      ok: false,
      reason,
      ms: spent(),
      hits: [],
      error,
      wait: wait > 0 ? wait : undefined,
      turn: isKnown && error instanceof OutOfTurn ? error.wait : undefined,
    };
  }
}

/** Why an engine failed, for the caller. */
export function reasonOf(error: unknown): string {
  if (error instanceof EngineError || error instanceof AppError || error instanceof OutOfTurn)
    return error.message;
  return 'its answer could not be read';
}
