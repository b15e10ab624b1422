import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitBlocks } from '../../src/browse/reducing/blocks.ts';
import { shareWordBudget } from '../../src/browse/reducing/budget.ts';
import { findIntroducingBlocks } from '../../src/browse/reducing/owner-blocks.ts';
import { createReducer, rankBlocks } from '../../src/browse/reducing/reduce.ts';
import { cutParts } from '../../src/browse/sections/parts.ts';
import { countWords } from '../../src/lib/text/text.ts';
import { anyText, isSubsequence, markdownDocument } from '../helpers/markdown.ts';
import { reduceToPercentile } from '../helpers/reduce-to-percentile.ts';

/** What holds for every text that is reduced, shortened or cut into parts. */

const percentile = fc.integer({ min: 1, max: 100 });
const query = fc.constantFrom(
  '',
  'tide mill',
  'Who built the mill?',
  'how many wheels in 1871',
  '東京',
  'приливная мельница',
);
const blocksOf = (markdown: string) => splitBlocks(markdown).map(({ text }) => text);

describe('reducing any Markdown', () => {
  test('a higher percentile keeps a subset of a lower one, in page order [reduce.subset]', () => {
    fc.assert(
      fc.property(markdownDocument, query, percentile, percentile, (text, query, a, b) => {
        const at = (percentile: number) =>
          blocksOf(reduceToPercentile(text, { query, title: 'Tide mills', percentile }));
        const [more, less] = [at(Math.min(a, b)), at(Math.max(a, b))];
        expect(isSubsequence(less, more)).toBe(true);
        expect(isSubsequence(more, blocksOf(text))).toBe(true);
      }),
    );
  });

  test('a text that is ranked once and cut at several percentiles gives the same result as one ranked for each', () => {
    fc.assert(
      fc.property(markdownDocument, query, percentile, percentile, (text, query, a, b) => {
        const focus = { query, title: 'Tide mills' };
        const at = createReducer(text, focus);
        const cut = [a, b, a].map(at);
        expect(cut).toEqual(
          [a, b, a].map((percentile) => reduceToPercentile(text, { ...focus, percentile })),
        );
      }),
    );
  });

  test('percentile 1 keeps every block with content, and a second reduction by 1 changes nothing', () => {
    fc.assert(
      fc.property(markdownDocument, query, (text, query) => {
        const all = reduceToPercentile(text, { query, title: '', percentile: 1 });
        expect(blocksOf(all)).toEqual(blocksOf(text).filter((block) => /[\p{L}\p{N}]/u.test(block)));
        expect(reduceToPercentile(all, { query, title: '', percentile: 1 })).toBe(all);
      }),
    );
  });

  test('percentile 100 keeps the best block and the headings above it', () => {
    fc.assert(
      fc.property(markdownDocument, query, (text, query) => {
        const blocks = splitBlocks(text);
        const [best] = rankBlocks(blocks, findIntroducingBlocks(blocks), { query, title: '' });
        const kept = blocksOf(reduceToPercentile(text, { query, title: '', percentile: 100 }));
        expect(kept.at(-1)).toBe(best === undefined ? undefined : blocks[best]?.text);
      }),
    );
  });

  test('reducing never throws and keeps nothing that is not in the page', () => {
    fc.assert(
      fc.property(anyText, anyText, percentile, (text, query, percentile) => {
        const kept = reduceToPercentile(text, { query, title: query, percentile });
        expect(isSubsequence([...kept.replace(/\s/g, '')], [...text.replace(/\s/g, '')])).toBe(true);
      }),
    );
  });
});

describe('shortening to a number of words', () => {
  const total = (texts: readonly string[]) => texts.reduce((sum, text) => sum + countWords(text), 0);
  const focus = { query: 'tide mill', title: '' };
  const share = fc.record(
    { text: anyText, weight: fc.double({ min: 0.01, max: 1000, noNaN: true }), focus: fc.constant(focus) },
    { requiredKeys: ['text', 'weight'] },
  );

  test('texts together never exceed the word limit [parameter.inputwindowwords], and texts that fit stay unchanged', () => {
    fc.assert(
      fc.property(fc.array(share, { maxLength: 8 }), fc.integer({ min: 0, max: 600 }), (shares, ceiling) => {
        const cut = shareWordBudget(shares, ceiling);
        expect(total(cut)).toBeLessThanOrEqual(ceiling);
        const texts = shares.map(({ text }) => text);
        if (total(texts) <= ceiling) expect(cut).toEqual(texts);
      }),
    );
  });

  test('marks between paragraphs of a quote count as words', () => {
    const quote = '> tide mill one two three\n>\n> tide mill four five six';
    const [cut = ''] = shareWordBudget(
      [{ text: `${quote}\n\n${'Rest of it. '.repeat(30)}`, weight: 1, focus }],
      12,
    );
    expect(countWords(cut)).toBeLessThanOrEqual(12);
  });

  test('without a query the beginning of the text is kept', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, ceiling) => {
        expect(text.startsWith(shareWordBudget([{ text, weight: 1 }], ceiling)[0] ?? '')).toBe(true);
      }),
    );
  });

  test('with a query the kept blocks stay in the order of the text', () => {
    fc.assert(
      fc.property(markdownDocument, fc.integer({ min: 0, max: 200 }), (text, ceiling) => {
        const [cut = ''] = shareWordBudget([{ text, weight: 1, focus }], ceiling);
        const kept = [...cut.replace(/\s/g, '')];
        let at = 0;
        for (const character of text) if (character === kept[at]) at++;
        expect(at).toBe(kept.length);
      }),
    );
  });
});

test('the joined parts equal the text, no part exceeds its words, and no part is empty', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, words) => {
      const parts = cutParts(text, words);
      expect(parts.join('')).toBe(text.trim() === '' ? '' : text);
      expect(parts.filter((part) => countWords(part) > words)).toEqual([]);
      expect(parts.filter((part) => part.trim() === '')).toEqual([]);
    }),
  );
});
