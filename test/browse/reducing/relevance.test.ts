import { describe, expect, test } from 'vitest';
import { splitBlocks } from '../../../src/browse/reducing/blocks.ts';
import {
  raiseAnswerScores,
  removeLinkTargets,
  scaleToHighest,
  scoreRelevance,
} from '../../../src/browse/reducing/relevance.ts';

/** The figures that relevance is made of, each by itself: a changed weight must not go unnoticed. */

/** Scores of all blocks that are not headings. */
function scores(texts: readonly string[], query: string, title = ''): number[] {
  const blocks = splitBlocks(texts.join('\n\n'));
  const indexes = blocks.flatMap(({ kind }, index) => (kind === 'heading' ? [] : [index]));
  return scoreRelevance(blocks, indexes, { query, title });
}
const OTHER = 'gull crow';

describe('with a question', () => {
  test.each([
    ['after the match', ['tide', OTHER, OTHER, OTHER], 1, 3],
    ['before the match', [OTHER, OTHER, OTHER, 'tide'], 2, 0],
    ['between two matches', ['tide', OTHER, 'tide', OTHER, OTHER], 1, 4],
  ])('a block %s gets a fifth of its score', (_name, texts, beside, far) => {
    const found = scores(texts, 'tide');
    expect((found[beside] ?? 0) - (found[far] ?? 0)).toBeCloseTo(0.9 * 0.2, 10);
  });

  test('of two neighbours the better match counts', () => {
    // Both hold one of two words; the rarer one makes the better match.
    const found = scores(['tide', OTHER, 'mill', OTHER, 'mill', OTHER, OTHER], 'tide mill');
    expect((found[1] ?? 0) - (found[6] ?? 0)).toBeCloseTo(0.9 * 0.2, 10);
    expect((found[3] ?? 0) - (found[6] ?? 0)).toBeLessThan(0.9 * 0.2 - 0.01);
  });

  test('the best match counts nine tenths, the centre of the page one tenth', () => {
    const [first = 0, second = 0] = scores(['tide crow', 'mill crow'], 'tide');
    expect(first).toBeCloseTo(0.9 + 0.1, 10);
    expect(second).toBeCloseTo(0.9 * 0.2 + 0.1, 10);
  });

  test('words that recur across blocks form the centre, by their share and the length of the block', () => {
    const long = Array.from({ length: 300 }, () => 'owl').join(' ');
    const found = scores(['tide mill', 'tide gull gull', 'crow', long], 'absent');
    // A word in two of four blocks counts 1/4, a word in one 3/16.
    const raw = [
      (1 / 4 + 3 / 16) / (2 + 60) + 2e-5,
      (1 / 4 + 3 / 16) / (3 + 60) + 3e-5,
      3 / 16 / (1 + 60) + 1e-5,
      3 / 16 / (300 + 60) + 200e-5,
    ];
    const most = Math.max(...raw);
    found.forEach((score, i) => {
      expect(score).toBeCloseTo((0.1 * (raw[i] ?? 0)) / most, 10);
    });
  });

  test('words of the headings above count less than words of the block, and end with their section', () => {
    const under = scores(['# Linux', OTHER, '# Mac', OTHER, OTHER], 'linux');
    expect((under[0] ?? 0) - (under[2] ?? 0)).toBeCloseTo(0.9, 10);
    const below = scores(
      ['# Linux', '## Install', OTHER, '## Use', OTHER, '# Mac', '## Linux', '# Own', OTHER],
      'linux',
    );
    expect(below[0]).toBeCloseTo(below[1] ?? 0, 10);
    expect((below[1] ?? 0) - (below[2] ?? 0)).toBeCloseTo(0.9 * (1.2 - 0.2), 10);
    const own = scores(['# Linux', OTHER, '# Mac', 'linux', OTHER, OTHER], 'linux');
    expect(own[1]).toBeGreaterThan(own[0] ?? 0);
    const twice = scores(['# Linux', '## Linux', OTHER, '# Linux', OTHER], 'linux');
    expect(twice[0]).toBeCloseTo(twice[1] ?? 0, 10);
  });

  test('the title replaces the question only where the question is empty', () => {
    const match = (query: string, title: string) => {
      const [tide = 0, , , crow = 0] = scores(['tide', 'x', 'x', 'crow'], query, title);
      return Math.sign(Math.round((tide - crow) * 1e9));
    };
    expect([match('', 'tide'), match('', 'crow'), match('crow', 'tide'), match('', '')]).toEqual([
      1, -1, -1, 0,
    ]);
  });

  test('the requested kind of answer counts as one more word, and a rarer kind counts more', () => {
    const found = [1, 0, 0];
    raiseAnswerScores(found, ['in 1871', 'once', 'never'], /\d{4}/);
    expect(found).toEqual([1 + Math.log(1 + 2.5 / 1.5), 0, 0]);
    const when = scores(['It came in 1871.', 'It came in spring.'], 'When came it?');
    expect(when[0]).toBeGreaterThan((when[1] ?? 0) + 0.3);
  });
});

describe('without a question', () => {
  test('facts count as much as all other features, by the length of the text', () => {
    const found = scores(['see Ada', 'see Bob and Tom', 'see Ada, Bob, 12, 12'], '');
    // "ada" and "bob" stand in two of three, "see" in all.
    const share = (of: number) => (of / 3) * (1 - of / 3);
    const sums = [share(2), share(2) + 2 * share(1), 2 * share(2) + share(1)];
    const lengths = [2, 4, 5];
    const raw = sums.map((sum, i) => sum / ((lengths[i] ?? 0) + 60) + (lengths[i] ?? 0) * 1e-5);
    const facts = [1 / (7 / 6 + 20), 2 / (15 / 6 + 20), 3 / (20 / 6 + 20)];
    const [mostRaw, mostFacts] = [Math.max(...raw), Math.max(...facts)];
    found.forEach((score, i) => {
      expect(score).toBeCloseTo((0.9 * (raw[i] ?? 0)) / mostRaw + (facts[i] ?? 0) / mostFacts, 10);
    });
  });

  test('a capitalized word within a sentence is a name, and the first word of a sentence is not', () => {
    const [name = 0, none = 0, first = 0] = scores(['mill of Ada', 'mill of ada', 'Mill of ada'], '');
    expect(name - none).toBeCloseTo(1, 10);
    expect(first).toBeCloseTo(none, 10);
    const [comma = 0, plain = 0] = scores(['of mills, Ada', 'of mills, ada'], '');
    expect(comma - plain).toBeCloseTo(1, 10);
  });

  test('the title counts a tenth beside the centre', () => {
    const [tide = 0, far = 0] = scores(['tide', 'x', 'y', 'crow'], '', 'tide').filter((_, i) => i % 3 === 0);
    expect(tide - far).toBeCloseTo(0.1, 10);
  });
});

test.each([
  [
    [2, 4, 0],
    [0.5, 1, 0],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [
    [-1, -2],
    [-1, -2],
  ],
  [[], []],
])('the scores %j divided by the highest are %j', (values, expected) => {
  expect(scaleToHighest(values)).toEqual(expected);
});

test.each([
  ['a [b](https://x.example/tide) c', 'a [b] c'],
  ['a [b](https://x.example/tide', 'a [b]'],
  ['![b](t.png)', '![b]'],
  ['[b] (tide)', '[b] (tide)'],
  ['[a](x) [b](y)', '[a] [b]'],
])('%j without links is %j', (text, expected) => {
  expect(removeLinkTargets(text)).toBe(expected);
});
