const MAX_NAMED = 20;

export interface NamedReason {
  /** The record, file or line that is meant. */
  readonly at: string;
  readonly why: string;
}

/** Counts records with a reason each, and keeps the first 20 by name. */
export function createNamedList() {
  let count = 0;
  const named: NamedReason[] = [];
  return {
    add(at: string, why: string): void {
      count++;
      if (named.length < MAX_NAMED) named.push({ at, why });
    },
    count: () => count,
    named: named as readonly NamedReason[],
  };
}
