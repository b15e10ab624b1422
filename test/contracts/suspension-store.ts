import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredSuspension, SuspensionStore } from '../../src/search/asking/suspension-store.ts';

const suspension = (engine: string, more: Partial<StoredSuspension> = {}): StoredSuspension => ({
  engine,
  reason: 'it asks for a captcha',
  until: 1_800_000_000_000,
  pause: 30_000,
  ...more,
});

/** An empty store, and further openers of its data. */
export interface OpenedSuspensionStore {
  readonly store: SuspensionStore;
  /**
   * As another process opens it, while the first is open or after it was dropped without being closed. Left out by a
   * store that ends with its process.
   */
  openAnother?(): Promise<SuspensionStore>;
  close(): Promise<void>;
}

/** What every driver of SuspensionStore does. */
export function describeSuspensionStore(name: string, makeEmpty: () => Promise<OpenedSuspensionStore>): void {
  describe(`${name} as SuspensionStore`, () => {
    let opened: OpenedSuspensionStore;
    let store: SuspensionStore;
    beforeEach(async () => {
      opened = await makeEmpty();
      ({ store } = opened);
    });
    afterEach(() => opened.close());

    const sorted = async (from = store) =>
      (await from.listSuspensions()).sort((a, b) => a.engine.localeCompare(b.engine));

    test('returns the saved suspensions, one for each engine', async () => {
      expect(await store.listSuspensions()).toEqual([]);
      await store.saveSuspension(suspension('mojeek'));
      await store.saveSuspension(
        suspension('brave', { reason: 'it is asked too often (429)', until: 5, pause: 1 }),
      );
      await store.saveSuspension(suspension('mojeek', { until: 1_900_000_000_000, pause: 60_000 }));
      expect(await sorted()).toEqual([
        suspension('brave', { reason: 'it is asked too often (429)', until: 5, pause: 1 }),
        suspension('mojeek', { until: 1_900_000_000_000, pause: 60_000 }),
      ]);
    });

    test('deletes one suspension and keeps the others', async () => {
      await store.saveSuspension(suspension('a'));
      await store.saveSuspension(suspension('b'));
      await store.deleteSuspension('a');
      await store.deleteSuspension('never there');
      expect((await store.listSuspensions()).map(({ engine }) => engine)).toEqual(['b']);
    });

    test.each(["o'hara", '', '搜索 🐦', 'x'.repeat(1000), '%_'])('accepts the name %j', async (engine) => {
      await store.saveSuspension(suspension(engine, { reason: `"why" '; -- 🐦` }));
      expect(await store.listSuspensions()).toEqual([suspension(engine, { reason: `"why" '; -- 🐦` })]);
      await store.deleteSuspension(engine);
      expect(await store.listSuspensions()).toEqual([]);
    });

    test('many saves at once leave one suspension for each engine, the last one', async () => {
      const saves = Array.from({ length: 30 }, (_, i) =>
        store.saveSuspension(suspension(`engine${i % 3}`, { pause: i })),
      );
      await Promise.all(saves);
      expect((await sorted()).map(({ engine, pause }) => [engine, pause])).toEqual([
        ['engine0', 27],
        ['engine1', 28],
        ['engine2', 29],
      ]);
    });

    test('two openers at once see each other; a later opener finds what a dropped opener saved', async () => {
      const other = await opened.openAnother?.();
      if (!other) return;
      await Promise.all([
        store.saveSuspension(suspension('a')),
        other.saveSuspension(suspension('b')),
        store.saveSuspension(suspension('c', { pause: 1 })),
        other.saveSuspension(suspension('c', { pause: 1 })),
      ]);
      const all = [suspension('a'), suspension('b'), suspension('c', { pause: 1 })];
      expect(await sorted()).toEqual(all);
      expect(await sorted(other)).toEqual(all);
      await other.deleteSuspension('a');
      expect(await sorted()).toEqual(all.slice(1));
      expect(await sorted(await opened.openAnother?.())).toEqual(all.slice(1));
    });
  });
}
