import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shareWords } from '../../src/browse/budget.ts';
import { countWords } from '../../src/lib/text.ts';
import { anyText, markdownDocument } from '../helpers/markdown.ts';

const total = (texts: readonly string[]) => texts.reduce((sum, text) => sum + countWords(text), 0);
const focus = { query: 'tide mill', title: '' };
const share = fc.record(
  { text: anyText, weight: fc.double({ min: 0.01, max: 1000, noNaN: true }), focus: fc.constant(focus) },
  { requiredKeys: ['text', 'weight'] },
);

test('what answers stays, with its heading, and what is left over is used', () => {
  const filler = Array.from(
    { length: 30 },
    (_, i) => `Paragraph ${i} says nothing much of note about anything here.`,
  );
  const text = ['# Report', ...filler, '## Mills', 'The tide mill burnt down in 1871.', ...filler].join(
    '\n\n',
  );
  const [cut = ''] = shareWords([{ text, weight: 1, focus }], 60);
  expect(cut).toContain('# Report\n\n');
  expect(cut).toContain('## Mills\n\nThe tide mill burnt down in 1871.');
  expect(countWords(cut)).toBeGreaterThan(45);
});

test('a best block that is too long is cut rather than left out', () => {
  const text = `Other words stand here.\n\n${'The tide mill turned. '.repeat(100)}`;
  expect(shareWords([{ text, weight: 1, focus }], 20)[0]).toContain('The tide mill turned.');
  expect(shareWords([{ text: 'tide mill '.repeat(50), weight: 1, focus }], 3)[0]).toBe('tide mill tide');
});

test('words are shared by weight, and what a short text leaves over goes to the others', () => {
  const long = 'w '.repeat(1000);
  const words = shareWords(
    [
      { text: long, weight: 2 },
      { text: long, weight: 1 },
      { text: 'a b', weight: 1 },
    ],
    302,
  ).map(countWords);
  expect(words).toEqual([200, 100, 2]);
});

test('together never over the ceiling [parameter.inputwindowwords]; what fits is left alone', () => {
  fc.assert(
    fc.property(fc.array(share, { maxLength: 8 }), fc.integer({ min: 0, max: 600 }), (shares, ceiling) => {
      const cut = shareWords(shares, ceiling);
      expect(total(cut)).toBeLessThanOrEqual(ceiling);
      const texts = shares.map(({ text }) => text);
      if (total(texts) <= ceiling) expect(cut).toEqual(texts);
    }),
  );
});

test('without a query the beginning is kept', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, ceiling) => {
      expect(text.startsWith(shareWords([{ text, weight: 1 }], ceiling)[0] ?? '')).toBe(true);
    }),
  );
});

test('with a query what is kept stands in the order of the text', () => {
  fc.assert(
    fc.property(markdownDocument, fc.integer({ min: 0, max: 200 }), (text, ceiling) => {
      const [cut = ''] = shareWords([{ text, weight: 1, focus }], ceiling);
      const kept = [...cut.replace(/\s/g, '')];
      let at = 0;
      for (const character of text) if (character === kept[at]) at++;
      expect(at).toBe(kept.length);
    }),
  );
});
