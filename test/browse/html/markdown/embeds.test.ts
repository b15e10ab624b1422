import { describe, expect, test } from 'vitest';
import { fragmentToMarkdown } from '../../../../src/browse/readers/fragment.ts';
import { readHtml } from '../../../../src/browse/readers/html.ts';

/** Films, sounds and frames within an article, captions, and links of pictures, after public reports on readers. */

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';
const ADDRESS = 'https://site.example/dir/page';

function write(html: string, around = ''): string {
  return readHtml(
    `<html><head><title>Mills</title></head><body><article>${PROSE.repeat(5)}${html}${PROSE.repeat(3)}</article>${around}</body></html>`,
    ADDRESS,
  ).markdown;
}

/** What stands in the article beside its prose. */
function added(html: string, around = ''): string {
  return write(html, around)
    .split('\n\n')
    .filter((block) => !block.startsWith('A tide mill grinds'))
    .join('\n\n')
    .replace(/!\[([^\]]*)\]\([^)]*\)/g, '![$1]');
}

const WATCH = 'https://www.youtube.com/watch?v=ROh903GAhqg';

describe('an embed is a link with its label where it stands', () => {
  test.each([
    [
      'a film of YouTube (stephenharris/WP-MarkDown#9)',
      '<iframe src="https://www.youtube.com/embed/ROh903GAhqg?rel=0" title="How it grinds"></iframe>',
      `[![How it grinds]](${WATCH})`,
    ],
    [
      'a film without cookies and title',
      '<div><iframe src="//www.youtube-nocookie.com/embed/ROh903GAhqg"></iframe></div>',
      `[![youtube-nocookie.com]](${WATCH})`,
    ],
    [
      'a list of films',
      '<iframe src="https://www.youtube.com/embed/videoseries?list=PL1" title="All"></iframe>',
      '[![All]](https://www.youtube.com/embed/videoseries?list=PL1)',
    ],
    [
      'a frame that waits for consent',
      '<iframe src="about:blank" data-cmp-src="https://player.vimeo.com/video/7" title="Film"></iframe>',
      '[![Film]](https://player.vimeo.com/video/7)',
    ],
    [
      'a frame of the same site, in a line',
      '<p>The chart: <iframe src="/chart.html" aria-label="Mills a year"></iframe></p>',
      'The chart: [![Mills a year]](https://site.example/chart.html)',
    ],
    [
      'a chart without width',
      '<iframe src="https://charts.example/x/1/" title="Mills" style="width: 0; min-width: 100% !important;"></iframe>',
      '[![Mills]](https://charts.example/x/1/)',
    ],
    [
      'a light player',
      '<lite-youtube videoid="ROh903GAhqg" playlabel="Play: Mills"></lite-youtube>',
      `[![Play: Mills]](${WATCH})`,
    ],
    [
      'a player of AMP',
      '<amp-youtube data-videoid="ROh903GAhqg" title="Mills"></amp-youtube>',
      `[![Mills]](${WATCH})`,
    ],
    [
      'a sound',
      '<audio controls><source src="/a/mill%20song.mp3">No player.</audio>',
      '[![mill song.mp3]](https://site.example/a/mill%20song.mp3)',
    ],
    [
      'a film and its link for old browsers',
      '<video controls><source src="/mill.mp4"><p>No player: <a href="/mill.mp4">get the film</a></p></video>',
      '[![get the film]](https://site.example/mill.mp4)',
    ],
    [
      'a document',
      '<object data="/plan.pdf" type="application/pdf"><p>See <a href="/plan.pdf">the plan</a>.</p></object>',
      '[![the plan]](https://site.example/plan.pdf)',
    ],
    [
      'a film within an object',
      '<object><param name="movie" value="https://www.youtube.com/v/ROh903GAhqg&hl=en"><embed src="https://www.youtube.com/v/ROh903GAhqg"></object>',
      `[![youtube.com]](${WATCH})`,
    ],
    [
      'a picture as an object',
      '<object data="/m.svg" type="image/svg+xml" aria-label="A mill"></object>',
      '![A mill]',
    ],
    [
      'two films with one title',
      '<iframe src="https://v.example/1" title="YouTube video player"></iframe><iframe src="https://v.example/2" title="YouTube video player"></iframe>',
      '[![YouTube video player]](https://v.example/1)\n\n[![YouTube video player]](https://v.example/2)',
    ],
    [
      'a film in a figure with a caption (jina-ai/reader)',
      '<figure><div><iframe title="How it grinds" src="https://v.example/1"></iframe></div><figcaption>Told at the pond.</figcaption></figure>',
      '[![How it grinds – Told at the pond.]](https://v.example/1)',
    ],
  ])('%s', (_name, html, expected) => {
    expect(added(html)).toBe(expected);
  });

  test('in a feed', () => {
    expect(fragmentToMarkdown('<p>See:</p><iframe src="/v/1" title="Film"></iframe>', ADDRESS)).toBe(
      'See:\n\n[![Film](https://site.example/v/1)](https://site.example/v/1)',
    );
  });
});

test.each([
  ['of an advertising service', '<iframe src="https://ad.doubleclick.net/x" title="Offer"></iframe>'],
  [
    'that counts readers',
    '<iframe src="https://www.googletagmanager.com/ns.html?id=1" title="Tags"></iframe>',
  ],
  ['of a button', '<iframe src="https://www.facebook.com/plugins/like.php?href=x" title="Like"></iframe>'],
  ['without size', '<iframe src="https://site.example/x" title="Offer" width="1" height="1"></iframe>'],
  [
    'without size by its style',
    '<iframe src="https://site.example/x" title="Offer" style="width:0px"></iframe>',
  ],
  [
    'that is hidden',
    '<div style="display:none"><iframe src="https://site.example/x" title="Offer"></iframe></div>',
  ],
  [
    'that nobody is told of',
    '<iframe aria-hidden="true" src="https://site.example/x" title="Offer"></iframe>',
  ],
  [
    'in a box of advertising',
    '<div class="ad-slot"><iframe src="https://site.example/x" title="Offer"></iframe></div>',
  ],
  [
    'in a box beside the text',
    '<aside><p>Buy a mill.</p><iframe src="https://site.example/x" title="Offer"></iframe></aside>',
  ],
  [
    'in a box of related films',
    '<div class="related"><iframe src="https://site.example/x" title="Offer"></iframe></div>',
  ],
  ['that only decorates', '<video autoplay muted loop src="/waves.mp4"></video>'],
  ['without player', '<audio src="/ding.mp3"></audio>'],
  ['of a script', '<iframe src="javascript:alert(1)" title="Offer"></iframe>'],
])('an embed stays out: %s', (_name, html) => {
  expect(added(html)).toBe('');
});

test('an embed after the article stays out', () => {
  expect(added('', '<footer><iframe src="https://site.example/x" title="Offer"></iframe></footer>')).toBe('');
});

describe('the words of a caption are words of the page', () => {
  const caption = '<figcaption>Mills fell by half.</figcaption>';
  test.each([
    [
      'an empty box for a chart',
      `<figure><div class="chart" id="x"></div>${caption}</figure>`,
      'Mills fell by half.',
    ],
    ['a canvas', `<figure><canvas></canvas>${caption}</figure>`, 'Mills fell by half.'],
    ['a drawing', `<figure><svg><text>1</text></svg>${caption}</figure>`, 'Mills fell by half.'],
    [
      'a film',
      `<figure><video src="/v.mp4" controls></video>${caption}</figure>`,
      '[![v.mp4 – Mills fell by half.]](https://site.example/v.mp4)',
    ],
    [
      'a picture for pages without scripts',
      `<figure><div class="lazy"></div><noscript><img src="/x.jpg" alt="Dusk"></noscript>${caption}</figure>`,
      'Mills fell by half.',
    ],
    [
      'a picture without address',
      `<figure><picture><source srcset="/a.webp"><img alt="Dusk"></picture>${caption}</figure>`,
      '![Dusk – Mills fell by half.]',
    ],
    [
      'a picture that a script puts',
      `<figure><div data-src="/x.jpg" data-alt="Dusk"></div>${caption}</figure>`,
      '![Dusk – Mills fell by half.]',
    ],
    [
      'a picture in a box',
      `<figure><a href="/x.jpg"><img src="/x.jpg" alt="Dusk"></a><div>${caption}</div></figure>`,
      '![Dusk – Mills fell by half.]',
    ],
    [
      'a picture in the background',
      '<div class="wp-caption"><div style="background-image:url(/x.jpg)"></div><p class="wp-caption-text">Mills fell by half.</p></div>',
      'Mills fell by half.',
    ],
    [
      'figures of a gallery',
      '<figure><figure><img src="/a.jpg" alt="Bow"></figure><figure><img src="/b.jpg" alt=""><figcaption>The stern.</figcaption></figure><figcaption>Both ends of a boat.</figcaption></figure>',
      '![Bow]\n\n![The stern.]\n\nBoth ends of a boat.',
    ],
    [
      'a long one',
      `<figure><img src="/x.jpg" alt="Dusk"><figcaption>${'Mills fell by half. '.repeat(50)}</figcaption></figure>`,
      'Mills fell by half. Mills fell by half.',
    ],
  ])('under %s', (_name, html, expected) => {
    expect(added(html)).toContain(expected);
  });

  test('the name of a photographer alone is none', () => {
    expect(
      added('<figure><img src="data:image/gif;base64,AA"><figcaption>Photo: Kim</figcaption></figure>'),
    ).toBe('');
  });
});

describe('a picture that is a link keeps its address', () => {
  test.each([
    [
      'of a page',
      '<a href="/map"><img src="/a.jpg" alt="Map of the harbour"></a>',
      '[![Map of the harbour]](https://site.example/map)',
    ],
    [
      'of another file',
      '<a href="/big.jpg"><img src="/a.jpg" alt="Map"></a>',
      '[![Map]](https://site.example/big.jpg)',
    ],
    [
      'but of the picture itself',
      '<a href="/up/mill.jpg"><img src="/up/mill-300x200.jpg" alt="Mill"></a>',
      '![Mill]',
    ],
    [
      'but of the home page',
      '<p><a href="/"><img src="/a.png" alt="Mills of the world"></a></p>',
      '![Mills of the world]',
    ],
    [
      'but of a button',
      '<a href="https://pinterest.example/pin/create/button/?u=1"><img src="/a.png" alt="Mill"></a>',
      '![Mill]',
    ],
    [
      'but beside words with the same address',
      '<p><a href="/m"><img src="/a.png" alt="Old mill"></a> The <a href="/m">old mill</a> turns.</p>',
      '![Old mill] The [old mill](https://site.example/m) turns.',
    ],
  ])('%s', (_name, html, expected) => {
    expect(added(html)).toBe(expected);
  });
});

test.each([
  ['a span', 'Rope: <span style="text-decoration: line-through">100€</span> 85€', 'Rope: ~~100€~~ 85€'],
  [
    'the line of a decoration',
    '<b style="color:red;text-decoration-line:line-through">100€</b> 85€',
    '**~~100€~~** 85€',
  ],
  [
    'paragraphs',
    '<div style="text-decoration:line-through red"><p>One.</p><p>Two.</p></div>',
    '~~One.~~\n\n~~Two.~~',
  ],
  ['once only', '<del style="text-decoration:line-through">100€</del> 85€', '~~100€~~ 85€'],
])('text that a style strikes through is struck: %s (jina-ai/reader#120)', (_name, html, expected) => {
  expect(added(`<div>${html}</div>`)).toBe(expected);
});
