export interface EachWithinOptions {
  readonly atOnce: number;
  /** Milliseconds after which no more are begun, besides the first so many. */
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

/** Why a part of many things was not looked at. */
export function noTimeFor(left: number, all: number): string {
  return `there was no time for ${left} of ${all} ports`;
}

/**
 * Work on each of many different things, so many at once, and what came of it in the order of the things. What was not begun in
 * time is `left`; it begins at another place each time, so that nothing is left for ever. Rejects as the work does, or
 * with the signal's reason.
 */
export async function eachWithin<T, R>(
  things: readonly T[],
  { atOnce, budgetMs, signal }: EachWithinOptions,
  work: (thing: T) => Promise<R>,
): Promise<{ readonly done: readonly R[]; readonly left: readonly T[] }> {
  const until = performance.now() + budgetMs;
  const first = things.length > atOnce ? Math.floor(Math.random() * things.length) : 0;
  const line = [...things.slice(first), ...things.slice(0, first)].values();
  const results = new Map<T, R>();
  const worker = async () => {
    for (const thing of line) {
      signal.throwIfAborted();
      results.set(thing, await work(thing));
      if (performance.now() >= until) return;
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, things.length) }, worker));
  return {
    done: things.flatMap((thing) => (results.has(thing) ? [results.get(thing) as R] : [])),
    left: things.filter((thing) => !results.has(thing)),
  };
}
