import type { Logger } from '../../log.ts';
import type { DailyQuotaCounter } from '../limits/daily-quota-counter.ts';
import type { CallUsageLog, UsageEntry } from '../types.ts';
import type { UsageStore } from './usage-store.ts';

const DAY_MS = 86_400_000;
const DELETE_INTERVAL_MS = 3_600_000;
const MAX_PENDING = 20_000;
const MAX_ROWS = 5_000_000;

/** Writes calls once a second in one commit, because each commit waits for the disk. */
export function createCallUsageLog(options: {
  readonly store: UsageStore;
  readonly counts: DailyQuotaCounter;
  readonly keepDays: number;
  readonly log: Logger;
  readonly now: () => number;
  readonly writeIntervalMs?: number;
}): CallUsageLog {
  const { store, counts, keepDays, log, now, writeIntervalMs = 1000 } = options;
  let pending: UsageEntry[] = [];
  let [lost, deletedAt] = [0, 0];
  let timer: NodeJS.Timeout | undefined;
  /** Promise of the last write. Writes wait for it, because parallel writes could count a call twice. */
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    const dayCounts = counts.pending();
    if (pending.length === 0 && dayCounts.counts.length === 0) return;
    const entries = pending;
    pending = [];
    try {
      counts.markWritten(dayCounts, await store.recordCalls(entries, dayCounts.day, dayCounts.counts));
    } catch (err) {
      lost += Math.max(0, entries.length + pending.length - MAX_PENDING);
      pending = [...entries, ...pending].slice(0, MAX_PENDING);
      log.error({ err }, 'the record of use cannot be written; it is tried again');
      return;
    }
    if (lost > 0) {
      log.error({ lost }, 'calls are missing in the record of use: more came than could be written');
    }
    lost = 0;
    await deleteOld();
  }

  async function deleteOld(): Promise<void> {
    if (now() - deletedAt <= DELETE_INTERVAL_MS) return;
    deletedAt = now();
    try {
      await store.deleteOldUsage(now() - keepDays * DAY_MS, MAX_ROWS);
    } catch (err) {
      log.error({ err }, 'old records of use cannot be deleted; it is tried again');
    }
  }

  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void flush(), writeIntervalMs).unref();
  }

  return {
    writeSoon,
    recordCall(entry) {
      writeSoon();
      if (pending.length >= MAX_PENDING) lost++;
      else pending.push(entry);
    },
    listDays: (credential, days) => store.listDays(credential, Math.floor(now() / DAY_MS) - days + 1),
    listNewestCalls: (credential, limit) => store.listNewestCalls(credential, limit),
    flush,
    close: flush,
  };
}
