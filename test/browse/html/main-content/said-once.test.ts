import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const page = (body: string) =>
  readHtml(`<html><head><title>Mills at sea</title></head><body>${body}</body></html>`, 'https://s.example/a')
    .markdown;
const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = (subject: string, count = 6) =>
  Array.from({ length: count }, (_, i) => `<p>${sentence(`${subject} ${i}`)}</p>`).join('');
const times = (text: string, part: string) => text.split(part).length - 1;

test.each([
  '<h2>You must <a href="/users/login?to=q">log in</a> to answer this question.</h2>',
  '<div>Please <a href="/sign-in">sign in</a> before you write an answer here.</div>',
])('of a box with an answer, only what asks to log in goes: %s', (asks) => {
  const answer = `<div><div><p>${sentence('wheat')} ${sentence('rye')}</p></div></div>`;
  const text = page(
    `<div><h1>What grinds?</h1><p>Who knows which grain a tide mill grinds, and why?</p><div>${answer}${asks}</div></div>`,
  );
  expect(text).toContain(sentence('rye'));
  expect(text).not.toMatch(/log in|sign in/);
});

test('a box that only asks to log in goes', () => {
  const asks = '<div><h3>Stay with us</h3><p>All our mills, every day.</p><a href="/login">Log in</a></div>';
  expect(page(`<article><h1>Mills at sea</h1>${prose('rye')}${asks}</article>`)).not.toContain('Stay');
});

test.each([
  '[vc_row type=”full_width” color="#fff"][vc_column width=”1/1″][vc_column_text]',
  '[/vc_column_text][/vc_column][/vc_row]',
  '[et_pb_section fb_built="1" _builder_version="4.9"][et_pb_row]',
  "[caption id='a_1' width=300][caption_text]",
])('what page builders write in brackets goes: %s', (codes) => {
  for (const html of [
    `<p>${codes}</p><p>SEAM</p>`,
    `<p>${codes}SEAM</p>`,
    `<p>SEAM${codes}</p>`,
    `${codes}<p>SEAM</p>`,
  ]) {
    const text = page(`<article><h1>Mills at sea</h1>${prose('rye')}${html}</article>`);
    expect(text).toContain('SEAM');
    expect(text).not.toMatch(/\[\/?\w/);
  }
});

test.each([
  '[sic] stands there',
  'so they said [laughs]',
  'write [gallery ids="1"] into the text',
  '[1] Mills, vol. 2',
  '[my_list] is empty',
])('brackets of writers stay: %s', (words) => {
  const text = page(`<article><h1>Mills at sea</h1>${prose('rye')}<p>${words}</p>${prose('oats')}</article>`);
  expect(text.replaceAll('\\', '')).toContain(words);
  const code = page(
    `<article><h1>Mills</h1>${prose('rye')}<pre>[vc_row a="b"]</pre>${prose('oats')}</article>`,
  );
  expect(code).toContain('[vc_row a="b"]');
});

const others = (label: string) =>
  `<section><h3>${label}</h3>${['wind', 'water', 'steam'].map((one) => `<article><a href="/${one}"><img src="/${one}.jpg"></a><p>SEAM ${one}: ${sentence(one)} ${sentence(`more ${one}`)}…</p></article>`).join('')}</section>`;

test.each([
  'You may also like',
  'Related posts',
  'Das könnte Sie auch interessieren',
  'Articles similaires',
  'También te puede interesar',
  'Artigos relacionados',
  'Leggi anche',
  'Читайте также',
  '関連記事',
  '相关阅读',
])('other texts at the end go, though they are longer than the article: %s', (label) => {
  const text = page(
    `<main><article><h1>Mills at sea</h1>${prose('rye', 5)}</article>${others(label)}</main>`,
  );
  expect(text).toContain(sentence('rye 4'));
  expect(text).not.toContain('SEAM');
});

test('a part of the text under such a heading stays', () => {
  const own = `<section><h2>Related articles</h2>${prose('SEAM', 5)}</section>`;
  expect(page(`<main><article><h1>Mills</h1>${prose('rye', 8)}${own}</article></main>`)).toContain('SEAM 1');
});

test.each([1, 2, 5])('what is said twice for two screens is read once: %d paragraphs', (count) => {
  const head = '<div><h1>Modern mills by the sea</h1><h4>built by millers</h4></div>';
  const text = page(
    `<main><div class="desktop">${head}${prose('rye', count)}</div><div class="mobile">${head}${prose('rye', count)}</div>${prose('oats')}</main>`,
  );
  for (const one of ['Modern mills by the sea', 'built by millers', sentence(`rye ${count - 1}`)])
    expect(times(text, one)).toBe(1);
});

test('a refrain, equal cells and equal code stay', () => {
  const refrain =
    '<p>Turn, wheel, turn, while the tide is high,<br>turn till the pond below the dam is dry,<br>and sing.</p>';
  const cell = `<td>${sentence('cells')}</td>`;
  const code =
    '<pre>const wheel = mill.turn({ tide: "high", pond: "full", grain: "rye", hours: 12, until: "dry" });</pre>';
  const text = page(
    `<article><h1>Mills</h1>${prose('rye')}${refrain}${prose('oats')}${refrain}${code}${code}<table><tr><th>a</th><th>b</th></tr><tr>${cell}${cell}</tr></table>${prose('spelt')}</article>`,
  );
  expect(times(text, 'Turn, wheel')).toBe(2);
  expect(times(text, sentence('cells'))).toBe(2);
  expect(times(text, 'const wheel')).toBe(2);
});

const inText = (html: string) => page(`<main><h1>Mills</h1>${prose('rye')}${html}${prose('oats')}</main>`);
const boxes = (make: (i: number) => string) => [0, 1, 2, 3].map(make).join('');

test('boxes with a picture that say the same are read once', () => {
  const card = (i: number) =>
    `<div class="card"><img src="/c${i}.jpg" alt="Oak wheel"><span>Sold out</span></div>`;
  expect(times(inText(boxes(card)), 'Sold out')).toBe(1);
  const other = (i: number) =>
    `<div class="card"><img src="/c${i}.jpg" alt="Oak wheel"><span>${i}0 €</span></div>`;
  expect(times(inText(boxes(other)), 'Oak wheel')).toBe(4);
});
