import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

/** Boxes of few words that belong to the text by their place: slides of a talk, and lists of what matters most. */

const deck = (last: string, slide = 'section') =>
  `<html><head><title>Bread of yesterday</title></head><body><div class="reveal"><div class="slides">${[
    '<h1>Bread of yesterday</h1><p>Lucia Ferrero, Turin</p>',
    '<h2>What is lost</h2><p>Each evening a baker throws away nine of a hundred loaves.</p><aside class="notes">Ask who bakes.</aside>',
    '<h2>Our idea</h2><ul><li>fetched at half past seven</li><li>brought by bicycle</li></ul>',
    last,
  ]
    .map((one) => `<${slide}>${one}</section>`)
    .join('')}</div></div></body></html>`;

test.each([
  [
    'an address',
    '<h2>Thanks</h2><p><a href="https://bread.example/">bread.example</a></p>',
    '## Thanks\n\n[bread.example]',
  ],
  [
    'a link',
    '<h2>Thanks</h2><p><a href="https://bread.example/">Our site</a></p>',
    '## Thanks\n\n[Our site]',
  ],
  ['a heading', '<h2>Questions?</h2>', '## Questions?'],
  ['a line', '<h2>Thanks</h2><p>Write to Lucia</p>', '## Thanks\n\nWrite to Lucia'],
])(
  'the last slide of a talk is kept if it has only %s, and what only its speaker reads is not',
  (_name, last, text) => {
    for (const slide of ['section', 'section class="slide level2"']) {
      const markdown = readHtml(deck(last, slide), 'https://talks.example/bread').markdown;
      expect(markdown).toContain(`- brought by bicycle\n\n${text}`);
      expect(markdown).not.toContain('Ask who bakes');
    }
  },
);

const ENTRY = (time: string, text: string) =>
  `<article><time>${time}</time><div itemprop="articleBody"><p>${text}</p></div></article>`;
const live = (before: string) =>
  `<html><head><title>Vote on the park</title></head><body><main><header><h1>Vote on the park</h1></header>${before}<div class="entries">${[
    ENTRY('19:42', 'The count is over, and the proposal for the park has won with four thousand votes.'),
    ENTRY('17:30', 'At five, more people had voted than in any vote of the last ten years in this town.'),
    ENTRY('11:00', 'The queues reach the fountain, and volunteers hand out water to those who wait.'),
  ].join('')}</div></main></body></html>`;

test.each([
  [
    'a box with a heading',
    '<section><h2>In brief</h2><ul><li>9,300 may vote</li><li>It is binding</li></ul></section>',
  ],
  ['a heading beside a list', '<h2>In brief</h2><ul><li>9,300 may vote</li><li>It is binding</li></ul>'],
])('a list of what matters most stands between title and text: %s', (_name, points) => {
  const { markdown } = readHtml(
    live(
      `<p class="standfirst">Today the town decides what becomes of the car park by the river.</p>${points}`,
    ),
  );
  expect(markdown).toMatch(
    /^Today the town decides[^#]*## In brief\n\n- 9,300 may vote\n- It is binding\n\n/,
  );
});

test('sentences in a list below the title need no heading, but lines about the text and links stay out', () => {
  const sentences =
    '<ul><li>The town votes on a park by the river today.</li><li>The result binds the mayor and the council.</li></ul>';
  expect(readHtml(live(sentences)).markdown).toMatch(/^- The town votes[^\n]*\n- The result/);
  const lines =
    '<ul><li>By Nuria Vidal</li><li>15 June</li></ul><h3>More</h3><ul><li><a href="/a">Bridge</a></li><li><a href="/b">Mayor</a></li></ul>';
  expect(readHtml(live(lines)).markdown).not.toMatch(/Nuria|Bridge/);
});

test('a box of what matters most right below the title of an article is a part of it', () => {
  const prose = [
    'The count is over, and the park has won.',
    'More people voted than ever before in this town.',
  ];
  const long = prose.map(
    (one) => `<p>${one} ${'It was said before by those who know the river well. '.repeat(4)}</p>`,
  );
  const box =
    '<aside class="key-takeaways"><h2>In brief</h2><ul><li>The town votes on a park by the river.</li><li>The result binds the mayor.</li></ul></aside>';
  const page = `<html><head><title>Vote</title></head><body><main><article><h1>Vote on the park</h1>${box}${long.join('')}</article></main></body></html>`;
  expect(readHtml(page).markdown).toContain(
    '## In brief\n\n- The town votes on a park by the river.\n- The result binds',
  );
});
