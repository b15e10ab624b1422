import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredSuspension, SuspensionStore } from '../../src/search/suspension-store.ts';

const suspension = (engine: string, more: Partial<StoredSuspension> = {}): StoredSuspension => ({
  engine,
  reason: 'it asks for a captcha',
  until: 1_800_000_000_000,
  pause: 30_000,
  ...more,
});

/** What every driver of SuspensionStore keeps to; `open` gives an empty store. */
export function suspensionStoreContract(
  name: string,
  open: () => Promise<{ store: SuspensionStore; close(): Promise<void> }>,
): void {
  describe(`${name} as SuspensionStore`, () => {
    let store: SuspensionStore;
    let close: () => Promise<void>;
    beforeEach(async () => {
      ({ store, close } = await open());
    });
    afterEach(() => close());

    test('gives back what was put, one an engine', async () => {
      expect(await store.all()).toEqual([]);
      await store.put(suspension('mojeek'));
      await store.put(suspension('brave', { reason: 'it is asked too often (429)', until: 5, pause: 1 }));
      await store.put(suspension('mojeek', { until: 1_900_000_000_000, pause: 60_000 }));
      const kept = (await store.all()).sort((a, b) => a.engine.localeCompare(b.engine));
      expect(kept).toEqual([
        suspension('brave', { reason: 'it is asked too often (429)', until: 5, pause: 1 }),
        suspension('mojeek', { until: 1_900_000_000_000, pause: 60_000 }),
      ]);
    });

    test('removes one and leaves the others', async () => {
      await store.put(suspension('a'));
      await store.put(suspension('b'));
      await store.remove('a');
      await store.remove('never there');
      expect((await store.all()).map(({ engine }) => engine)).toEqual(['b']);
    });

    test.each(["o'hara", '', '搜索 🐦', 'x'.repeat(1000), '%_'])('takes the name %j', async (engine) => {
      await store.put(suspension(engine, { reason: `"why" '; -- 🐦` }));
      expect(await store.all()).toEqual([suspension(engine, { reason: `"why" '; -- 🐦` })]);
      await store.remove(engine);
      expect(await store.all()).toEqual([]);
    });
  });
}
