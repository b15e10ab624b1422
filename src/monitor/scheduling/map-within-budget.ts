export interface MapWithinBudgetOptions {
  readonly concurrency: number;
  readonly budgetMs: number;
  readonly signal: AbortSignal;
}

export function formatUntriedPorts(left: number, all: number): string {
  return `there was no time for ${left} of ${all} ports`;
}

/** Calls `work` for items until `budgetMs` have elapsed. The first item is random. Rejects if `work` does. */
export async function mapWithinBudget<T, R>(
  things: readonly T[],
  { concurrency, budgetMs, signal }: MapWithinBudgetOptions,
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
