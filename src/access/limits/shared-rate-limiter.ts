import { createBatcher } from '../../lib/concurrency/batcher.ts';
import type { RateLimiterOptions } from './rate-limiter.ts';
import { createRateLimiter, type QuotaState, type RateLimiter } from './rate-limiter.ts';
import type { RateChargeResult, RateLimitCharge, RateLimitStore } from './rate-store.ts';

export interface RequestRateLimiter extends Pick<RateLimiter, 'addCost' | 'findRefusal'> {
  countRequest(subject: string): QuotaState | Promise<QuotaState>;
  countWork(subject: string, units: number): QuotaState;
}

export type SharedRateCounter = ReturnType<typeof createSharedRateCounter>;

const MAX_BATCH = 200;
/** Maximum number of charges that wait for the database. Further charges count only in this process. */
const MAX_OWED = 10_000;
const DELETE_INTERVAL_MS = 60_000;

export function createSharedRateCounter(store: RateLimitStore) {
  const batcher = createBatcher<RateLimitCharge, RateChargeResult>({
    handle: store.countCharges,
    maxItems: MAX_BATCH,
  });
  let [owed, deletedAt] = [0, performance.now()];
  let deleting = Promise.resolve();

  function deleteFull(): void {
    if (performance.now() - deletedAt < DELETE_INTERVAL_MS) return;
    deletedAt = performance.now();
    deleting = store.deleteFull().catch(() => {});
  }

  async function count(charge: RateLimitCharge): Promise<RateChargeResult> {
    const charged = await batcher.add(charge);
    deleteFull();
    return charged;
  }

  return {
    count,
    /** Counts a charge. If the database fails, only this node counts it, and the result is undefined. */
    async countOwed(charge: RateLimitCharge): Promise<RateChargeResult | undefined> {
      if (owed >= MAX_OWED) return undefined;
      owed++;
      try {
        return await count(charge);
      } catch {
        return undefined;
      } finally {
        owed--;
      }
    },
    async idle(): Promise<void> {
      await batcher.idle();
      await deleting;
    },
  };
}

export interface SharedRateLimiterOptions extends Omit<RateLimiterOptions, 'maxSubjects'> {
  readonly counter: Pick<SharedRateCounter, 'count' | 'countOwed'>;
  readonly policy: string;
}

export function createSharedRateLimiter(options: SharedRateLimiterOptions): RequestRateLimiter {
  const { counter, policy, quota, windowMs, now } = options;
  const local = createRateLimiter({ quota, windowMs, now });
  const chargeOf = (subject: string, units: number, owed: boolean): RateLimitCharge => ({
    subject: `${policy} ${subject}`,
    costMs: (windowMs / quota) * units,
    windowMs,
    mayExceedQuota: owed,
  });

  async function countAtAll(subject: string): Promise<QuotaState> {
    const askedAt = now();
    const { ok, resetMs } = await counter.count(chargeOf(subject, 1, false));
    const state = local.raiseTo(subject, askedAt + resetMs);
    if (ok) return state;
    return local.findRefusal(subject) ?? { ...state, ok, remaining: 0 };
  }

  async function addAtAll(subject: string, units: number): Promise<void> {
    const askedAt = now();
    const charged = await counter.countOwed(chargeOf(subject, units, true));
    if (charged) local.raiseTo(subject, askedAt + charged.resetMs);
  }

  return {
    findRefusal: local.findRefusal,
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
