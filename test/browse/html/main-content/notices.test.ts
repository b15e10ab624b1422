import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const page = (body: string, title = 'Mills at sea') =>
  readHtml(
    `<html><head><title>${title}</title></head><body><header><a href="/">Mill News</a></header>${body}<footer><p>Mill News, 2026. All rights reserved.</p></footer></body></html>`,
    'https://s.example/a',
  ).markdown;
const TEXT =
  'A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.';

const NOTICES = [
  '<h2>SEAM JavaScript</h2><p>JavaScript is off in your browser. Please switch it on to use all of this site, and load the page again once it is on.</p>',
  '<p>SEAM: your browser is out of date. Take the latest Chrome, Firefox, Edge or Safari to see this site as it was meant, since Internet Explorer is not read any more.</p>',
  '<p>SEAM ブラウザが古いため、正しく表示されません。ChromeまたはFirefoxの最新版をお使いください。</p>',
  '<h2>SEAM</h2><p>We and our partners keep cookies on your device to count visits, to show what fits you, and to make the site better; some stay for a year or more.</p><button>Accept</button>',
  '<p>SEAM Wir verwenden Cookies, um Besuche zu zählen, die Seite zu verbessern und Ihnen zu zeigen, was zu Ihnen passt; einige bleiben ein Jahr.</p><a href="#">Alle annehmen</a>',
  '<p>SEAM Ta strona używa ciasteczek, aby liczyć odwiedziny i pokazywać to, co do Ciebie pasuje.</p><button>Tak</button>',
];

test.each(NOTICES)('a notice beside a text goes, though it is longer: %s', (notice) => {
  const box = `<div class="x1">${notice}</div>`;
  for (const count of [1, 2, 6]) {
    const text = `<h1>Mills at sea</h1>${`<p>${TEXT}</p>`.repeat(count)}`;
    for (const body of [
      `${box}<div>${text}</div>`,
      `${box}<main>${text}</main>`,
      `<article>${text}</article>${box}`,
      `<div id="root"><div>${box}<main>${text}</main></div></div>`,
    ]) {
      const markdown = page(body);
      expect(markdown).not.toContain('SEAM');
      expect(markdown).toContain(TEXT);
    }
  }
});

test.each([
  ['of the page itself', 'Cookies', `<h1>Cookies</h1><div>${NOTICES[3]}</div>`],
  [
    'in a text',
    'Mills',
    `<article><h1>Mills</h1><p>${TEXT}</p><div>${NOTICES[0]}</div><p>${TEXT}</p></article>`,
  ],
  ['that is all there is', 'Mills', `<div><h1>Mills</h1></div><div>${NOTICES[3]}</div>`],
  [
    'of goods',
    'Shop',
    `<div><h1>Shop</h1><p>${TEXT}</p></div><div><p>SEAM: oat cookies, baked today, 3 €</p><button>Buy</button></div>`,
  ],
])('words such as cookies stay: %s', (_name, title, body) => {
  expect(page(body, title)).toContain('SEAM');
});
