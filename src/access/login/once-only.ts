/** Most marks that are remembered; beyond it the oldest is forgotten. */
const MAX_REMEMBERED = 10_000;

/**
 * Whether something is used for the first time in this process; `until` is from when on it is refused anyway, in milliseconds since
 * 1970. A mark is remembered for that long.
 */
export function createOnceOnly(now: () => number): (mark: string, until: number) => boolean {
  const used = new Map<string, number>();
  return (mark, until) => {
    if ((used.get(mark) ?? 0) > now()) return false;
    used.delete(mark);
    // In the order of use, which is nearly that of their ends.
    for (const [old, end] of used) {
      if (end > now() && used.size < MAX_REMEMBERED) break;
      used.delete(old);
    }
    used.set(mark, until);
    return true;
  };
}
