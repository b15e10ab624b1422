import type { DayQuota, QuotaCount, UsageStore } from '../usage/usage-store.ts';

const DAY_MS = 86_400_000;
const MAX_TALLIES = 20_000;

interface Tally {
  readonly subject: string;
  readonly what: string;
  written: number;
  added: number;
}

export interface PendingDayCounts {
  /** Days since 1970, in UTC. */
  readonly day: number;
  readonly counts: readonly QuotaCount[];
}

export interface DailyQuotaCounter {
  leftMs(): number;
  readCount(subject: string, what: string): Promise<number>;
  countWithin(quotas: readonly DayQuota[]): Promise<DayQuota | undefined>;
  pending(): PendingDayCounts;
  /** Records that `pending` was written. `totals` are the totals of all processes in the order of `pending`. */
  markWritten(pending: PendingDayCounts, totals: readonly QuotaCount[]): void;
}

const leftOf = (now: number) => DAY_MS - (now % DAY_MS);

export function createSharedDailyQuotaCounter(
  store: Pick<UsageStore, 'readCount' | 'countWithin'>,
  now: () => number,
): DailyQuotaCounter {
  const today = () => Math.floor(now() / DAY_MS);
  return {
    leftMs: () => leftOf(now()),
    readCount: (subject, what) => store.readCount(today(), subject, what),
    countWithin: async (quotas) => (quotas.length === 0 ? undefined : store.countWithin(today(), quotas)),
    pending: () => ({ day: today(), counts: [] }),
    markWritten() {},
  };
}

export function createDailyQuotaCounter(
  store: Pick<UsageStore, 'readCount'>,
  now: () => number,
): DailyQuotaCounter {
  const tallies = new Map<string, Tally>();
  let day: number | undefined;

  function today(): number {
    const present = Math.floor(now() / DAY_MS);
    if (present !== day) tallies.clear();
    day = present;
    return present;
  }

  function tallyOf({ subject, what }: Pick<Tally, 'subject' | 'what'>): Tally | undefined {
    today();
    return tallies.get(`${what} ${subject}`);
  }

  function makeRoom(): void {
    for (const [name, { added }] of tallies) {
      if (tallies.size < MAX_TALLIES) return;
      if (added === 0) tallies.delete(name);
    }
  }

  function remember({ subject, what }: Pick<Tally, 'subject' | 'what'>, written: number): Tally {
    const tally = { subject, what, written, added: 0 };
    tallies.set(`${what} ${subject}`, tally);
    return tally;
  }

  /** Loads the counters, then runs `work` synchronously, so no other call changes a counter in between. */
  async function withTallies<T>(
    names: readonly Pick<Tally, 'subject' | 'what'>[],
    work: (tallies: readonly Tally[]) => T,
  ): Promise<T> {
    for (;;) {
      const known = names.map(tallyOf);
      if (known.every((tally) => tally !== undefined)) return work(known);
      const present = today();
      // Reads all counters, because counters in memory may be removed while the queries run.
      const written = await Promise.all(
        names.map(({ subject, what }) => store.readCount(present, subject, what)),
      );
      if (today() !== present) continue;
      makeRoom();
      return work(names.map((name, at) => tallyOf(name) ?? remember(name, written[at] ?? 0)));
    }
  }

  return {
    leftMs: () => leftOf(now()),
    readCount: (subject, what) =>
      withTallies([{ subject, what }], ([tally]) => (tally?.written ?? 0) + (tally?.added ?? 0)),
    countWithin: (quotas) =>
      withTallies(quotas, (found) => {
        const full = quotas.find(({ max }, at) => {
          const { written = 0, added = 0 } = found[at] ?? {};
          return written + added >= max;
        });
        if (!full) for (const tally of found) tally.added++;
        return full;
      }),
    pending() {
      const present = today();
      const counts: QuotaCount[] = [];
      for (const { subject, what, added } of tallies.values()) {
        if (added > 0) counts.push({ subject, what, count: added });
      }
      return { day: present, counts };
    },
    markWritten(pending, totals) {
      if (today() !== pending.day) return;
      for (const [at, count] of pending.counts.entries()) {
        const tally = tallyOf(count);
        if (!tally) continue;
        tally.written = totals[at]?.count ?? tally.written + count.count;
        tally.added -= count.count;
      }
    },
  };
}
