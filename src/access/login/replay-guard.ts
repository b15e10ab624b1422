const MAX_REMEMBERED = 10_000;

/** The returned function returns false for a used `mark` that has not expired. `until`: expiry (epoch ms). */
export function createReplayGuard(now: () => number): (mark: string, until: number) => boolean {
  const used = new Map<string, number>();
  return (mark, until) => {
    if ((used.get(mark) ?? 0) > now()) return false;
    used.delete(mark);
    // Deletes expired marks, and beyond `MAX_REMEMBERED` also the oldest ones. The oldest marks are at the front.
    for (const [old, end] of used) {
      if (end > now() && used.size < MAX_REMEMBERED) break;
      used.delete(old);
    }
    used.set(mark, until);
    return true;
  };
}
