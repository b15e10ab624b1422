import type { Logger } from '../log.ts';
import type { DayCounts } from './day-counts.ts';
import type { DayCount, UsageEntry, UsageStore } from './usage-store.ts';

/** The record of use: who called what, when, how it ended; never what was asked or answered. */
export interface Usage {
  /** Returns at once; written within a second. */
  record(entry: UsageEntry): void;
  /** Of a credential, from so many days ago until today. */
  days(credential: string, days: number): DayCount[];
  newest(credential: string, limit: number): UsageEntry[];
  /** Writes what is waiting; and what is over is forgotten at the end of every hour. */
  flush(): void;
  close(): void;
}

export interface UsageOptions {
  readonly store: UsageStore;
  readonly counts: DayCounts;
  /** Days for which it is kept. */
  readonly keep: number;
  readonly log: Logger;
  readonly now: () => number;
  /** Milliseconds between two writes. */
  readonly every?: number;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
/** Calls that wait to be written, and that are kept at most. */
const WAITING = 20_000;
const ROWS = 5_000_000;

export function createUsage({ store, counts, keep, log, now, every = 1000 }: UsageOptions): Usage {
  let waiting: UsageEntry[] = [];
  let lost = 0;
  let prunedAt = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const pending = counts.pending();
    if (waiting.length === 0 && pending.length === 0) return;
    try {
      counts.written(store.add(waiting, counts.today(), pending));
      waiting = [];
      if (lost > 0)
        log.error({ lost }, 'calls are missing in the record of use: more came than were written');
      lost = 0;
      if (now() - prunedAt > HOUR) {
        prunedAt = now();
        store.prune(now() - keep * DAY, ROWS);
      }
    } catch (err) {
      log.error({ err }, 'the record of use cannot be written; it is tried again');
    }
  }

  return {
    record(entry) {
      timer ??= setTimeout(flush, every).unref();
      if (waiting.length >= WAITING) lost++;
      else waiting.push(entry);
    },
    days: (credential, days) => store.days(credential, Math.floor(now() / DAY) - days + 1),
    newest: (credential, limit) => store.newest(credential, limit),
    flush,
    close: flush,
  };
}
