import { createBatcher } from '../../lib/concurrency/batcher.ts';
import { createRate, type QuotaState, type Rate } from './rate.ts';
import type { Charge, Charged, RateStore } from './rate-store.ts';

/** What limits need of a rate, whether one process counts or all nodes of a database. */
export interface RequestRate extends Pick<Rate, 'addCost'> {
  /** Counts a request before it is accepted; a promise where other nodes have to be asked. */
  countRequest(subject: string): QuotaState | Promise<QuotaState>;
  /** Counts what an accepted request holds beyond itself, by what this process knows; a refused one is not counted. */
  countWork(subject: string, units: number): QuotaState;
}

/** What is counted by all nodes: what comes at about the same time goes to the database together. */
export interface RateCounter {
  count(charge: Charge): Promise<Charged>;
  /** Undefined where it could not be counted: then it counts at this node alone. */
  countOwed(charge: Charge): Promise<Charged | undefined>;
  /** Resolves when nothing waits to be counted. */
  idle(): Promise<void>;
}

/** Rows of one step. */
const MAX_BATCH = 200;
/** Costs that may wait for a database that is slow; further ones count at this node alone. */
const MAX_OWED = 10_000;
const DELETE_INTERVAL_MS = 60_000;

export function createRateCounter(store: RateStore): RateCounter {
  const batcher = createBatcher<Charge, Charged>({ handle: store.countCharges, maxItems: MAX_BATCH });
  let owed = 0;
  let deletedAt = performance.now();
  let deleting = Promise.resolve();

  function deleteFull(): void {
    if (performance.now() - deletedAt < DELETE_INTERVAL_MS) return;
    deletedAt = performance.now();
    // What cannot be deleted now is deleted by a later one, or by another node.
    deleting = store.deleteFull().catch(() => {});
  }

  async function count(charge: Charge): Promise<Charged> {
    const charged = await batcher.add(charge);
    deleteFull();
    return charged;
  }

  return {
    count,
    async countOwed(charge) {
      if (owed >= MAX_OWED) return undefined;
      owed++;
      try {
        return await count(charge);
      } catch {
        // The request has its answer; the next one asks the database, and reports what is wrong with it.
        return undefined;
      } finally {
        owed--;
      }
    },
    async idle() {
      await batcher.idle();
      await deleting;
    },
  };
}

export interface SharedRateOptions {
  readonly counter: Pick<RateCounter, 'count' | 'countOwed'>;
  /** Subjects of other rates with the same name are other ones. */
  readonly policy: string;
  readonly quota: number;
  readonly windowMs: number;
  readonly now: () => number;
}

/**
 * A rate over all nodes. What this process knows is at most what was counted: a subject that has used up its quota by that
 * is refused without a question to the database.
 */
export function createSharedRate({ counter, policy, quota, windowMs, now }: SharedRateOptions): RequestRate {
  const local = createRate({ quota, windowMs, now });
  const chargeOf = (subject: string, units: number, owed: boolean): Charge => ({
    subject: `${policy} ${subject}`,
    costMs: (windowMs / quota) * units,
    windowMs,
    owed,
  });

  async function countAtAll(subject: string): Promise<QuotaState> {
    const askedAt = now();
    const { ok, resetMs } = await counter.count(chargeOf(subject, 1, false));
    const state = local.raiseTo(subject, askedAt + resetMs);
    if (ok) return state;
    // The wait is over where the answer took longer than it.
    return local.findRefusal(subject) ?? { ...state, ok, remaining: 0 };
  }

  async function addAtAll(subject: string, units: number): Promise<void> {
    const askedAt = now();
    const charged = await counter.countOwed(chargeOf(subject, units, true));
    if (charged) local.raiseTo(subject, askedAt + charged.resetMs);
  }

  return {
    countRequest(subject) {
      return local.findRefusal(subject) ?? countAtAll(subject);
    },
    countWork(subject, units) {
      const state = local.countRequest(subject, units);
      if (state.ok) void addAtAll(subject, Math.min(units, quota));
      return state;
    },
    addCost(subject, units) {
      if (units > 0) void addAtAll(subject, units);
      return local.addCost(subject, units);
    },
  };
}
