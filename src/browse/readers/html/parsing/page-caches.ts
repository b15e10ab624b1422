/** Caches of values by class name. They are cleared before and after each page, to free memory. */
const known: Map<string, unknown>[] = [];

export function cachePerPage<T>(work: (names: string) => T): (names: string) => T {
  const done = new Map<string, T>();
  known.push(done);
  return (names) => {
    let value = done.get(names);
    if (value === undefined) {
      value = work(names);
      if (done.size < MAX_NAMES) done.set(names, value);
    }
    return value;
  };
}

const MAX_NAMES = 10_000;

export function clearPageCaches(): void {
  for (const done of known) done.clear();
}
