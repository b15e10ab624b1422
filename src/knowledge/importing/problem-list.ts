const MAX_NAMED = 20;
export const NAMED_PER_WARNING = 5;

export function createLeftOutTally() {
  const skipped: Record<string, number> = {};
  const skippedAt: Record<string, string[]> = {};
  return {
    skipped: skipped as Readonly<Record<string, number>>,
    skippedAt: skippedAt as Readonly<Record<string, readonly string[]>>,
    /** Counts a skipped record, named by `at`. `at` is undefined if only a part of a record is skipped. */
    add(why: string, at: string | undefined, count = 1): void {
      skipped[why] = (skipped[why] ?? 0) + count;
      if (at === undefined) return;
      skippedAt[why] ??= [];
      const named = skippedAt[why];
      if (named.length < NAMED_PER_WARNING) named.push(at);
    },
  };
}

export interface NamedReason {
  readonly at: string;
  readonly why: string;
}

export function createProblemList() {
  let count = 0;
  const named: NamedReason[] = [];
  return {
    /** Counts a problem. Keeps the names (`at`) of the first `perReason` records with the same problem. */
    add(at: string, why: string, perReason = MAX_NAMED): void {
      count++;
      const isNew = named.length < MAX_NAMED && named.filter((one) => one.why === why).length < perReason;
      if (isNew) named.push({ at, why });
    },
    count: () => count,
    named: named as readonly NamedReason[],
  };
}
