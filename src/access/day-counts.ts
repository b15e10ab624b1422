import type { Count, UsageStore } from './usage-store.ts';

const DAY = 86_400_000;
/** Subjects remembered at once; what is written is read again when it is needed. */
const MOST = 20_000;

interface Tally {
  readonly subject: string;
  readonly what: string;
  /** As it is written, of all processes. */
  kept: number;
  /** Counted since. */
  added: number;
}

/** Counts of the present day in UTC: written with the record of use, and until then held in memory. */
export interface DayCounts {
  /** The day, in days since 1970. */
  today(): number;
  /** Milliseconds until the next one. */
  leftMs(): number;
  value(subject: string, what: string): number;
  add(subject: string, what: string): void;
  /** What is not written yet. */
  pending(): Count[];
  /** After they were written: the counts of all processes. */
  written(counts: readonly Count[]): void;
}

export function createDayCounts(store: Pick<UsageStore, 'counted'>, now: () => number): DayCounts {
  const tallies = new Map<string, Tally>();
  let day = Math.floor(now() / DAY);

  function today(): number {
    const present = Math.floor(now() / DAY);
    if (present !== day) tallies.clear();
    day = present;
    return day;
  }

  function tally(subject: string, what: string): Tally {
    const present = today();
    const name = `${what} ${subject}`;
    let found = tallies.get(name);
    if (!found) {
      for (const [key, { added }] of tallies) {
        if (tallies.size < MOST) break;
        if (added === 0) tallies.delete(key);
      }
      found = { subject, what, kept: store.counted(present, subject, what), added: 0 };
      tallies.set(name, found);
    }
    return found;
  }

  return {
    today,
    leftMs: () => DAY - (now() % DAY),
    value(subject, what) {
      const { kept, added } = tally(subject, what);
      return kept + added;
    },
    add(subject, what) {
      tally(subject, what).added++;
    },
    pending() {
      today();
      const counts: Count[] = [];
      for (const { subject, what, added } of tallies.values()) {
        if (added > 0) counts.push({ subject, what, count: added });
      }
      return counts;
    },
    written(counts) {
      for (const { subject, what, count } of counts) {
        const found = tallies.get(`${what} ${subject}`);
        if (!found) continue;
        found.kept = count;
        found.added = 0;
      }
    },
  };
}
