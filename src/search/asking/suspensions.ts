import { createLimiter } from '../../lib/concurrency/limiter.ts';
import type { Logger } from '../../log.ts';
import type { StoredSuspension, SuspensionStore } from './suspension-store.ts';

/** Engines that are left alone for a while, after a captcha, a refusal for asking too often, or markup that no longer fits. */
export interface Suspensions {
  /** Engines that are suspended now, by name. Read again each time, since other processes write there too. */
  listCurrent(): Promise<ReadonlyMap<string, Suspension>>;
  /**
   * Suspends for `wait` milliseconds at least; each time in a row doubles the pause, up to the kind's most.
   * `changed` counts failures in a row and suspends at the third: undefined before that.
   */
  suspend(engine: string, kind: PauseKind, reason: string, wait?: number): Suspension | undefined;
  /** The engine answered: the next pause is a first one again. */
  recordAnswer(engine: string): void;
  /** Resolves when what was added and cleared is kept. */
  settled(): Promise<void>;
}

export type PauseKind = 'refused' | 'changed';

export interface Suspension {
  readonly reason: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Pauses in milliseconds. Markup is seldom mended within the hour, but asking again does no harm either. */
const PAUSES_MS: Readonly<Record<PauseKind, { first: number; most: number }>> = {
  refused: { first: 30_000, most: 3_600_000 },
  changed: { first: 15_000, most: 300_000 },
};
/** Answers in a row that could not be read, before the engine is left alone for it: one may be an accident. */
const FAILURES_IN_A_ROW = 3;
/** Milliseconds after a pause's end from which on it is no longer "in a row". */
const IN_A_ROW_MS = 24 * 3_600_000;
const MAX_REASON_CHARS = 300;

export interface SuspensionOptions {
  readonly store: SuspensionStore;
  readonly log: Logger;
  readonly now?: () => number;
}

/** A failure of the store is logged, and never fails a search: what this process knows still applies. */
export function createSuspensions({ store, log, now = Date.now }: SuspensionOptions): Suspensions {
  /** What the store last said, with what was written since. */
  let known = new Map<string, StoredSuspension>();
  const faults = new Map<string, number>();
  /** Writes go one after the other, so that the last one holds. */
  const writes = createLimiter({ concurrency: 1 });
  const unwritten = () => writes.running() + writes.waiting();
  const write = (work: () => Promise<void>) => {
    writes.run(work).catch((err: unknown) => log.warn({ err }, "an engine's suspension could not be saved"));
  };

  return {
    async listCurrent() {
      // Before a write has landed, the store does not know what this process knows.
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

    suspend(engine, kind, reason, wait = 0) {
      if (kind === 'changed') {
        const count = (faults.get(engine) ?? 0) + 1;
        faults.set(engine, count);
        if (count < FAILURES_IN_A_ROW) return undefined;
      }
      const { first, most } = PAUSES_MS[kind];
      const before = known.get(engine);
      const last = before && before.until + IN_A_ROW_MS > now() ? before : undefined;
      // Calls that were under way together are refused together: that counts once.
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

    recordAnswer(engine) {
      faults.delete(engine);
      // An answer to a call from before the refusal does not undo it.
      if ((known.get(engine)?.until ?? now()) > now()) return;
      if (known.delete(engine)) write(() => store.deleteSuspension(engine));
    },

    settled: () => writes.idle(),
  };
}
