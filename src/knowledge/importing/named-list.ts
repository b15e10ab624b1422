const MAX_NAMED = 20;

export interface NamedReason {
  /** The record, file or line that the reason concerns. */
  readonly at: string;
  readonly why: string;
}

/** Counts records, and keeps the first 20 of them with a reason each. */
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
