import { describe, expect, test } from 'vitest';
import { highlightWords, quoteAnswer, truncateAtWord } from '../../../../src/server/console/find/ask.ts';

describe('the quoted sentences of a source', () => {
  const text =
    'Jackdaws are social. Magpies recognised themselves in a mirror. They have a coloured mark. Rooks nest in colonies.';

  test('begin with the sentence that has most words of the question, in any form, and continue while there is space', () => {
    const question = 'How do magpies recognise themselves in mirrors?';
    expect(quoteAnswer(text, question, 60)).toBe('Magpies recognised themselves in a mirror.');
    expect(quoteAnswer(text, question, 80)).toBe(
      'Magpies recognised themselves in a mirror. They have a coloured mark.',
    );
  });

  test('are the first ones when no sentence matches, and an empty text gives none', () => {
    expect(quoteAnswer(text, 'weather in Oslo', 30)).toBe('Jackdaws are social.');
    expect(quoteAnswer('', 'weather', 30)).toBe('');
  });
});

test('only words of the question are marked, in escaped text', async () => {
  const shown = String(
    await highlightWords('<b>Magpies</b> & other birds of the magpie’s kind', 'the magpie'),
  );
  expect(shown).toBe(
    '&lt;b&gt;<mark>Magpies</mark>&lt;/b&gt; &amp; other birds of the <mark>magpie</mark>’s kind',
  );
});

test('a text is cut between words if possible, and a split character becomes a replacement character', () => {
  expect(truncateAtWord('short', 5)).toBe('short');
  expect(truncateAtWord('one two three', 9)).toBe('one two …');
  expect(truncateAtWord(`${'x'.repeat(9)}🐦🐦`, 10)).toBe(`${'x'.repeat(9)}� …`);
});
