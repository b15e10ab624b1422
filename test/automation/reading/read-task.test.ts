import { describe, expect, test } from 'vitest';
import { readTask } from '../../../src/automation/reading/read-task.ts';
import { numberOf } from '../../../src/automation/reading/tokens.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const SHOP = 'https://shop.example/x';

test.each([
  [
    `Watch ${SHOP} and tell me when the price drops below $1,299.00`,
    'prices',
    { kind: 'below', value: 1299, currency: '$' },
    'platform',
  ],
  [
    `Überwache den Preis auf ${SHOP}: wenn unter 99,90 €, sende an https://x.example/y`,
    'prices',
    { kind: 'below', value: 99.9, currency: 'EUR' },
    'https://x.example/y',
  ],
  [
    `Surveille le prix de ${SHOP} et envoie à ada@mail.example quand il est au-dessus de 20`,
    'prices',
    { kind: 'above', value: 20 },
    'ada@mail.example',
  ],
  [`Vigila ${SHOP} y avísame cuando cambia`, 'text', { kind: 'change' }, 'platform'],
  [
    `監視 ${SHOP} 価格が 1000円以下になったら通知`,
    'prices',
    { kind: 'below', inclusive: true, value: 1000, currency: 'JPY' },
    'platform',
  ],
  [
    `Beobachte ${SHOP} und melde, wenn "ausverkauft" erscheint, an ada@mail.example`,
    'text',
    { kind: 'word', word: 'ausverkauft' },
    'ada@mail.example',
  ],
  [`alert me when ${SHOP} contains the word recall`, 'text', { kind: 'word', word: 'recall' }, 'platform'],
  [
    `Fetch ${SHOP}, take all links every time and post to https://my.example/collect.`,
    'links',
    { kind: 'always' },
    'https://my.example/collect',
  ],
  [
    `Send the headlines of ${SHOP} to https://my.example/collect, whenever they change`,
    'headings',
    { kind: 'change' },
    'https://my.example/collect',
  ],
  [`${SHOP} → webhook: https://my.example/a`, 'text', { kind: 'always' }, 'https://my.example/a'],
  [
    `Crawl ${SHOP} with https://hooks.slack.example/services/T1 for new titles`,
    'headings',
    { kind: 'new' },
    'https://hooks.slack.example/services/T1',
  ],
  [`Save the text of ${SHOP} to my knowledge base each run`, 'text', { kind: 'always' }, 'knowledge'],
])('%s', (task, extract, when, send) => {
  const reading = readTask(task);
  expect(reading.pages).toEqual([SHOP]);
  expect(reading.extract).toEqual({ kind: extract });
  expect(reading.when).toEqual(when);
  const { kind } = reading.send;
  expect('url' in reading.send ? reading.send.url : 'to' in reading.send ? reading.send.to : kind).toBe(send);
});

describe('pages', () => {
  test.each([
    [
      'see https://en.wikipedia.org/wiki/Rust_(programming_language).',
      ['https://en.wikipedia.org/wiki/Rust_(programming_language)'],
    ],
    [
      '(https://a.example/x), <https://b.example/y> and "https://c.example"!',
      ['https://a.example/x', 'https://b.example/y', 'https://c.example/'],
    ],
    [
      'crawl news.example.org/today and www.site.com daily',
      ['https://news.example.org/today', 'https://www.site.com/'],
    ],
    ['https://a.example and again https://a.example/', ['https://a.example/']],
    ['a page about node.js and v1.2.3', []],
  ])('%s', (task, pages) => expect(readTask(task).pages).toEqual(pages));

  test('more than ten pages are too many for one automation', () => {
    const task = Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`).join(' ');
    expect(readTask(task).turning).toContainEqual({ kind: 'pages', words: '11' });
  });

  test('choices that multiply are refused before they fill the memory', () => {
    const sentences = (count: number) =>
      Array.from({ length: count }, (_, i) => `the price is below ${i} or above ${i + 50}`).join('. ');
    expect(readTask(`check https://a.example/. ${sentences(3)}`).when).toMatchObject({ kind: 'any' });
    expect(() => readTask(`check https://a.example/. ${sentences(60)}`)).toThrow(
      /^q combines too many conditions.*at most 200/,
    );
  });

  test('a task without a page leaves its topic', () => {
    const { pages, subject } = readTask('Tell me when the price of the Framework Laptop 13 falls below 900');
    expect(pages).toEqual([]);
    expect(subject).toBe('price Framework Laptop 13');
  });
});

test.each([
  [`check the selector ".price > b" on ${SHOP}`, '.price > b'],
  [`CSS \`#stock\` of ${SHOP} when it changes`, '#stock'],
  [`the element span.sum at ${SHOP}`, 'span.sum'],
])('%s', (task, selector) => expect(readTask(task).extract).toEqual({ kind: 'selector', selector }));

test.each([
  ['1,299.00', 1299],
  ['1.299,00', 1299],
  ['1.299', 1299],
  ['12.99', 12.99],
  ['12,9', 12.9],
  ['1.000.000', 1_000_000],
  ["1'234.50", 1234.5],
  ['900.', 900],
  ['0,999', 999],
  ['5', 5],
])('the number %s is read as %d', (text, value) => expect(numberOf(text)).toBe(value));

test.each([
  ['blanks', ' '],
  ['quotes', '"“'],
  ['addresses', 'https://a'],
  ['dots', 'a.'],
  ['mail', 'a@b.'],
  ['brackets', '(('],
  ['digits', '1,'],
  ['words', 'below '],
  ['rhythms', 'every 5 '],
  ['numbers', '10.0.0.'],
  ['elements', 'h2.a'],
  ['sendings', 'send changes to '],
])(
  'a hostile task of %s takes linear time',
  (_what, piece) => {
    // Five times what a task may have: what grows faster than the text would take tens of seconds of this thread's own time.
    const task = piece.repeat(10_000 / piece.length);
    const work = () => {
      try {
        readTask(task);
      } catch {
        // Too many pages.
      }
    };
    expect(processorSeconds(work)).toBeLessThan(1.5);
  },
  120_000,
);

const OTHER = 'https://other.example/y';

test.each([
  `Hou ${SHOP} in de gaten en mail ada@mail.example als hij goedkoper wordt dan op ${OTHER}`,
  `Sag Bescheid, wenn ${SHOP} billiger wird als ${OTHER}`,
  `Tell me when ${SHOP} gets cheaper than ${OTHER}`,
  `Préviens-moi quand ${SHOP} devient moins cher que ${OTHER}`,
])('a page that becomes cheaper than another is compared with it: %s', (task) =>
  expect(readTask(task).when).toEqual({ kind: 'compare', is: 'below' }),
);

test.each([
  [`毎日朝9時（日本時間）に ${SHOP} を確認して`, 'Asia/Tokyo'],
  [`日本時間で毎日9時に ${SHOP} を確認`, 'Asia/Tokyo'],
  [`每天北京时间9点检查 ${SHOP}`, 'Asia/Shanghai'],
])('a country before the word for time is a time zone: %s', (task, zone) =>
  expect(readTask(task).runs).toEqual({ at: [540], zone }),
);

test.each([`检查 ${SHOP} ，周末除外`, `检查 ${SHOP} ，周末不用查`, `土日を除いて毎日9時に ${SHOP} を確認`])(
  'days are left out by a word behind them: %s',
  (task) => expect(readTask(task)).toMatchObject({ runs: { days: [1, 2, 3, 4, 5] }, turning: [] }),
);

test('what the new items may not be about is no subject', () =>
  expect(readTask(`Tell me about new posts on ${SHOP} but nothing about crypto`).when).toEqual({
    kind: 'new',
    without: ['crypto'],
  }));
