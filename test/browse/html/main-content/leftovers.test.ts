import { expect, test } from 'vitest';
import { isBoilerplateLine } from '../../../../src/browse/readers/html/main-content/boilerplate-lines.ts';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const prose = (subject: string) =>
  `<p>A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.</p>`;
const read = (html: string) =>
  readHtml(
    `<html><body><div><h1>Mills</h1>${prose('wheat')}${html}${['rye', 'oats', 'rice'].map(prose).join('')}</div></body></html>`,
    'https://forum.example/threads/mills.1/',
  ).markdown;

test('template placeholders that a script should fill are removed, and placeholders that the text discusses stay', () => {
  const markdown = read(
    `<p>{{ errors[7].message }}</p><ul><li>${prose('rye').repeat(4)}<b>{{ errors[8].message }}</b></li></ul><p>Write <code>{{ name }}</code> there.</p><pre>{{ all }}</pre>`,
  );
  expect(markdown).not.toContain('errors[');
  expect(markdown).toContain('`{{ name }}`');
  expect(markdown).toContain('{{ all }}');
});

test('a date that occurs twice is read once, and table rows stay', () => {
  const markdown = read(
    '<h4>Someone</h4><div><span>Posted 30 October 2025</span></div><div>Posted 30 October 2025</div><p>A mill at sea turns twice a day.</p><table><tr><td>Rye</td><td>12 bushels</td></tr><tr><td>Oats</td><td>12 bushels</td></tr></table>',
  );
  expect(markdown.split('Posted 30 October 2025')).toHaveLength(2);
  expect(markdown.split('12 bushels')).toHaveLength(3);
});

test('a letter that replaces an avatar before a name is removed', () => {
  const user = '<div><a href="/u/felix">F</a></div><h4><a href="/u/felix">felixen</a></h4>';
  const pictured =
    '<p><a href="/u/jon"><img src="/jon.png" alt="jon">J</a></p><p><a href="/u/jon">jonb</a> wrote</p>';
  const markdown = read(`${pictured}<p>See plan <a href="/b">B</a>.</p>${user}`);
  expect(markdown).not.toContain('[F]');
  expect(markdown).toContain('[felixen]');
  expect(markdown).not.toContain('J]');
  expect(markdown).toContain('[jonb]');
  expect(markdown).toContain('[B]');
});

test('words that only a style sheet separates are not joined into one word', () => {
  const markdown = read(
    '<p><span>SKU: NKZ5</span><span>MFR: 2020</span> <a href="/a">$0 to $25 (39)</a><a href="/b">$25 to $50</a> Java<span>Script</span> <span>Mc</span><b>Donald</b></p><p><code><span>get</span><span>Name</span></code></p>',
  );
  expect(markdown).toContain('NKZ5 MFR');
  expect(markdown).toMatch(/\(39\)\S* \[/);
  expect(markdown).toContain('JavaScript');
  expect(markdown).toContain('Mc**Donald');
  expect(markdown).toContain('`getName`');
});

test('data that only scripts read is removed, and text about it stays', () => {
  const data = JSON.stringify({ painter: 'Grid', asins: Array.from({ length: 60 }, (_, i) => i) });
  const markdown = read(
    `${prose('millet').repeat(20)}<div>${data}</div><p>As <code>${data}</code> says.</p><div>0f8fad5b-d9cb-469f-a165-70867728950e</div><p>Embed <code>&lt;iframe src="https://a.example/p"&gt;&lt;/iframe&gt;</code></p><a href="#main">Skip to main content</a><p>Skip to the <a href="#end">end</a>.</p><img src="/a.png" alt="null">`,
  );
  expect(markdown.split('"painter"')).toHaveLength(2);
  expect(markdown).not.toMatch(/0f8fad5b|iframe|main content|null/);
  expect(markdown).toContain('Skip to the');
});

test('rules, items and headings without content around them are removed', () => {
  const markdown = read(
    `<hr><hr><ul><li></li><li><hr>Rye</li><li> <hr> </li></ul><ol><li></li><li></li></ol><ol><li></li><li>Oats</li></ol><h2>Mills by the sea</h2><h3><a href="/sea">Mills by the sea</a></h3><p>They turn.</p><h2>Mills by the sea</h2><p>They stand.</p><div><hr></div><hr>`,
  );
  expect(markdown.split('---')).toHaveLength(3);
  expect(markdown).toMatch(/- Rye\n\n1\. Oats/);
  expect(markdown.split('Mills by the sea')).toHaveLength(3);
});

test.each([
  ['© 2026 Quay Ltd', true],
  ['Copyright: Ida Berg, 2026', true],
  ['© 2026 by the harbour of the valley and all of its many guests. All rights reserved.', true],
  ['(c) 2009 The Harbour Daily of the Northern Coast and its Islands Press.', true],
  ['© 2026 Harbour Daily, the newspaper of the valley and all of its many islands', true],
  ['© 2026 Quay Ltd, AT&T and R&D; the boats shown here were built by hand in the yard.', false],
  ['Copyright law has changed since then, and the keeper may now sell his own pictures.', false],
])('a copyright line is short or names rights, and a sentence is text: %s', (line, isBoilerplate) => {
  expect(isBoilerplateLine(line, 0)).toBe(isBoilerplate);
});

test.each([
  'View this email in your browser',
  'Open de nieuwsbrief in je browser',
  'Newsletter im Browser ansehen',
  'Voir ce message dans votre navigateur',
  'Ver este boletín en el navegador',
  'Visualizza nel browser',
  'Zobacz tę wiadomość w przeglądarce',
  'Läs brevet i din webbläsare',
  'Открыть письмо в браузере',
  'ブラウザで表示する',
  '在浏览器中查看',
])(
  'the link of a newsletter to its page is boilerplate, and the same words in a text are not: %s',
  (line) => {
    expect(isBoilerplateLine(line, 1)).toBe(true);
    expect(isBoilerplateLine(line, 0)).toBe(false);
  },
);

test('counts of readers under a text in Chinese are boilerplate', () => {
  expect(isBoilerplateLine('阅读 2048 赞 12 在看', 0)).toBe(true);
  expect(isBoilerplateLine('阅读是一种习惯', 0)).toBe(false);
});
