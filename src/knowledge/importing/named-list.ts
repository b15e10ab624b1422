const MAX_NAMED = 20;
export const NAMED_PER_WARNING = 5;

export interface NamedReason {
  readonly at: string;
  readonly why: string;
}

export function createNamedList() {
  let count = 0;
  const named: NamedReason[] = [];
  return {
    /** Counts a record, and names it unless `perReason` records are named for the same reason already. */
    add(at: string, why: string, perReason = MAX_NAMED): void {
      count++;
      const isNew = named.length < MAX_NAMED && named.filter((one) => one.why === why).length < perReason;
      if (isNew) named.push({ at, why });
    },
    count: () => count,
    named: named as readonly NamedReason[],
  };
}
