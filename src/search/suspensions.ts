/** Engines that are left alone for a while, after a captcha or a refusal for asking too often. */
export interface Suspensions {
  /** Milliseconds until the engine may be asked again; 0 when it may. */
  remaining(engine: string): number;
  /** Suspends for `wait` milliseconds at least; each time in a row doubles the pause. */
  add(engine: string, wait?: number): void;
  clear(engine: string): void;
}

const FIRST_MS = 30_000;
const MOST_MS = 3_600_000;

export function createSuspensions(now: () => number = Date.now): Suspensions {
  const engines = new Map<string, { until: number; pause: number }>();
  return {
    remaining: (engine) => Math.max(0, (engines.get(engine)?.until ?? 0) - now()),
    add(engine, wait = 0) {
      const pause = Math.min(MOST_MS, (engines.get(engine)?.pause ?? FIRST_MS / 2) * 2);
      engines.set(engine, { until: now() + Math.min(MOST_MS, Math.max(pause, wait || 0)), pause });
    },
    clear: (engine) => void engines.delete(engine),
  };
}
