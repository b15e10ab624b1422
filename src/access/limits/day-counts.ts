import type { Count, DayQuota, UsageStore } from '../usage/usage-store.ts';

const DAY_MS = 86_400_000;
/** Subjects remembered at once; what is written is read again when it is needed. */
const MAX_TALLIES = 20_000;

interface Tally {
  readonly subject: string;
  readonly what: string;
  /** As it is written, of all processes. */
  written: number;
  /** Counted since. */
  added: number;
}

/** Counts to be written, of one day. */
export interface PendingCounts {
  /** In days since 1970. */
  readonly day: number;
  readonly counts: readonly Count[];
}

/** Counts of the present day in UTC. */
export interface DayCounts {
  /** Milliseconds until the next day. */
  leftMs(): number;
  readCount(subject: string, what: string): Promise<number>;
  /** Counts one for each of the quotas; or for none, and returns the first that is used up. */
  countWithin(quotas: readonly DayQuota[]): Promise<DayQuota | undefined>;
  /** What is not written yet. */
  pending(): PendingCounts;
  /** After `pending` was written: `totals` are the counts of all processes, in the same order. */
  markWritten(pending: PendingCounts, totals: readonly Count[]): void;
}

const leftOf = (now: number) => DAY_MS - (now % DAY_MS);

/** Where several nodes count: each call in the database before it is let in. */
export function createSharedDayCounts(
  store: Pick<UsageStore, 'readCount' | 'countWithin'>,
  now: () => number,
): DayCounts {
  const today = () => Math.floor(now() / DAY_MS);
  return {
    leftMs: () => leftOf(now()),
    readCount: (subject, what) => store.readCount(today(), subject, what),
    countWithin: async (quotas) => (quotas.length === 0 ? undefined : store.countWithin(today(), quotas)),
    pending: () => ({ day: today(), counts: [] }),
    markWritten() {},
  };
}

/** Where one server counts: written with the record of use, and until then held in memory. */
export function createDayCounts(store: Pick<UsageStore, 'readCount'>, now: () => number): DayCounts {
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

  /** Runs `work` on tallies that are all in memory: nothing comes between their check and what `work` does. */
  async function withTallies<T>(
    names: readonly Pick<Tally, 'subject' | 'what'>[],
    work: (tallies: readonly Tally[]) => T,
  ): Promise<T> {
    for (;;) {
      const known = names.map(tallyOf);
      if (known.every((tally) => tally !== undefined)) return work(known);
      const present = today();
      // All of them: those that are known may be dropped during the wait.
      const written = await Promise.all(
        names.map(({ subject, what }) => store.readCount(present, subject, what)),
      );
      // A new day may have begun.
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
      const counts: Count[] = [];
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
        // What was counted while it was written is still to be written.
        tally.added -= count.count;
      }
    },
  };
}
