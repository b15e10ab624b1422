import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { PassRevocations } from '../../src/documents/pass-revocations.ts';

export interface PassEndsOpener {
  readonly ends: PassRevocations;
  /** The end of a process that was killed. */
  drop(): Promise<void>;
}

/** What every driver of PassEnds keeps to; `makeEmpty` gives what opens one store that is empty at first. */
export function describePassEnds(
  name: string,
  makeEmpty: () => Promise<{ open(): Promise<PassEndsOpener>; remove(): Promise<void> }>,
): void {
  describe(`${name} as PassEnds`, () => {
    let empty: Awaited<ReturnType<typeof makeEmpty>>;
    let first: PassEndsOpener;
    let second: PassEndsOpener;
    beforeEach(async () => {
      empty = await makeEmpty();
      first = await empty.open();
      second = await empty.open();
    });
    afterEach(async () => {
      await first.drop();
      await second.drop();
      await empty.remove();
    });

    test('counts the ends of each owner apart, and returns those of all owners to each', async () => {
      const { ends } = first;
      expect(await ends.countEnds('ada')).toBe(0);
      await ends.addEnd('ada');
      await ends.addEnd('ada');
      await ends.addEnd('bob');
      await ends.addEndForAll();
      expect(await ends.countEnds('ada')).toBe(3);
      expect(await ends.countEnds('bob')).toBe(2);
      expect(await ends.countEnds('never seen')).toBe(1);
    });

    test.each(["o'hara", ' ', '搜索 🐦', 'x'.repeat(1000), '%_', 'ada\0', 'a\ud800'])(
      'accepts the owner %j',
      async (owner) => {
        await first.ends.addEnd(owner);
        expect(await first.ends.countEnds(owner)).toBe(1);
        expect(await first.ends.countEnds('ada')).toBe(0);
      },
    );

    test('both openers count everything that two openers add at once', async () => {
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? first : second).ends.addEnd('ada')),
      );
      expect([await first.ends.countEnds('ada'), await second.ends.countEnds('ada')]).toEqual([20, 20]);
    });

    test('an added end outlives a killed process', async () => {
      await second.ends.addEnd('ada');
      await second.drop();
      second = await empty.open();
      expect(await second.ends.countEnds('ada')).toBe(1);
    });
  });
}
