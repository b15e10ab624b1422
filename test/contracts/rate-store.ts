import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type {
  RateChargeResult,
  RateLimitCharge,
  RateLimitStore,
} from '../../src/access/limits/rate-store.ts';

export interface RateStoreOpener {
  readonly open: () => Promise<RateLimitStore>;
  remove(): Promise<void>;
}

/** So long that nothing comes back while a test runs. */
const WINDOW_MS = 3_600_000;
const charge = (subject: string, part: number, owed = false): RateLimitCharge => ({
  subject,
  costMs: WINDOW_MS * part,
  windowMs: WINDOW_MS,
  mayExceedQuota: owed,
});
const accepted = (charged: readonly RateChargeResult[]) => charged.map(({ ok }) => ok);
/** Quotas until the whole one is there again, to the hundredth. */
const owing = (charged: readonly RateChargeResult[]) =>
  charged.map(({ resetMs }) => Math.round((100 * resetMs) / WINDOW_MS) / 100);

/** What every driver of RateLimitStore keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describeRateStore(name: string, makeEmpty: () => Promise<RateStoreOpener>): void {
  describe(`${name} as RateLimitStore`, () => {
    let empty: RateStoreOpener;
    let first: RateLimitStore;
    let second: RateLimitStore;
    beforeEach(async () => {
      empty = await makeEmpty();
      first = await empty.open();
      second = await empty.open();
    });
    afterEach(() => empty.remove());

    test('requests counted on one connection use up the quota of the other, and a refused request is not counted', async () => {
      expect(accepted(await first.countCharges([charge('a', 0.5)]))).toEqual([true]);
      const charged = await second.countCharges([charge('b', 0.5), charge('a', 0.25), charge('a', 0.5)]);
      expect(accepted(charged)).toEqual([true, true, false]);
      expect(owing(charged)).toEqual([0.5, 0.75, 0.75]);
      expect(accepted(await first.countCharges([charge('a', 0.25), charge('a', 0.25)]))).toEqual([
        true,
        false,
      ]);
    });

    test('debt is always counted, up to two quotas', async () => {
      const charged = await first.countCharges([
        charge('a', 0.75, true),
        charge('a', 0.75, true),
        charge('a', 0.75, true),
      ]);
      expect(accepted(charged)).toEqual([true, true, true]);
      expect(owing(charged)).toEqual([0.75, 1.5, 2]);
      expect(accepted(await second.countCharges([charge('a', 0.01)]))).toEqual([false]);
    });

    test('when requests come at once on both connections, exactly the quota is accepted', async () => {
      const batches = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? first : second).countCharges([
            charge(at % 4 < 2 ? 'a' : 'b', 0.1),
            charge(at % 4 < 2 ? 'b' : 'a', 0.1),
          ]),
        ),
      );
      expect(accepted(batches.flat()).filter(Boolean)).toHaveLength(20);
    });

    test('a quota that is full again is forgotten, and a used one is not', async () => {
      await first.countCharges([charge('a', 1), { ...charge('b', 1), costMs: 0 }]);
      await second.deleteFull();
      expect(owing(await first.countCharges([charge('b', 0.5), charge('a', 0.5)]))).toEqual([0.5, 1]);
    });
  });
}
