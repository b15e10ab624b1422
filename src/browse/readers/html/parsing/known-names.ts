/**
 * Caches of values computed from class names of one page. Most elements share their names, and reading these took a fifteenth of
 * a page's time. Cleared before and after each page, because the strings keep its text in memory.
 */
const known: Map<string, unknown>[] = [];

/** Memoizes a function of a string for the duration of one page. */
export function oncePerPage<T>(work: (names: string) => T): (names: string) => T {
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

/** Maximum number of strings per cache. */
const MAX_NAMES = 10_000;

export function forgetNames(): void {
  for (const done of known) done.clear();
}
