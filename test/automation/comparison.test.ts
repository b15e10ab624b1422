import { Script } from 'node:vm';
import { describe, expect, test } from 'vitest';
import type { AutomationPlan } from '../../src/automation/plans/plan.ts';
import { generateN8nCode } from '../../src/automation/platforms/n8n-code.ts';
import { readTask } from '../../src/automation/reading/read-task.ts';
import { processorSeconds } from '../helpers/processor-time.ts';

/** The program of n8n's Code node, run as n8n runs it: with its items, and static data that lasts. */

const PAGE = 'https://shop.example/x';
const plan = (change: Partial<AutomationPlan>): AutomationPlan => ({
  task: 'a "task" with `marks` and \u2028',
  pages: [PAGE],
  extract: { kind: 'text' },
  when: { kind: 'change' },
  send: { kind: 'platform' },
  ...change,
});

type Item = { json: Record<string, unknown> };

function runs(of: AutomationPlan) {
  const memory = {};
  const script = new Script(`(() => {${generateN8nCode(of)}})()`);
  return (...items: Record<string, unknown>[]): Item[] =>
    script.runInNewContext({
      $getWorkflowStaticData: () => memory,
      $input: { all: () => items.map((json) => ({ json })) },
    }) as Item[];
}

test('a change is sent once, with the earlier state, and the first run is not a change', () => {
  const run = runs(plan({}));
  expect(run({ found: ' One  two ' })).toEqual([]);
  expect(run({ found: 'One two' })).toEqual([]);
  const [sent] = run({ found: 'Three' });
  expect(sent?.json).toMatchObject({ page: PAGE, before: 'One two', found: 'Three', task: plan({}).task });
  expect(run({ found: 'Three' })).toEqual([]);
});

test('a failing page keeps its state, and is not a change', () => {
  const run = runs(plan({}));
  run({ found: 'One' });
  expect(run({ error: 'timeout' })).toEqual([]);
  expect(run({ found: null })).toEqual([]);
  expect(run({ found: 'One' })).toEqual([]);
});

test.each([
  [
    { kind: 'below', value: 100 },
    ['$120', '$99.90', '$80', '$120', '1.0 €'],
    [false, true, false, false, true],
  ],
  [{ kind: 'above', value: 1000 }, ['€ 999', '€ 1.299,00', '€ 900'], [false, true, false]],
  [
    { kind: 'word', word: 'Sold Out' },
    ['in stock', 'now SOLD OUT', 'sold out', 'back', 'sold out'],
    [false, true, false, false, true],
  ],
  [
    { kind: 'gone', word: 'Sold out' },
    ['SOLD OUT', 'sold out', 'buy now', 'buy now', 'sold out', ''],
    [false, false, true, false, false, true],
  ],
  [{ kind: 'always' }, ['a', 'a'], [true, true]],
] as const)('%j is sent when it becomes true', (when, pages, sent) => {
  const run = runs(plan({ when: { ...when } }));
  expect(pages.map((found) => run({ found }).length > 0)).toEqual(sent);
});

test('prices are extracted from a text, and lists are joined', () => {
  const prices = runs(plan({ extract: { kind: 'prices' }, when: { kind: 'always' } }));
  expect(prices({ found: 'Now $1,299.00, was 1.400 EUR; 3 left' })[0]?.json.found).toBe(
    '$1,299.00\n1.400 EUR',
  );
  const list = runs(plan({ extract: { kind: 'links' }, when: { kind: 'always' } }));
  expect(list({ found: ['/a', ' ', '/b'] })[0]?.json.found).toBe('/a\n/b');
});

test('several pages are compared separately', () => {
  const run = runs(plan({ pages: [PAGE, 'https://b.example/'] }));
  run({ found: 'a' }, { found: 'b' });
  expect(run({ found: 'a' }, { found: 'c' }).map(({ json }) => json.page)).toEqual(['https://b.example/']);
});

/** Pages as they come from the node Fetch, beside what the node Extract made of them. */
function sources(task: string) {
  const memory = {};
  const script = new Script(`(() => {${generateN8nCode({ task, ...readTask(task) })}})()`);
  return (...pages: string[]) => {
    const found = pages.map((html) => ({ json: { found: html.replace(/<[^<>]*>/g, ' ') } }));
    const items = script.runInNewContext({
      URL,
      Intl,
      $getWorkflowStaticData: () => memory,
      $: () => ({ all: () => pages.map((html) => ({ json: { html } })) }),
      $input: { all: () => found },
    }) as Item[];
    return items.map(({ json }) => String(json.found));
  };
}

const product = (
  price: string,
  more = '',
) => `<html><head><title>Kettle - Shop</title><script>var a = "<b>$0.5</b>";</script></head>
  <body><header>Free from $1</header><h1>Kettle</h1><del>$2</del><span class="price old">$2.50</span> <b>${price}</b>
  <section class="related-products"><h2>Mug</h2><span>$3</span></section>${more}</body></html>`;
const linked = (price: string, stock = 'InStock', currency = 'EUR') =>
  `<script type="application/ld+json">{"@graph":[{"@type":"Product","name":"Kettle","offers":{"price":"${price}","priceCurrency":"${currency}","availability":"https://schema.org/${stock}"},"isRelatedTo":{"@type":"Product","name":"Mug","offers":{"price":"3"}}}]}</script>`;

describe("the product's own price", () => {
  test.each([
    ['below 5000 yen', '¥6,000', '4,900円'],
    ['below 100 zł', '129,99 zł', '99,99 zł'],
    ['below 5000 roubles', '5 990 руб.', '4 990 ₽'],
    ['below 100 yuan', '￥129', '99.50元'],
    ['below 1500 SEK', '1 999 kr', '1 499 kr'],
    ['below 1,300.50 CHF', "CHF 1'399.90", "1'299.90 CHF"],
    ['below 900 euros', '1.299,00 €', '899,- €'],
    ['below 2000 reais', 'R$ 2.499,90', 'R$ 1.999,90'],
    ['below 50 pounds', '£59.99', '£49.99'],
    ['above 30 Indian rupees', '₹29', '₹31'],
  ])('%s: %s does not match yet, and %s does', (limit, before, after) => {
    const run = sources(`Tell me when the price on ${PAGE} is ${limit}`);
    expect(run(product(before))).toEqual([]);
    expect(run(product(after))).toHaveLength(1);
    expect(run(product(after))).toEqual([]);
  });

  test('structured data of the page is preferred to its text', () => {
    const run = sources(`Tell me when the price on ${PAGE} is below 20 euros`);
    expect(run(product('€5', linked('25.00')))).toEqual([]);
    expect(run(product('€5', linked('19.00')))).toEqual(['19 EUR']);
    const meta =
      '<meta property="product:price:amount" content="25.5"><meta property="product:price:currency" content="EUR">';
    expect(sources(`Tell me when the price on ${PAGE} is below 20 euros`)(meta + product('€5'))).toEqual([]);
    const microdata =
      '<span itemprop="price" content="25.5"></span><meta itemprop="priceCurrency" content="EUR">';
    expect(sources(`Tell me when the price on ${PAGE} is below 20 euros`)(product('€5', microdata))).toEqual(
      [],
    );
  });

  test('a price in another currency is ignored', () => {
    const run = sources(`Tell me when the price on ${PAGE} is below 5000 yen`);
    expect(run(product('$40'))).toEqual([]);
    expect(run(product('no price'))).toEqual([]);
    expect(run(product('¥4,000'))).toHaveLength(1);
  });

  test('the named product among several is used', () => {
    const run = sources(`Tell me when the price of the Blue Mug on ${PAGE} is below 10 dollars`);
    const list = (mug: string) => `<h1>Mugs</h1><li>Red Mug <b>$5</b></li><li>Blue Mug <b>${mug}</b></li>`;
    expect(run(list('$12'))).toEqual([]);
    expect(run(list('$9'))).toHaveLength(1);
    expect(run('<li>Red Mug $5</li>')).toEqual([]);
  });
});

test.each([
  ['falls by 10%', ['$100', '$95', '$90', '$85'], [0, 0, 1, 0]],
  ['falls', ['$100', '$101', '$100'], [0, 0, 1]],
  ['rises by more than 5 dollars', ['$100', '$104', '$106'], [0, 0, 1]],
  ['changes by more than 5%', ['$100', '$104', '$94'], [0, 0, 1]],
  ['is above 100 or below 50', ['$70', '$101', '$102', '$49'], [0, 1, 0, 1]],
  ['is between 10 and 20 dollars', ['$25', '$15', '$16', '$9', '$12'], [0, 1, 0, 0, 1]],
])('a change is sent only when the price %s', (what, prices, sent) => {
  const run = sources(`Tell me when the price on ${PAGE} ${what}`);
  expect(prices.map((price) => run(product(price)).length)).toEqual(sent);
});

test('the number nearest to its words counts, with its sign', () => {
  const run = sources(`Tell me when the temperature on ${PAGE} drops below -5 degrees`);
  expect(run('<p>Temperature: -4 °C</p><p>Humidity -9</p>')).toEqual([]);
  expect(run('<p>Temperature: -6.5 °C</p><p>Humidity 9</p>')).toHaveLength(1);
});

test('prices of two pages are compared, and a change is sent once', () => {
  const run = sources('Tell me when https://a.example/1 is cheaper than https://b.example/2');
  expect(run(product('$100'), product('$90'))).toEqual([]);
  expect(run(product('$80'), product('$90'))).toHaveLength(1);
  expect(run(product('$70'), product('$90'))).toEqual([]);
});

test('availability is read from structured data, or from the words of the page', () => {
  const run = sources(`Tell me when ${PAGE} is back in stock`);
  expect(run(product('€5', linked('5', 'OutOfStock')))).toEqual([]);
  expect(run(product('€5', linked('5', 'InStock')))).toHaveLength(1);
  const worded = sources(`Tell me when ${PAGE} is sold out`);
  expect(worded('<p>In stock</p>')).toEqual([]);
  expect(worded('<p>Leider ausverkauft</p>')).toHaveLength(1);
});

describe('items of feeds and lists', () => {
  const rss = (...titles: string[]) =>
    `<?xml version="1.0"?><rss><channel><title>F</title>${titles.map((title) => `<item><title><![CDATA[${title}]]></title><link>https://f.example/${title}</link><guid>${title}</guid><description>About ${title}</description></item>`).join('')}</channel></rss>`;
  const atom = (...titles: string[]) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>F</title>${titles.map((title) => `<entry><id>${title}</id><title>${title}</title><link href="/${title}"/></entry>`).join('')}</feed>`;
  const json = (...titles: string[]) =>
    JSON.stringify({
      version: '1.1',
      items: titles.map((title) => ({ id: title, url: `https://f.example/${title}`, title })),
    });
  const list = (...titles: string[]) =>
    `<nav><a href="/menu">Menu ${titles.length}</a></nav><ul>${titles.map((title) => `<li><a href="/p/${title}">${title} &amp; more</a></li>`).join('')}</ul>`;

  test.each([
    ['RSS', rss],
    ['Atom', atom],
    ['JSON Feed', json],
    ['a page', list],
  ])('%s: only new items are sent, each once', (_what, page) => {
    const run = sources('Tell me about new posts on https://f.example/feed.xml');
    expect(run(page('first', 'second'))).toEqual([]);
    const [sent = ''] = run(page('third', 'first', 'second'));
    expect(sent).toContain('third');
    expect(sent).not.toMatch(/first|second/);
    expect(run(page('third', 'first'))).toEqual([]);
    expect(run(page('second', 'third', 'first'))).toEqual([]);
  });

  test('items that do not match the topic are left out', () => {
    const run = sources(
      'Tell me about new posts about Rust or Go but not "rusty" on https://f.example/feed.xml',
    );
    run(rss('first'));
    expect(run(rss('Google news', 'first'))).toEqual([]);
    expect(run(rss('Go 2', 'rusty Rust', 'Rust 3', 'first'))).toEqual([
      'Go 2 https://f.example/Go%202\nRust 3 https://f.example/Rust%203',
    ]);
  });
});

test.each([
  ['tags', '<'],
  ['open tags', '<a '],
  ['items', '<item>'],
  ['links', '<a href=x>'],
  ['prices', '$1,000 '],
  ['digits', '1,000'],
  ['comments', '<!--'],
  ['data', '<script type="application/ld+json">'],
  ['meta', '<meta itemprop="price" '],
  ['labels', 'stars '],
])(
  'a hostile page of %s takes linear time',
  (_what, piece) => {
    const page = piece.repeat(50_000 / piece.length);
    const work = () => {
      for (const task of [
        `Tell me when the price of the Mug on ${PAGE} is below 5 dollars`,
        `Tell me about new posts about Rust on ${PAGE}`,
        `Tell me when ${PAGE} is back in stock`,
        `Tell me when the number of stars on ${PAGE} exceeds 5`,
      ]) {
        sources(task)(page);
      }
    };
    expect(processorSeconds(work)).toBeLessThan(3);
  },
  120_000,
);
