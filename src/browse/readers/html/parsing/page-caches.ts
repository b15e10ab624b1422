/** Values by class name. Cleared around each page, because they would keep its text in memory. */
const known: Map<string, unknown>[] = [];

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

const MAX_NAMES = 10_000;

export function clearPageCaches(): void {
  for (const done of known) done.clear();
}
