const MAX_REMEMBERED = 10_000;

/** Returns a function that is true for a new `mark`, then false for this mark until `until` (epoch ms). */
export function createReplayGuard(now: () => number): (mark: string, until: number) => boolean {
  const used = new Map<string, number>();
  return (mark, until) => {
    if ((used.get(mark) ?? 0) > now()) return false;
    used.delete(mark);
    // The marks are in order of use, which is nearly the order in which they expire.
    for (const [old, end] of used) {
      if (end > now() && used.size < MAX_REMEMBERED) break;
      used.delete(old);
    }
    used.set(mark, until);
    return true;
  };
}
