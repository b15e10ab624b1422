import { describe, expect, test } from 'vitest';
import { shareWordBudget } from '../../src/browse/reducing/budget.ts';
import { createReducer, rankText } from '../../src/browse/reducing/reduce.ts';
import { cutParts } from '../../src/browse/sections/parts.ts';
import { countWords } from '../../src/lib/text/text.ts';
import { HOSTILE, HOSTILE_SECONDS } from '../helpers/hostile-markdown.ts';
import { isSubsequence } from '../helpers/markdown.ts';
import { processorSeconds } from '../helpers/processor-time.ts';
import { reduceToPercentile } from '../helpers/reduce-to-percentile.ts';

/** Texts that take an algorithm very long which is not linear. */

const focus = { query: 'tide mill', title: '' };

test.each(Object.entries(HOSTILE))(
  '%s: the reduction takes as much time as for an ordinary page of the same length',
  (_name, text) => {
    const focus = { query: 'who built the tide mill, and when?', title: 'Mills', percentile: 50 };
    expect(processorSeconds(() => reduceToPercentile(text, focus))).toBeLessThan(HOSTILE_SECONDS);
  },
);

test.each(Object.entries(HOSTILE))('%s is cut into parts without loss', (_name, text) => {
  let parts: string[] = [];
  const cut = () => {
    parts = cutParts(text);
  };
  expect(processorSeconds(cut)).toBeLessThan(HOSTILE_SECONDS);
  expect(parts.join('') === (text.trim() === '' ? '' : text)).toBe(true);
});

test('a text of millions of one-character words is cut as quickly as any other text', () => {
  // Looking fifty characters a word ahead for every part takes three seconds.
  expect(processorSeconds(() => expect(cutParts('東'.repeat(1_000_000))).toHaveLength(500))).toBeLessThan(2);
});

// How blocks are ranked is tried on all of them above.
test.each(['one endless line', 'items, ever deeper', 'colons', 'a table of 12,500 rows'])(
  '%s is shortened to a word limit',
  (name) => {
    const text = HOSTILE[name] ?? '';
    expect(text).not.toBe('');
    let words = 0;
    const share = () => {
      words = countWords(shareWordBudget([{ text, weight: 1, focus }], 5000)[0] ?? '');
    };
    expect(processorSeconds(share)).toBeLessThan(HOSTILE_SECONDS);
    expect(words).toBeLessThanOrEqual(5000);
  },
);

describe('of very many blocks some are kept as one piece', () => {
  test.each([
    [50_000, 50_000],
    [50_001, 25_001],
    [100_001, 33_334],
  ])('%i blocks form %i pieces', (blocks, pieces) => {
    const text = Array.from({ length: blocks }, (_, i) => `p${i}`).join('\n\n');
    const { from, spans, joints, count } = rankText(text, { query: '', title: '' });
    expect([from.length, spans.length, joints.length, count]).toEqual([pieces, 2 * pieces, pieces, blocks]);
  });

  test('percentiles still give nested subsets, in order, and small to transfer', () => {
    const pond = Array.from({ length: 60_000 }, (_, i) => `${i % 997 === 0 ? 'tide' : 'pond'} ${i}`);
    const text = pond.join('\n\n');
    const cut = createReducer(text, focus);
    const [all, half, few] = [1, 50, 99].map((percentile) => cut(percentile).split('\n\n'));
    expect(all?.join('\n\n')).toBe(text);
    expect(isSubsequence(half ?? [], all ?? []) && isSubsequence(few ?? [], half ?? [])).toBe(true);
    expect(few).toContain('tide 997');
    expect(few?.length).toBeLessThan(5000);
  });
});
