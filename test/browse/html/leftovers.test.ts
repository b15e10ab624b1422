import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const prose = (subject: string) =>
  `<p>A tide mill grinds ${subject} by the rise and fall of the sea, which fills a pond and drives a wheel.</p>`;
const read = (html: string) =>
  readHtml(
    `<html><body><div><h1>Mills</h1>${prose('wheat')}${html}${['rye', 'oats', 'rice'].map(prose).join('')}</div></body></html>`,
    'https://forum.example/threads/mills.1/',
  ).markdown;

test('marks that a script was to fill in go, and those that are written about stay', () => {
  const markdown = read(
    '<p>{{ errors[7].message }}</p><p>Write <code>{{ name }}</code> there.</p><pre>{{ all }}</pre>',
  );
  expect(markdown).not.toContain('errors[7]');
  expect(markdown).toContain('`{{ name }}`');
  expect(markdown).toContain('{{ all }}');
});

test('a date that is said twice is read once, and rows of a table stay', () => {
  const markdown = read(
    '<h4>Someone</h4><div><span>Posted 30 October 2025</span></div><div>Posted 30 October 2025</div><p>A mill at sea turns twice a day.</p><table><tr><td>Rye</td><td>12 bushels</td></tr><tr><td>Oats</td><td>12 bushels</td></tr></table>',
  );
  expect(markdown.split('Posted 30 October 2025')).toHaveLength(2);
  expect(markdown.split('12 bushels')).toHaveLength(3);
});

test('a letter in place of a picture of someone goes, before the name', () => {
  const user = '<div><a href="/u/felix">F</a></div><h4><a href="/u/felix">felixen</a></h4>';
  const markdown = read(`<p>See plan <a href="/b">B</a>.</p>${user}`);
  expect(markdown).not.toContain('[F]');
  expect(markdown).toContain('[felixen]');
  expect(markdown).toContain('[B]');
});

test('words that a style sheet sets apart are no one word', () => {
  const markdown = read(
    '<p><span>SKU: NKZ5</span><span>MFR: 2020</span> <a href="/a">$0 to $25 (39)</a><a href="/b">$25 to $50</a> Java<span>Script</span> <span>Mc</span><b>Donald</b></p><p><code><span>get</span><span>Name</span></code></p>',
  );
  expect(markdown).toContain('NKZ5 MFR');
  expect(markdown).toMatch(/\(39\)\S* \[/);
  expect(markdown).toContain('JavaScript');
  expect(markdown).toContain('Mc**Donald');
  expect(markdown).toContain('`getName`');
});
