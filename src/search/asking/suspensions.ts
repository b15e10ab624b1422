import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { StoredSuspension, SuspensionStore } from './suspension-store.ts';

/** Suspends an engine after a captcha, a rate limit, or several unusable answers in a row. */
export type EngineSuspensions = ReturnType<typeof createSuspensions>;

export type SuspensionCause = 'refused' | 'changed';

export interface EngineSuspension {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** First and maximum length of suspensions in milliseconds. Each suspension doubles the previous length. */
const PAUSES_MS: Readonly<Record<SuspensionCause, { first: number; most: number }>> = {
  refused: { first: 30_000, most: 3_600_000 },
  changed: { first: 15_000, most: 300_000 },
};
const FAILURES_IN_A_ROW = 3;
const IN_A_ROW_MS = 24 * 3_600_000;
const MAX_REASON_CHARS = 300;

export interface SuspensionOptions {
  readonly store: SuspensionStore;
  readonly log: Logger;
  readonly now?: () => number;
}

export function createSuspensions({ store, log, now = Date.now }: SuspensionOptions) {
  let known = new Map<string, StoredSuspension>();
  const faults = new Map<string, number>();
  /** Writes run in sequence, so that the store ends with the newest state. */
  const writes = createLimiter({ concurrency: 1 });
  const unwritten = () => writes.running() + writes.waiting();
  const write = (work: () => Promise<void>) => {
    writes.run(work).catch((err: unknown) => log.warn({ err }, "an engine's suspension could not be saved"));
  };

  return {
    /** Returns suspended engines by name. Reads the store each time, because other processes change it. */
    async listCurrent(): Promise<ReadonlyMap<string, EngineSuspension>> {
      // Does not read the store during a write, because the store does not yet have this process's changes.
      if (unwritten() === 0) {
        try {
          const rows = await store.listSuspensions();
          if (unwritten() === 0) known = new Map(rows.map((row) => [row.engine, row]));
        } catch (err) {
          log.warn({ err }, 'the suspensions of engines could not be read');
        }
      }
      return new Map([...known].filter(([, { until }]) => until > now()));
    },

    suspend(engine: string, kind: SuspensionCause, reason: string, wait = 0): EngineSuspension | undefined {
      if (kind === 'changed') {
        const count = (faults.get(engine) ?? 0) + 1;
        faults.set(engine, count);
        if (count < FAILURES_IN_A_ROW) return undefined;
      }
      const { first, most } = PAUSES_MS[kind];
      const before = known.get(engine);
      const last = before && before.until + IN_A_ROW_MS > now() ? before : undefined;
      // A failure of a request that was sent before the suspension does not double the suspension's length.
      const again = last !== undefined && last.until > now();
      const pause = again ? last.pause : Math.min(most, last ? last.pause * 2 : first);
      const until = now() + Math.min(PAUSES_MS.refused.most, Math.max(pause, wait || 0));
      const entry = {
        engine,
        reason: reason.slice(0, MAX_REASON_CHARS),
        pause,
        until: again ? Math.max(until, last.until) : until,
      };
      known.set(engine, entry);
      write(() => store.saveSuspension(entry));
      return entry;
    },

    recordAnswer(engine: string): void {
      faults.delete(engine);
      // An answer to a request that was sent before the suspension began does not end the suspension.
      if ((known.get(engine)?.until ?? now()) > now()) return;
      if (known.delete(engine)) write(() => store.deleteSuspension(engine));
    },

    settled: (): Promise<void> => writes.idle(),
  };
}
