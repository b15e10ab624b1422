import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { EngineAnswer } from './ask.ts';
import { EngineError, type SearchHit } from './engine.ts';
import { OutOfTurn, type Stake } from './pace.ts';

/** One engine that takes part in a search. */
export interface Asked {
  readonly name: string;
  ask(stake: Stake, signal: AbortSignal): Promise<EngineAnswer>;
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
}

export interface GatherOptions {
  /** Asked one by one in place of those that fail. */
  readonly reserve?: readonly Asked[];
  /** The caller's cancellation. */
  readonly signal: AbortSignal;
  /** Milliseconds that all have together. */
  readonly timeoutMs: number;
  readonly log: Logger;
  /**
   * Whether the outcomes so far make an answer that the others would hardly change; `onlyWaiting` when none
   * of the others has even been asked yet, since their turn has not come.
   */
  enough(outcomes: readonly Outcome[], onlyWaiting: boolean): boolean;
}

/** Once enough is in, the others get this share of the time that it took: where all are slow, all get longer. */
const GRACE_SHARE = 0.5;
/** Milliseconds that the others get at least. */
const MIN_GRACE_MS = 100;

/** The reason of a signal that ends requests whose answers are no longer waited for. */
const DROPPED = 'dropped: enough was in';

/**
 * Asks all at once, and for each that fails one of the reserve. Resolves when each has ended, when enough is in and a short grace is over, or at the
 * deadline; what is then under way is broken off. Rejects with the signal's reason when the caller cancels.
 */
export function gather(first: readonly Asked[], options: GatherOptions): Promise<Outcome[]> {
  const { signal, timeoutMs, log, enough } = options;
  const asked = [...first];
  const reserve = [...(options.reserve ?? [])];
  const { promise, resolve, reject } = Promise.withResolvers<Outcome[]>();
  const stop = new AbortController();
  const stake: Stake = { held: 0, waiting: 0 };
  const started = performance.now();
  const ended = new Map<Asked, Outcome>();
  let grace: NodeJS.Timeout | undefined;

  const finish = (reason: string) => {
    clearTimeout(grace);
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    const ms = Math.round(performance.now() - started);
    resolve(asked.map((one) => ended.get(one) ?? { name: one.name, ok: false, reason, ms, hits: [] }));
    if (ended.size < asked.length) stop.abort(new DOMException(reason, 'AbortError'));
  };
  const deadline = setTimeout(() => finish(`it did not answer within ${timeoutMs / 1000} s`), timeoutMs);
  const fail = (reason: unknown) => {
    clearTimeout(grace);
    clearTimeout(deadline);
    signal.removeEventListener('abort', onAbort);
    reject(reason);
    stop.abort(reason);
  };
  const onAbort = () => fail(signal.reason);

  async function take(one: Asked): Promise<void> {
    const outcome = await timed(one, stake, stop.signal);
    if (stop.signal.aborted) return;
    if (outcome.error) log.debug({ engine: one.name, err: outcome.error }, 'an engine failed');
    const { error: _, ...rest } = outcome;
    ended.set(one, rest);
    const next = outcome.ok || grace ? undefined : reserve.shift();
    if (next) {
      asked.push(next);
      take(next).catch(fail);
    }
    if (ended.size === asked.length) return finish('');
    const onlyWaiting = stake.waiting === asked.length - ended.size;
    if (grace || !enough([...ended.values()], onlyWaiting)) return;
    const took = performance.now() - started;
    grace = setTimeout(finish, Math.max(MIN_GRACE_MS, took * GRACE_SHARE), DROPPED);
  }

  if (signal.aborted) onAbort();
  else {
    signal.addEventListener('abort', onAbort, { once: true });
    if (asked.length === 0) finish('');
    for (const one of first) take(one).catch(fail);
  }
  return promise;
}

async function timed(
  { name, ask }: Asked,
  stake: Stake,
  signal: AbortSignal,
): Promise<Outcome & { readonly error?: unknown }> {
  const started = performance.now();
  const spent = () => Math.round(performance.now() - started);
  try {
    const { hits, kept } = await ask(stake, signal);
    return { name, ok: true, ms: spent(), hits, kept: kept || undefined };
  } catch (error) {
    const wait = error instanceof EngineError || error instanceof OutOfTurn ? error.wait : 0;
    return {
      name,
      ok: false,
      reason: reasonOf(error),
      ms: spent(),
      hits: [],
      error,
      wait: wait > 0 ? wait : undefined,
    };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof EngineError || error instanceof AppError || error instanceof OutOfTurn)
    return error.message;
  return 'its answer could not be read';
}
