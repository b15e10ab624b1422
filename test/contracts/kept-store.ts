import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RawFinding } from '../../src/security/findings/finding.ts';
import type { CachedFindings, FindingCache } from '../../src/security/scans/finding-cache.ts';

/** Bounds of what one owner may keep. */
export interface KeptBounds {
  readonly files: number;
  readonly characters: number;
}

/** An empty store; `open` opens its data once more, as another process does. */
export interface KeptPlace {
  open(bounds?: KeptBounds): Promise<FindingCache>;
  remove(): Promise<void>;
}

const HOUR = 3_600_000;

function kept(title: string): CachedFindings {
  const finding: RawFinding = {
    id: 'rule',
    severity: 'low',
    title,
    description: `o'hara 🐦 "x"`,
    fix: 'f',
    path: 'a.txt',
  };
  return [{ scanner: 'marks', findings: [finding] }];
}

/** What every driver of KeptStore does. */
export function describeKeptStore(name: string, makeEmpty: () => Promise<KeptPlace>): void {
  describe(`${name} as KeptStore`, () => {
    let place: KeptPlace;
    let store: FindingCache;
    let other: FindingCache;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const insert = (owner: string, keys: readonly string[], at = 0, from = store) =>
      from.insertFindings(owner, new Map(keys.map((key) => [key, kept(key)])), at);
    const keysOf = async (owner: string, keys: readonly string[], from = store, at = 0) =>
      [...(await from.readFindings(owner, keys, at)).keys()].sort();

    test('findings are returned as they were stored, to every opener, including empty results', async () => {
      await store.insertFindings(
        'ann',
        new Map([
          ['a', kept('one')],
          ['b', []],
        ]),
        0,
      );
      const found = await other.readFindings('ann', ['b', 'unknown', 'a'], 0);
      expect([...found]).toEqual([
        ['b', []],
        ['a', kept('one')],
      ]);
      expect(await store.readFindings('ann', [], 0)).toEqual(new Map());
      await store.insertFindings('ann', new Map(), 0);
    });

    test('keeps the findings of each owner apart', async () => {
      await insert('ann', ['a']);
      expect(await keysOf('bob', ['a'])).toEqual([]);
      await store.insertFindings('bob', new Map([['a', kept('of bob')]]), 0);
      expect((await store.readFindings('ann', ['a'], 0)).get('a')).toEqual(kept('a'));
      const small = await place.open({ files: 0, characters: 0 });
      await small.trimFindings('bob');
      expect(await keysOf('bob', ['a'])).toEqual([]);
      expect(await keysOf('ann', ['a'])).toEqual(['a']);
    });

    test('a later insertion replaces the findings under its key', async () => {
      await insert('ann', ['a']);
      await other.insertFindings('ann', new Map([['a', kept('new')]]), 0);
      expect((await store.readFindings('ann', ['a'], 0)).get('a')).toEqual(kept('new'));
    });

    test('thousands of files are stored and read in one call each', async () => {
      const keys = Array.from({ length: 3000 }, (_, at) => `${at}`);
      await insert('ann', keys);
      expect(await keysOf('ann', [...keys, 'unknown'], other)).toEqual(keys.toSorted());
    });

    test('the least recently used findings are removed first, until the rest is within the limits', async () => {
      const keys = ['0', '1', '2', '3', '4', '5'];
      for (const key of keys) await insert('ann', [key], Number(key));
      const small = await place.open({ files: 4, characters: 1_000_000 });
      await small.trimFindings('ann');
      expect(await keysOf('ann', keys)).toEqual(['2', '3', '4', '5']);
      // A use counts once an hour has passed since the last one.
      await store.readFindings('ann', ['2'], 2 + 2 * HOUR);
      await insert('ann', ['6'], 6);
      await small.trimFindings('ann');
      expect(await keysOf('ann', [...keys, '6'])).toEqual(['2', '4', '5', '6']);
      await small.trimFindings('ann');
      expect(await keysOf('ann', [...keys, '6'])).toEqual(['2', '4', '5', '6']);
    });

    test('the limit on characters applies too', async () => {
      const keys = Array.from({ length: 40 }, (_, at) => `${at}`);
      for (const [at, key] of keys.entries()) await insert('ann', [key], at);
      const characters = JSON.stringify(kept('10')).length;
      await (await place.open({ files: 1000, characters: 10 * characters })).trimFindings('ann');
      const rest = await keysOf('ann', keys);
      expect(rest.length).toBeGreaterThan(5);
      expect(rest.length).toBeLessThanOrEqual(10);
      expect(rest).toContain('39');
    });

    test('findings that are too large are left out, and the others of the call are stored', async () => {
      const entries = new Map([
        ['large', kept('x'.repeat(300_000))],
        ['small', kept('one')],
      ]);
      await store.insertFindings('ann', entries, 0);
      expect(await keysOf('ann', ['large', 'small'])).toEqual(['small']);
    });

    test('two openers that read, write and trim at once lose nothing', async () => {
      const all = Array.from({ length: 20 }, (_, at) => `${at}`);
      await Promise.all(
        all.map(async (key, at) => {
          const from = at % 2 ? store : other;
          await insert('ann', [key], at, from);
          await from.readFindings('ann', all, 2 * HOUR);
          await from.trimFindings('ann');
        }),
      );
      expect(await keysOf('ann', all)).toEqual(all.toSorted());
    });

    test('findings that were stored before a crash are available to the next opener', async () => {
      await insert('ann', ['a']);
      expect(await keysOf('ann', ['a'], await place.open())).toEqual(['a']);
    });
  });
}
