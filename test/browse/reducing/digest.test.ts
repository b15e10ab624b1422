import { describe, expect, test } from 'vitest';
import { createRecentPageCache } from '../../../src/browse/fetching/recent-pages.ts';
import { buildPageDigest } from '../../../src/browse/reducing/digest.ts';
import { computeShingleSketch, estimateSharedText } from '../../../src/browse/reducing/sketch.ts';

/** What an answer says of a page that was found. */

const SAGA = Array.from(
  { length: 40 },
  (_, at) =>
    `The keeper of mill ${at} wrote in spring that the water stood ${at * 7} inches below the old mark.`,
);
const PAGE = `# Mills

Mills stand by the river, and people walk there on Sundays with their dogs.

## History

The first mill was built in 1742 by the [Lake family](https://lake.example/family), who had come from the north.

${SAGA.join('\n\n')}

## Repairs

A broken wheel is mended with oak, since oak swells in water and closes the joints. It takes two weeks.

- Price of a new wheel: 900 pounds
`;

const wanted = { query: 'what is a broken wheel mended with?', title: 'Mills', phrases: [] };

describe('highlights', () => {
  test('begin with the passage that answers, with the heading above it', () => {
    const { highlights } = buildPageDigest(PAGE, wanted);
    expect(highlights[0]).toEqual({
      text: 'A broken wheel is mended with oak, since oak swells in water and closes the joints. It takes two weeks.',
      section: 'Repairs',
    });
    expect(highlights.length).toBeLessThanOrEqual(3);
  });

  test('are empty for a page without a word of the question', () => {
    expect(buildPageDigest(PAGE, { ...wanted, query: 'zebra quagga' }).highlights).toEqual([]);
  });

  test('are plain words without links and markup, and of a long block the sentences around the answer', () => {
    const long = `${SAGA.join(' ')} The **quagga** was seen by [Ada](https://ada.example/). ${SAGA.join(' ')}`;
    const [first] = buildPageDigest(long, { ...wanted, query: 'who saw the quagga?' }).highlights;
    expect(first?.text).toContain('The quagga was seen by Ada.');
    expect(first?.text.split(' ').length).toBeLessThanOrEqual(61);
    expect(first).not.toHaveProperty('section');
  });

  test('leave out a passage that repeats a better passage', () => {
    const twice = `${PAGE}\n## Again\n\nA broken wheel is mended with oak, since oak swells in water and closes the joints.\n`;
    const told = buildPageDigest(twice, wanted).highlights.filter(({ text }) => text.includes('oak swells'));
    expect(told).toHaveLength(1);
  });
});

describe('highlights of a text without spaces', () => {
  const FILLER = 'この町には古い水車小屋が三つあり、どれも川の北側に立っている。';
  const ANSWER = '壊れた車輪は樫の木で直され、樫は水を吸って膨らみ、継ぎ目をふさぐ。';
  const query = '壊れた車輪は何で直されるか';

  test('have twice the characters, in whole sentences around the answering sentence', () => {
    const [first] = buildPageDigest(`${FILLER.repeat(4)}${ANSWER}${FILLER.repeat(4)}`, {
      ...wanted,
      query,
    }).highlights;
    expect(first?.text).toContain(ANSWER);
    expect(first?.text).toMatch(/。$/);
    expect(first?.text).not.toContain(' ');
    // Points and commas are not counted.
    expect(first?.text.length).toBeGreaterThan(70);
    expect(first?.text.length).toBeLessThanOrEqual(135);
  });

  test('are empty for a few characters, and leave out near repetitions', () => {
    const other = '壊れた車輪は樫の木で直され、樫は水を吸って膨らみ、継ぎ目をよくふさぐ。';
    const { highlights } = buildPageDigest(`壊れた車輪\n\n${ANSWER}\n\n${other}`, { ...wanted, query });
    expect(highlights).toHaveLength(1);
  });
});

describe('the text', () => {
  test('has no addresses, is cut at long blocks, and is returned only on request', () => {
    expect(buildPageDigest(PAGE, wanted).kept).toBeUndefined();
    const { kept, cut } = buildPageDigest(PAGE, { ...wanted, blockChars: 100 });
    expect(kept?.text).toContain('by the Lake family');
    expect(kept?.text).not.toContain('lake.example');
    expect(cut).toBe(1);
  });
});

describe('quoted words', () => {
  test.each([
    ['closes the joints', true],
    ['OAK, SINCE OAK', true],
    ['the Lake family, who', true],
    ['the joints close', false],
    ['lose the join', false],
  ])('%s: %s', (phrase, has) => {
    expect(buildPageDigest(PAGE, { ...wanted, phrases: [phrase] }).hasPhrases).toBe(has);
  });
});

describe('sketches', () => {
  const edited = PAGE.replace('two weeks', 'three weeks').replace('on Sundays', 'on Mondays');

  test('a text with a word or two changed is nearly the same, another text is not', () => {
    expect(estimateSharedText(computeShingleSketch(PAGE), computeShingleSketch(PAGE))).toBe(1);
    expect(estimateSharedText(computeShingleSketch(PAGE), computeShingleSketch(edited))).toBeGreaterThan(
      0.85,
    );
    expect(
      estimateSharedText(
        computeShingleSketch(PAGE),
        computeShingleSketch(PAGE.split(' ').toReversed().join(' ')),
      ),
    ).toBeLessThan(0.1);
  });

  test('half of a text shares about half with the whole', () => {
    const share = estimateSharedText(
      computeShingleSketch(PAGE.slice(0, PAGE.length / 2)),
      computeShingleSketch(PAGE),
    );
    expect(share).toBeGreaterThan(0.35);
    expect(share).toBeLessThan(0.65);
  });

  test('short texts never count as the same', () => {
    expect(
      estimateSharedText(computeShingleSketch('Page not found'), computeShingleSketch('Page not found')),
    ).toBe(0);
  });
});

describe('recent pages', () => {
  const page = { url: 'https://mill.example/', title: 'Mill', markdown: 'text', kind: 'html' } as const;
  const ann = { owner: 'ann', recent: true };

  test('serve their owner alone, for ten minutes, and only callers that accept a recent page', () => {
    let now = 0;
    const recent = createRecentPageCache(() => now);
    recent.put(page.url, page, ann);
    expect(recent.get(page.url, ann)).toBe(page);
    expect(recent.get(page.url, { ...ann, owner: 'bob' })).toBeUndefined();
    expect(recent.get(page.url, { owner: 'ann' })).toBeUndefined();
    expect(recent.get(page.url, { ...ann, fresh: true })).toBeUndefined();
    now = 10 * 60_000;
    expect(recent.get(page.url, ann)).toBeUndefined();
  });

  test('are bounded in number and length', () => {
    const recent = createRecentPageCache(() => 0);
    recent.put('https://long.example/', { ...page, markdown: 'x'.repeat(200_001) }, ann);
    expect(recent.get('https://long.example/', ann)).toBeUndefined();
    for (let at = 0; at < 65; at++) recent.put(`https://mill.example/${at}`, page, ann);
    expect(recent.get('https://mill.example/0', ann)).toBeUndefined();
    expect(recent.get('https://mill.example/64', ann)).toBe(page);
  });
});
