import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Assessment, ZERO_STATUS_COUNTS } from '../../src/compliance/assessing/assessment.ts';
import type { AssessmentStore } from '../../src/compliance/assessing/assessment-store.ts';

const PLENTY = 100;

/** A check of two controls in `scope`. */
function assessment(id: string, change: Partial<Assessment> = {}): Assessment {
  return {
    id,
    createdAt: 1_800_000_000_000,
    scope: 'shop',
    subjects: [{ name: 'shop', kind: 'repository', commit: 'a'.repeat(40) }],
    standards: [
      {
        standard: { id: 'slsa', title: 'SLSA', edition: '1', source: '', license: '', spellings: [] },
        counts: { ...ZERO_STATUS_COUNTS, pass: 1, fail: 1 },
        total: 2,
        controls: [],
      },
    ],
    findings: [],
    looks: [],
    practices: [],
    version: '1.2.3',
    ...change,
  };
}

/** An empty store; `open` opens it once more, as another process does. */
export interface AssessmentPlace {
  open(): Promise<AssessmentStore>;
  remove(): Promise<void>;
}

/** What every driver of AssessmentStore does. */
export function describeAssessmentStore(name: string, makeEmpty: () => Promise<AssessmentPlace>): void {
  describe(`${name} as AssessmentStore`, () => {
    let place: AssessmentPlace;
    let store: AssessmentStore;
    let other: AssessmentStore;
    beforeEach(async () => {
      place = await makeEmpty();
      [store, other] = [await place.open(), await place.open()];
    });
    afterEach(() => place.remove());

    const ids = async (owner: string, from = store) =>
      (await from.listAssessments(owner)).map(({ id }) => id);

    test('returns a check as it was inserted, to every opener', async () => {
      const whole = assessment('1', { scope: `o'hara 🐦 "x"`, createdAt: 7 });
      await store.insertAssessment('ann', whole, PLENTY);
      expect(await store.readAssessment('ann', '1')).toEqual(whole);
      expect(await other.readAssessment('ann', '1')).toEqual(whole);
      expect(await other.hasAssessment('ann', '1')).toBe(true);
      expect(await other.listAssessments('ann')).toEqual([
        {
          id: '1',
          createdAt: 7,
          scope: `o'hara 🐦 "x"`,
          standards: ['slsa'],
          counts: { ...ZERO_STATUS_COUNTS, pass: 1, fail: 1 },
        },
      ]);
    });

    test('keeps the checks of each owner apart', async () => {
      await store.insertAssessment('ann', assessment('1'), PLENTY);
      expect(await store.readAssessment('bob', '1')).toBeUndefined();
      expect(await store.hasAssessment('bob', '1')).toBe(false);
      expect(await ids('bob')).toEqual([]);
      expect(await store.removeAssessment('bob', '1')).toBe(false);
      expect(await ids('ann')).toEqual(['1']);
      expect(await store.listEarlier('bob', '1')).toEqual([]);
    });

    test('lists in the order of insertion, newest first, whatever the clock says', async () => {
      for (const [id, createdAt] of [
        ['a', 5],
        ['b', 5],
        ['c', 1],
      ] as const) {
        await store.insertAssessment('ann', assessment(id, { createdAt }), PLENTY);
      }
      expect(await ids('ann')).toEqual(['c', 'b', 'a']);
      expect(await ids('ann', other)).toEqual(['c', 'b', 'a']);
    });

    test('finds the earlier checks of the same scope, newest first', async () => {
      for (const id of ['1', '2']) await store.insertAssessment('ann', assessment(id), PLENTY);
      await store.insertAssessment('ann', assessment('another', { scope: 'site' }), PLENTY);
      await store.insertAssessment('bob', assessment('foreign'), PLENTY);
      await other.insertAssessment('ann', assessment('3'), PLENTY);
      await store.insertAssessment('ann', assessment('4'), PLENTY);
      expect((await other.listEarlier('ann', '3')).map(({ id }) => id)).toEqual(['2', '1']);
      expect(await store.listEarlier('ann', '1')).toEqual([]);
      expect(await store.listEarlier('ann', 'unknown')).toEqual([]);
      expect(await store.listEarlier('ann', 'foreign')).toEqual([]);
    });

    test('removes the oldest checks of an owner beyond the number to keep', async () => {
      await store.insertAssessment('bob', assessment('b'), PLENTY);
      for (const id of ['1', '2', '3', '4']) await store.insertAssessment('ann', assessment(id), 2);
      expect(await ids('ann')).toEqual(['4', '3']);
      expect(await ids('bob')).toEqual(['b']);
    });

    test('two openers that insert at once lose nothing and keep within the number', async () => {
      const all = Array.from({ length: 20 }, (_, at) => `${at}`);
      await Promise.all(
        all.map((id, at) => (at % 2 ? store : other).insertAssessment('ann', assessment(id), PLENTY)),
      );
      expect((await ids('ann')).sort()).toEqual(all.toSorted());
      await Promise.all(
        all.map((id, at) => (at % 2 ? store : other).insertAssessment('bob', assessment(`b${id}`), 5)),
      );
      expect(await ids('bob')).toHaveLength(5);
    });

    test('removes a check once', async () => {
      await store.insertAssessment('ann', assessment('1'), PLENTY);
      const outcomes = await Promise.all([
        store.removeAssessment('ann', '1'),
        other.removeAssessment('ann', '1'),
      ]);
      expect(outcomes.sort()).toEqual([false, true]);
      expect(await store.readAssessment('ann', '1')).toBeUndefined();
    });

    test('a second insertion with the same id fails and changes nothing', async () => {
      await store.insertAssessment('ann', assessment('1'), PLENTY);
      await expect(other.insertAssessment('ann', assessment('1', { scope: 'x' }), 0)).rejects.toThrow();
      expect((await store.readAssessment('ann', '1'))?.scope).toBe('shop');
    });

    test('a check that was inserted before a crash is available to the next opener', async () => {
      await store.insertAssessment('ann', assessment('1'), PLENTY);
      const next = await place.open();
      expect(await ids('ann', next)).toEqual(['1']);
      await next.insertAssessment('ann', assessment('2'), PLENTY);
      expect(await ids('ann', next)).toEqual(['2', '1']);
    });
  });
}
