import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const TOWNS = ['Alva', 'Brora', 'Crail', 'Doune', 'Elie', 'Fyvie', 'Girvan', 'Huntly'];
const ferry = (town: string) =>
  `The ferry to ${town} leaves from the old pier every morning, and comes back when the tide turns in the evening.`;
const page = (body: string, head = '') =>
  `<html><head><title>Piers</title>${head}</head><body>${body}</body></html>`;
const read = (body: string, url = 'https://pier.example/', head = '') => readHtml(page(body, head), url);

const cards = TOWNS.map(
  (town, i) =>
    `<div class="teaser"><h3><a href="/${i}">${town} and its pier</a></h3><p><a href="/${i}">${ferry(town)}</a></p></div>`,
).join('');

test('an article that is a tiny part of its page is replaced by the whole page, and the answer says so', () => {
  const intro = TOWNS.map((town) => `<p>${ferry(`New ${town}`)} Tickets are sold on board.</p>`).join('');
  const more = cards.replaceAll('pier', 'quay') + cards.replaceAll('pier', 'harbour');
  const { markdown, reduced } = read(
    `<div><h1>All piers</h1>${intro}${cards}${more}</div>`,
    'https://pier.example/all',
    '<meta property="og:type" content="article">',
  );
  for (const town of TOWNS) expect(markdown).toContain(`${town} and its pier`);
  expect(reduced).toContain('this is all of the page but menus and the like');
});

test('an article that is most of its page is kept', () => {
  const text = `<article><h1>Piers</h1>${TOWNS.map((town) => `<p>${ferry(town)}</p>`).join('')}</article>`;
  const { markdown, reduced } = read(
    `${text}<div>${cards.slice(0, 400)}</div>`,
    'https://pier.example/piers',
  );
  expect(markdown).toContain(ferry('Huntly'));
  expect(reduced).toBeUndefined();
});

test('comments under a short article do not cause the whole page to be returned', () => {
  const posts = TOWNS.slice(0, 3)
    .map((town) => `<div class="comment"><b>${town}</b><p>${ferry(town)}</p></div>`)
    .join('');
  const text = TOWNS.slice(4)
    .map((town) => `<p>${ferry(town)}</p>`)
    .join('');
  const { markdown, reduced } = read(`<article>${text}</article><div id="comments">${posts}</div>`);
  expect(markdown).toContain(ferry('Huntly'));
  expect(markdown).not.toContain(ferry('Brora'));
  expect(reduced).toBeUndefined();
});

test('a text below a summary that is ten times as short is the main text', () => {
  const summary = TOWNS.slice(0, 4)
    .map((town) => `<p>${ferry(town)}</p>`)
    .join('');
  const posts = Array.from(
    { length: 50 },
    (_, i) => `<li class="comment"><b>Ann</b><p>${ferry(`pier ${i}`)}</p></li>`,
  ).join('');
  const { markdown } = read(
    `<article>${summary}</article><div id="comments"><ul class="commentlisting">${posts}</ul></div>`,
  );
  expect(markdown).toContain(ferry(TOWNS[0] ?? ''));
  expect(markdown).toContain(ferry('pier 49'));
});

test('a page that would be empty is returned with all visible text, and the answer says so', () => {
  const { markdown, reduced } = read(
    `<nav><a href="/a">Arran</a></nav><form><p>${ferry('Nairn')}</p><input><button>Go</button></form>`,
  );
  expect(markdown).toBe(ferry('Nairn'));
  expect(reduced).toContain('everything that it shows but for menus');
});

test('an unknown address does not cause a failure', () => {
  expect(
    readHtml(page('<h1>Piers</h1><p>The <a href="/x">ferry</a> runs.</p>'), undefined).markdown,
  ).toContain('ferry');
});

const list = (inside: string) => read(`<div>${cards}</div>${inside}`).markdown;

test.each([
  ['a dialog', `<div role="dialog"><h2>Zulu</h2><p>${ferry('Zulu')}</p></div>`],
  [
    'a request for consent',
    `<div id="onetrust-consent-sdk"><div><p>Zulu asks to keep cookies. ${ferry('Zulu')}</p></div></div>`,
  ],
  [
    'a footer',
    `<div><div><div><div><footer><p>Zulu and sons, ferries since 1901. ${ferry('Zulu')}</p></footer></div></div></div></div>`,
  ],
])('%s is part of the frame of a list', (_, frame) => {
  const markdown = list(frame);
  expect(markdown).not.toContain('Zulu');
  expect(markdown).toContain('Huntly and its pier');
});

test('repeated text is returned once, and text that list items share stays', () => {
  const slides = `<div class="slides"><div><p>${ferry('Nairn')}</p></div><div><p>${ferry('Nairn')}</p></div></div>`;
  const offers = ['One pound', 'Two pounds']
    .map(
      (price) =>
        `<li><h3>${price}</h3><p>Not with other offers, and only on days on which the pier is open.</p></li>`,
    )
    .join('');
  const markdown = list(`${slides}<ul>${offers}</ul>`);
  expect(markdown.split(ferry('Nairn'))).toHaveLength(2);
  expect(markdown.split('Not with other offers')).toHaveLength(3);
});

test('a thread contains each post once, without a copy in quotes', () => {
  const said = ferry('Nairn');
  const post = (text: string) => `<div class="post"><p>${text}</p></div>`;
  const { markdown } = read(
    `<h1>Piers</h1>${post(said)}${post(`<blockquote><cite>Ann said:</cite><p>${said}</p></blockquote>It is late on Sundays.`)}`,
    'https://forum.example/threads/piers.7',
  );
  expect(markdown.split(said)).toHaveLength(2);
  expect(markdown).toContain('Ann said:');
  expect(markdown).toContain('It is late on Sundays.');
});

test('a page that sells one product is read without its reviews', () => {
  const reviews = `<div class="product-reviews"><h2>Reviews</h2>${[1, 2, 3, 4, 5, 6, 7].map((i) => `<p>Zulu ${i}: ${ferry('Zulu')}</p>`).join('')}</div>`;
  const body = `<div><h1>Day ticket</h1><p>£4</p>${['Nairn', 'Skye', 'Mull', 'Iona', 'Eigg', 'Rum'].map((isle) => `<p>${ferry(isle)}</p>`).join('')}</div>${reviews}`;
  // The rules alone: trees may take reviews that say what the text says for a part of it.
  const sold = readHtml(
    page(body, '<meta property="og:type" content="product">'),
    'https://pier.example/products/day-ticket',
    false,
    () => undefined,
  );
  expect(sold.markdown).not.toContain('Zulu');
  expect(sold.markdown).toContain('Nairn');
  expect(read(`${body}${cards}`, 'https://pier.example/about').markdown).toContain('Zulu');
});
