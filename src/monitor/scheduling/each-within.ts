export interface EachWithinOptions {
  readonly concurrency: number;
  /** Milliseconds after which none is begun, except the first so many. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** Why some of many ports were not tried. */
export function noTimeFor(left: number, all: number): string {
  return `there was no time for ${left} of ${all} ports`;
}

/**
 * Work on each of many different things, so many at once, and its results in the order of the things. What was not begun
 * in time is `left`; it begins at another place each time, so that nothing is left for ever. Rejects as the work does, or
 * with the signal's reason. (The limiter of lib would queue thousands only to drop them, and has no end for the rest.)
 */
export async function eachWithin<T, R>(
  things: readonly T[],
  { concurrency, budgetMs, signal }: EachWithinOptions,
  work: (thing: T) => Promise<R>,
): Promise<{ readonly done: readonly R[]; readonly left: readonly T[] }> {
  const until = performance.now() + budgetMs;
  const first = things.length > concurrency ? Math.floor(Math.random() * things.length) : 0;
  const queue = [...things.slice(first), ...things.slice(0, first)].values();
  const results = new Map<T, R>();
  const worker = async () => {
    for (const thing of queue) {
      signal.throwIfAborted();
      results.set(thing, await work(thing));
      if (performance.now() >= until) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, things.length) }, worker));
  return {
    done: things.flatMap((thing) => (results.has(thing) ? [results.get(thing) as R] : [])),
    left: things.filter((thing) => !results.has(thing)),
  };
}
