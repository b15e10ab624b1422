/**
 * What was worked out of names, of one page: most elements of a page are called as others are, and reading their names was a fifteenth of
 * the time that a page takes. Emptied before and after each page, whose text the strings hold on to.
 */
const known: Map<string, unknown>[] = [];

/** A function of a string that is worked out once for each string of a page. */
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

/** Names of one page that are remembered. */
const MAX_NAMES = 10_000;

export function forgetNames(): void {
  for (const done of known) done.clear();
}
