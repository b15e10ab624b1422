import { expect, test } from 'vitest';
import { findGeneralWords, levelTitleScores } from '../../../src/knowledge/ranking/query-words.ts';
import { createWordMatcher } from '../../../src/knowledge/ranking/search-words.ts';
import type { FoundPassage } from '../../../src/knowledge/store.ts';

const QUESTION = 'How much profit did Zorblax make?';

/** Levels passages of entries whose scores are 10, 9, 8 and so on. */
function level(passages: readonly (readonly [of: string, title: string, text: string])[]): number[] {
  const found = new Map(
    passages.map(([of, title, text], place) => [
      place,
      {
        place,
        passage: {
          of,
          title,
          text,
          ordinal: passages.slice(0, place).filter(([other]) => other === of).length,
        },
      } as unknown as FoundPassage,
    ]),
  );
  const scored = passages.map((_, place) => ({ place, score: 10 - place }));
  const lexical = { scored, allWords: 10, rare: new Map(), common: [], missing: [] };
  const levelled = levelTitleScores(
    QUESTION,
    lexical,
    found,
    createWordMatcher(QUESTION),
    findGeneralWords(found, createWordMatcher(QUESTION)),
  ).scored;
  return passages.map((_, at) => levelled.find(({ place }) => place === at)?.score ?? Number.NaN);
}

test('a name in the title of a source does not distinguish its passages', () => {
  expect(
    level([
      ['report', 'Zorblax', 'Notices to Zorblax are sent to its seat.'],
      ['report', 'Zorblax', 'Letters to Zorblax take a week.'],
      ['report', 'Zorblax', 'Earnings rose to 41 million.'],
    ]),
  ).toEqual([10, 10, 10]);
});

test('a name in most passages of a source does not distinguish them either, and passages keep their order', () => {
  const [first, ...others] = ['Notices to', 'Letters to', 'The board of'].map(
    (text) => ['report', 'Yearbook', `${text} Zorblax.`] as const,
  );
  const earnings = ['report', 'Yearbook', 'Earnings of Zorblax were a profit.'] as const;
  if (first) expect(level([first, ...others, earnings])).toEqual([10, 10, 10, 7]);
  expect(level([...others, earnings, ['report', 'Yearbook', 'Zorblax again.']])).toEqual([10, 10, 8, 10]);
  // In a short note, and where few passages have the name, it tells them apart.
  expect(level([...others, ['report', 'Yearbook', 'Water.']])).toEqual([10, 9, 8]);
  expect(
    level([...others, ...Array.from({ length: 4 }, () => ['report', 'Yearbook', 'Water.'] as const)]),
  ).toEqual([10, 9, 8, 7, 6, 5]);
});

test('a passage with another word of the question keeps its score, and so do other entries', () => {
  expect(
    level([
      ['report', 'Zorblax', 'The profit of Zorblax rose.'],
      ['report', 'Zorblax', 'Notices to Zorblax are sent to its seat.'],
      ['note', 'Letters', 'I wrote to Zorblax.'],
      ['report', 'Zorblax', 'Earnings rose to 41 million.'],
    ]),
  ).toEqual([10, 9, 8, 9]);
});

test('a title with all words of the question changes nothing', () => {
  expect(
    level([
      ['note', 'How much profit Zorblax did make', 'Profit of Zorblax: 41 million.'],
      ['note', 'How much profit Zorblax did make', 'Milk.'],
    ]),
  ).toEqual([10, 9]);
});

test('entries with one passage keep their scores', () => {
  expect(
    level([
      ['one', 'Zorblax', 'Notices to Zorblax.'],
      ['two', 'Zorblax', 'Nothing else.'],
    ]),
  ).toEqual([10, 9]);
});
