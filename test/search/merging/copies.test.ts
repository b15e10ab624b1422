import { describe, expect, test } from 'vitest';
import { extractPageFeatures, fuseHitLists, isCopy } from '../../../src/search/merging/merge.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const SNIPPET =
  'The magpie is one of the few animals that recognise themselves in a mirror, as a study of marked birds has shown.';
const page = (host: string, title: string, snippet = SNIPPET) => ({
  url: `https://${host}/x`,
  title,
  snippet,
});
const copies = (a: ReturnType<typeof page>, b: ReturnType<typeof page>) => {
  const both = [
    isCopy(extractPageFeatures(a), extractPageFeatures(b)),
    isCopy(extractPageFeatures(b), extractPageFeatures(a)),
  ];
  expect(both[0]).toBe(both[1]);
  return both[0];
};

describe('copies', () => {
  test.each([
    ['a mirror', page('a.example', 'Magpies and the mirror'), page('b.example', 'Magpies and the mirror')],
    [
      "a mirror with its own site's name",
      page('a.example', 'Magpies and the mirror - Bird Society'),
      page('b.example', 'Magpies and the mirror | Copied Pages'),
    ],
    [
      'snippets that are cut at different places',
      page(
        'a.example',
        'Magpies and the mirror',
        `${SNIPPET} Later work has asked whether crows can do the same.`,
      ),
      page('b.example', 'Magpies and the mirror', `${SNIPPET} …`),
    ],
    [
      'a mobile host',
      page('m.a.example', 'Magpies & the Mirror!'),
      page('a.example', 'Magpies &  the mirror'),
    ],
    [
      'scripts without spaces',
      page('a.example', '喜鹊能认出镜子里的自己', '喜鹊是少数几种能够在镜子中认出自己的动物之一研究表明'),
      page(
        'b.example',
        '喜鹊能认出镜子里的自己',
        '喜鹊是少数几种能够在镜子中认出自己的动物之一研究表明这一点',
      ),
    ],
  ])('%s', (_, a, b) => {
    expect(copies(a, b)).toBe(true);
  });

  test.each([
    ['another title', page('a.example', 'Magpies and the mirror'), page('b.example', 'Crows and the mirror')],
    [
      'one host: versions of a page',
      page('a.example', 'Magpies and the mirror'),
      page('a.example', 'Magpies and the mirror'),
    ],
    [
      'another number in the title',
      page('a.example', 'Birds of Europe part 2'),
      page('b.example', 'Birds of Europe part 3'),
    ],
    [
      'another number in the text',
      page('a.example', 'Annual report of the society', `${SNIPPET} Report for 2024.`),
      page('b.example', 'Annual report of the society', `${SNIPPET} Report for 2025.`),
    ],
    ['a title that many pages have', page('a.example', 'Home'), page('b.example', 'Home')],
    ['a title of a site name only', page('a.example', 'Terms of Use - A'), page('b.example', 'Terms - B')],
    [
      'the same title over another text',
      page('a.example', 'Privacy policy of our service'),
      page(
        'b.example',
        'Privacy policy of our service',
        'We keep your name and address for as long as the law asks of us, and no longer than that.',
      ),
    ],
    [
      'snippets that say too little',
      page('a.example', 'Magpies and the mirror', 'Magpies see themselves.'),
      page('b.example', 'Magpies and the mirror', 'Magpies see themselves.'),
    ],
    [
      'no snippets',
      page('a.example', 'Magpies and the mirror', ''),
      page('b.example', 'Magpies and the mirror', ''),
    ],
    ['no titles', page('a.example', ''), page('b.example', '')],
    [
      'a template with other names in it',
      page(
        'a.example',
        'Opening hours and contact',
        'Welcome to the Graz town library. Here you find our opening hours, our address and how to reach us by bus.',
      ),
      page(
        'b.example',
        'Opening hours and contact',
        'Welcome to the Linz swimming hall. Here you find the opening hours, the address and how to come by tram.',
      ),
    ],
  ])('are not %s', (_, a, b) => {
    expect(copies(a, b)).toBe(false);
  });

  test('a copy joins the first entry of the list, and adds its engines and the longer text', () => {
    const long = `${SNIPPET} And so on.`;
    const pages = fuseHitLists(
      [
        {
          engine: 'a',
          hits: [
            page('first.example', 'Something else entirely'),
            page('a.example', 'Magpies and the mirror'),
          ],
        },
        {
          engine: 'b',
          hits: [
            page('a.example', 'Magpies and the mirror'),
            page('copy.example', 'Magpies and the mirror', long),
          ],
        },
        {
          engine: 'c',
          hits: [
            page('copy.example', 'Magpies and the mirror', long),
            page('a.example', 'Magpies and the mirror'),
          ],
        },
      ],
      10,
    );
    expect(pages.map(({ url, engines, snippet }) => [url, engines, snippet])).toEqual([
      ['https://a.example/x', ['b', 'c', 'a'], long],
      ['https://first.example/x', ['a'], SNIPPET],
    ]);
  });

  test('an engine that names both pages counts once, by its better rank', () => {
    const both = (engine: string) => ({
      engine,
      hits: [
        page('a.example', 'Magpies and the mirror'),
        page('copy.example', 'Magpies and the mirror', SNIPPET),
      ],
    });
    const one = (engine: string) => ({ engine, hits: [page('first.example', 'Quite another thing')] });
    // 3 / 61 against 4 / 61; with the copies' ranks it would be 3 / 61 + 3 / 62.
    const pages = fuseHitLists([...['a', 'b', 'c'].map(both), ...['d', 'e', 'f', 'g'].map(one)], 10);
    expect(pages.map(({ url }) => url)).toEqual(['https://first.example/x', 'https://a.example/x']);
  });

  test('hundreds of pages with one title are compared in little time', () => {
    const hits = Array.from({ length: 500 }, (_, i) =>
      page(`h${i}.example`, 'The same title everywhere', `${`word${i} `.repeat(40)} ${'x y z '.repeat(50)}`),
    );
    const work = () => expect(fuseHitLists([{ engine: 'a', hits }], 500)).toHaveLength(500);
    expect(processorSeconds(work)).toBeLessThan(2);
  });
});
