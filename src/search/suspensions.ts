/** Engines that are left alone for a while, after a captcha or a refusal for asking too often. */
export interface Suspensions {
  /** Why and until when (milliseconds since 1970) the engine is left alone; undefined when it may be asked. */
  current(engine: string): Suspension | undefined;
  /** Suspends for `wait` milliseconds at least; each time in a row doubles the pause, up to an hour. */
  add(engine: string, reason: string, wait?: number): Suspension;
  clear(engine: string): void;
}

export interface Suspension {
  readonly reason: string;
  readonly until: number;
}

const FIRST_MS = 30_000;
const MOST_MS = 3_600_000;

/** Kept in memory; as many entries as there are engines. */
export function createSuspensions(now: () => number = Date.now): Suspensions {
  const engines = new Map<string, Suspension & { readonly pause: number }>();
  return {
    current(engine) {
      const known = engines.get(engine);
      return known && known.until > now() ? known : undefined;
    },
    add(engine, reason, wait = 0) {
      const known = engines.get(engine);
      // Calls that were under way together are refused together: that counts once.
      const again = known !== undefined && known.until > now();
      const pause = again ? known.pause : Math.min(MOST_MS, (known?.pause ?? FIRST_MS / 2) * 2);
      const until = now() + Math.min(MOST_MS, Math.max(pause, wait || 0));
      const entry = { reason, pause, until: again ? Math.max(until, known.until) : until };
      engines.set(engine, entry);
      return entry;
    },
    clear: (engine) => void engines.delete(engine),
  };
}
