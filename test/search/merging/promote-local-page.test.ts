import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stem } from '../../../src/lib/text/stem.ts';
import type { SearchHit } from '../../../src/search/engine.ts';
import { fuseHitLists } from '../../../src/search/merging/merge.ts';
import { promoteLocalPage } from '../../../src/search/merging/promote-local-page.ts';

/** A page that only the local index knows, in a list of the web. */

const web: SearchHit[] = Array.from({ length: 10 }, (_, at) => ({
  url: `https://web.example/${at}`,
  title: `Birds, part ${at}`,
  snippet: 'Birds of the town.',
}));

/** A kept page, and how often its snippet was made. */
function keptPage(text: string, title = 'Notes', url = 'https://kept.example/') {
  let made = 0;
  const hit: SearchHit = {
    url,
    title,
    text,
    get snippet() {
      made++;
      return text.slice(0, 300);
    },
  };
  return { hit, made: () => made };
}

const listed = (question: string, hits: readonly SearchHit[]) =>
  promoteLocalPage(
    fuseHitLists(
      [
        { engine: 'web', hits: web },
        { engine: 'local', hits },
      ],
      50,
      { weights: { local: 0.5 } },
    ),
    question,
    'local',
  );

describe('a page of the user', () => {
  test('with all words of the question is placed third', () => {
    const { hit } = keptPage('How the magpies built their nests in 1742, of oak.');
    expect(listed('magpie nest 1742 oak', [hit])[2]?.url).toBe(hit.url);
  });

  test.each([
    ['a word of the question', 'Of magpies and their eggs.', 'magpie nest'],
    ['a number of it', 'Of 17420 magpies and their nests.', 'magpie nest 1742'],
    ['a word of it but inside of others', 'Of 20magpies and honest nests.', 'magpie nest'],
  ])('without %s stays in its place, and its excerpt is not made', (_, text, question) => {
    const { hit, made } = keptPage(text);
    expect(listed(question, [hit]).findIndex(({ url }) => url === hit.url)).toBe(10);
    expect(made()).toBe(0);
  });

  test('is found by words in other Unicode forms and by inflected words', () => {
    for (const text of ['ＭＡＧＰＩＥＳ and their ﬁne nests', 'Magpie-nests: fineness']) {
      expect(listed('fine magpie nest', [keptPage(text).hit])[2]?.url).toBe('https://kept.example/');
    }
    const russian = keptPage('Птицы и гнёзда').hit;
    expect(listed('птица гнезда', [russian])[2]?.url).toBe(russian.url);
  });
});

test('an excerpt of a stored page is made once, where the page is shown', () => {
  const [first, second] = [
    keptPage('Of magpies.'),
    keptPage('Of crows.', 'Other notes', 'https://kept.example/2'),
  ];
  const pages = listed('magpie', [first.hit, second.hit]);
  expect([first.made(), second.made()]).toEqual([0, 0]);
  expect([pages[10]?.snippet, pages[10]?.snippet]).toEqual(['Of magpies.', 'Of magpies.']);
  expect([first.made(), second.made()]).toEqual([1, 0]);
});

test('an English stem begins with the same letters as its words', () => {
  const letters = 'abcdefghilmnoprstuvyz';
  const endings = ['', 's', 'es', 'ies', 'ed', 'ing', 'ly', 'ation', 'iveness', 'y', 'ying', 'eed', 'ative'];
  const word = fc
    .tuple(
      fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 6 }),
      fc.constantFrom(...endings),
    )
    .map(([beginning, ending]) => beginning + ending);
  fc.assert(
    fc.property(word, (whole) => {
      const stemmed = stem(whole);
      const sure = stemmed.length > 3 ? 3 : 1;
      return whole.startsWith(stemmed.slice(0, sure));
    }),
    { numRuns: 20_000 },
  );
  for (const whole of ['dying', 'skies', 'tying', 'crying', 'yes', 'flies', 'ugly', 'early', 'skis'])
    expect(whole.slice(0, 1)).toBe(stem(whole).slice(0, 1));
});
