import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredStatusPage } from '../../src/monitor/status-page/status-page-store.ts';
import type { MonitorStores } from '../../src/monitor/store.ts';
import type { MonitorStoresPlace } from './monitor-store.ts';

/** What every driver of PageStore does. */
export function describeStatusPageStore(name: string, makeEmpty: () => Promise<MonitorStoresPlace>): void {
  describe(`${name} as PageStore`, () => {
    let place: MonitorStoresPlace;
    let stores: MonitorStores;
    let other: MonitorStores;
    beforeEach(async () => {
      place = await makeEmpty();
      [stores, other] = [await place.open('here 1 x'), await place.open('elsewhere 2 y')];
    });
    afterEach(() => place.remove());

    const page = (owner: string, slug: string, change: Partial<StoredStatusPage> = {}): StoredStatusPage => ({
      owner,
      slug,
      title: `it's "up" 🐦`,
      addresses: false,
      salt: 'aa',
      ...change,
    });

    test('keeps one page of an owner, and finds it by its slug', async () => {
      expect(await stores.pages.putPage(page('ada', 'acme'))).toBe(true);
      expect(await other.pages.findPage('ada')).toEqual(page('ada', 'acme'));
      expect(await stores.pages.putPage(page('ada', 'other', { addresses: true }))).toBe(true);
      expect(await other.pages.findBySlug('acme')).toBeUndefined();
      expect(await other.pages.findBySlug('other')).toEqual(page('ada', 'other', { addresses: true }));
    });

    test('a slug belongs to one owner until that owner releases it', async () => {
      await stores.pages.putPage(page('ada', 'acme'));
      expect(await other.pages.putPage(page('bob', 'acme'))).toBe(false);
      expect(await stores.pages.findPage('bob')).toBeUndefined();
      await stores.pages.removePage('bob');
      expect(await stores.pages.findBySlug('acme')).toMatchObject({ owner: 'ada' });
      await stores.pages.removePage('ada');
      expect(await other.pages.putPage(page('bob', 'acme'))).toBe(true);
      expect(await stores.pages.findPage('ada')).toBeUndefined();
    });
  });
}
