import { expect, test } from 'vitest';
import { isOtherTexts } from '../../../../src/browse/readers/html/main-content/boilerplate-lines.ts';
import { readHtml } from '../../../../src/browse/readers/html.ts';

/** Pages that look like boilerplate by a word, a name or a place, and are text. */

const page = (body: string, title = 'Mills at sea') =>
  readHtml(`<html><head><title>${title}</title></head><body>${body}</body></html>`, 'https://s.example/a')
    .markdown;
const sentence = (subject: string) =>
  `A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.`;
const prose = (subject: string, count: number) =>
  Array.from({ length: count }, (_, i) => `<p>${sentence(`${subject} ${i}`)}</p>`).join('');
const times = (text: string, part: string) => text.split(part).length - 1;

test.each(['gdpr', 'consent', 'cookie-policy', 'modal', 'newsletter', 'sidebar'])(
  'a box named %s with the text of a page stays, unless a control in it accepts or refuses',
  (name) => {
    for (const control of [
      '<p><a href="#">Top</a></p>',
      '<button>Cookie settings</button>',
      '<button>Print</button>',
      '<form><input type="text" name="q"><button>Search</button></form>',
      '<div role="button">Copy</div>',
    ]) {
      const box = `<div class="${name}">${prose('SEAM', 8)}${control}</div>`;
      for (const body of [
        `<article><h1>GDPR guide</h1>${box}</article>`,
        `<main><h1>GDPR guide</h1>${box}</main>`,
        `<h1>GDPR guide</h1>${box}`,
      ])
        expect(page(body, 'GDPR guide'), control).toContain(sentence('SEAM 7'));
    }
  },
);

const TEXT = `<h1>Mills at sea</h1>${prose('rye', 6)}`;

test.each([
  ['Holiday baking', 'Bake the cookies until brown, and let them cool on a rack.', '<button>Print</button>'],
  ['Data protection officers', 'Under the GDPR, an officer answers for data.', '<button>Copy</button>'],
  ['Courses', 'This course teaches JavaScript to those who have never written a line.', ''],
  ['Courses', 'Chrome came years after Internet Explorer, and Firefox in between.', ''],
])('a box beside the text that asks nothing stays: %s', (title, words, control) => {
  const box = `<div><p>${words} SEAM</p>${prose('oats', 2)}${control}</div>`;
  for (const body of [`${box}${TEXT}`, `<div>${box}${TEXT}</div>`, `${box}<div>${TEXT}</div>`])
    expect(page(body, title)).toContain('SEAM');
});

test('many boxes that look like notices are read', () => {
  const text = page(`${'<div>cookies<a>b</a></div>'.repeat(8000)}<main>${TEXT}</main>`);
  expect(text).toContain(sentence('rye 5'));
});

const rows = ['a', 'b', 'c'].map((one) => `<tr><td>SEAM ${one}</td><td>12</td></tr>`).join('');
const list = Array.from('abcdefghijklmnop')
  .map(
    (one) =>
      `<li><a href="/${one}">SEAM ${one}</a>: the best book on wheels, ponds and millstones that I know of.</li>`,
  )
  .join('');
test.each([
  `<h2>We also tested the camera</h2><div>${prose('SEAM', 2)}</div>`,
  '<h2>You may qualify for a refund</h2><ul><li>SEAM, if it came late</li><li>If it broke</li></ul>',
  `<h2>We also found</h2><table>${rows}</table>`,
  `<h2>Recommended reading</h2><ul>${list}</ul>`,
])('the last part of an article stays, though its heading sounds like links: %s', (part) => {
  const text = page(`<main><article>${TEXT}<section>${part}</section></article></main>`);
  expect(text).toContain('SEAM');
  expect(text).toContain(/<h2>(.*?)<\/h2>/.exec(part)?.[1]);
});

test.each([
  'Чем вам может помочь врач',
  '本市热门新闻推荐算法的比较',
  'We also tested the camera',
  'You may qualify for a refund',
  'Das könnte Sie teuer zu stehen kommen',
  'Вам может понадобиться врач',
  'Te puede salvar la vida',
  'Co może cię zabić',
  'Was die relaterade artiklar sagen',
])('a heading that only holds such words is none of other texts: %s', (heading) => {
  expect(isOtherTexts(heading)).toBe(false);
});

test('equal pictures, items and links to several files stay', () => {
  const inText = (html: string) =>
    page(`<main><h1>Mills</h1>${prose('rye', 4)}${html}${prose('oats', 4)}</main>`);
  expect(times(inText(`<p>Rating: ${'<img src="/s.png" alt="full star">'.repeat(3)}</p>`), 'full star')).toBe(
    3,
  );
  const items = '<li><a href="/g">Wheel of Graz</a></li>'.repeat(2);
  expect(times(inText(`<ol><li><a href="/o">Other</a></li>${items}</ol>`), 'Wheel of Graz')).toBe(2);
  const links = [1, 2].map((i) => `<li><a href="/get?option=${i}">Download</a></li>`);
  expect(times(inText(`<ul>${links.join('')}</ul>`), 'Download')).toBe(2);
});

const QUESTION =
  '<p>What would you do for those who live beside the old tide mills of the northern coast, and with which means?</p>';
const candidate = (name: string, answer: string) => `<div>${name}${QUESTION}<p>${answer}</p></div>`;
test.each([
  ['answers differ', candidate('', sentence('wheat')), candidate('', sentence('rye'))],
  ['names differ', candidate('<h3>Ann</h3>', sentence('oats')), candidate('<h3>Bob</h3>', sentence('oats'))],
  [
    'the second says more',
    candidate('', sentence('wheat')),
    candidate('', `${sentence('wheat')}</p><p>And more.`),
  ],
])('a question that two boxes ask stays with each answer: %s', (_name, ...boxes) => {
  const text = page(
    `<article><h1>Mills at sea</h1>${prose('spelt', 2)}${boxes.join('')}${prose('millet', 2)}</article>`,
  );
  expect(times(text, 'What would you do')).toBe(2);
  const flat = `<div>${QUESTION}</div><div><p>Wheat.</p></div><div>${QUESTION}</div><div><p>Rye.</p></div>`;
  const lines = page(
    `<article><h1>Mills at sea</h1>${prose('spelt', 2)}${flat}${prose('millet', 2)}</article>`,
  );
  expect(times(lines, 'What would you do')).toBe(2);
});

test.each([
  'End the quote with [/quote]',
  '[gallery ids="1,2,3"] shows three pictures.',
  'Show them with [gallery ids="1,2,3"]',
])('a shortcode that a text is about stays: %s', (words) => {
  const text = page(`<article>${TEXT}<p>${words}</p>${prose('oats', 2)}</article>`);
  expect(text.replaceAll('\\', '')).toContain(words);
  expect(page(`<article>${TEXT}<p>[gallery ids="1,2,3"]</p>${prose('oats', 2)}</article>`)).not.toContain(
    'gallery',
  );
});
