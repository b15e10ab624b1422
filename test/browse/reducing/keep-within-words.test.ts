import { expect, test } from 'vitest';
import { countWordsOrChars, keepWithinWords } from '../../../src/browse/reducing/keep-within-words.ts';
import { rankText } from '../../../src/browse/reducing/reduce.ts';

/** A text within some words, whatever it consists of. */

const FOCUS = { query: 'magpie nest', title: 'Magpie' };
const ANSWER = 'The magpie builds its nest here.';
const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');

const TEXTS: readonly (readonly [name: string, text: string])[] = [
  ['a heading as long as a page', `# ${words(6000)}\n\n${ANSWER}`],
  [
    'six of them',
    `${Array.from({ length: 6 }, (_, at) => `${'#'.repeat(at + 1)} ${words(3000)}`).join('\n\n')}\n\n${ANSWER}`,
  ],
  ['headings without spaces', `# ${'喜鵲'.repeat(30_000)}\n\n${ANSWER}`],
  [
    'a table with a head as long as a page',
    `| ${words(6000)} | b |\n|---|---|\n| magpie | nest |\n| x | y |`,
  ],
  [
    'items in items',
    Array.from({ length: 300 }, (_, at) => `${'  '.repeat(at)}- magpie nest ${at}`).join('\n'),
  ],
  ['one word of many characters', 'a\u0301'.repeat(50_000)],
];

test.each(TEXTS)('%s is at most as long as requested', (_, text) => {
  const ranking = rankText(text, FOCUS);
  for (const most of [10, 50, 400, 4000]) {
    const { text: kept, words: said, cut } = keepWithinWords(text, ranking, 1, most);
    // Each text that is cut has a mark of its own.
    expect(countWordsOrChars(kept)).toBeLessThanOrEqual(most + 10);
    expect([said <= most + 10, said > 0, cut]).toEqual([true, true, true]);
  }
});

test('the words that a long heading leaves are used for the answer below it', () => {
  const text = `# ${words(6000)}\n\n${ANSWER}`;
  expect(keepWithinWords(text, rankText(text, FOCUS), 1, 4000).text).toMatch(
    /^# word0 word1 .* …\n\nThe magpie builds its nest here\.$/s,
  );
});
