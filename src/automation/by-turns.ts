/** Work with the same name, one after the other. */
export type ByTurns = <T>(name: string, signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Holds a place for each name that is at work, and none for others. A caller who gives up leaves the line. */
export function createByTurns(): ByTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (name, signal, work) => {
    const before = last.get(name);
    const mine = (before ?? Promise.resolve()).then(() => {
      signal.throwIfAborted();
      return work();
    });
    const over = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(name, over);
    try {
      return await mine;
    } finally {
      if (last.get(name) === over) last.delete(name);
    }
  };
}
