import { expect, test } from 'vitest';
import { readHtml } from '../../../../src/browse/readers/html.ts';

const PROSE =
  '<p>A tide mill grinds grain by the rise and fall of the sea, which fills a pond and drives a wheel.</p>';
const read = (html: string) =>
  readHtml(
    `<html><head><title>Mills</title></head><body><article><h1>Mills at sea</h1>${PROSE.repeat(4)}${html}${PROSE}</article></body></html>`,
    'https://s.example/',
  ).markdown;

const items = '<li>Rye</li><li value="4">Oats</li>';
test.each([
  ['type="a"', 'a. Rye', 'd. Oats'],
  ['type="A"', 'A. Rye', 'D. Oats'],
  ['type="i"', 'i. Rye', 'iv. Oats'],
  ['type="I" start="3"', 'III. Rye', 'IV. Oats'],
  ['style="list-style-type: lower-alpha"', 'a. Rye', 'd. Oats'],
  ['style="margin:0;list-style: outside upper-roman"', 'I. Rye', 'IV. Oats'],
])('items have the letters that the reader sees: %s', (attributes, ...lines) => {
  for (const line of lines) expect(read(`<ol ${attributes}>${items}</ol>`)).toContain(`\n- ${line}`);
});

test.each([
  ['a', 26, 'z'],
  ['a', 28, 'ab'],
  ['A', 703, 'AAA'],
  ['i', 28, 'xxviii'],
])('items of type %s go on after the alphabet: %d is %s', (type, number, mark) => {
  expect(read(`<ol type="${type}" start="${number}"><li>Rye</li></ol>`)).toContain(`\n- ${mark}. Rye`);
});

test('an item that is only a list keeps its number', () => {
  const text = read('<ol><li>Rye</li><li><ol><li>Oats</li><li>Spelt</li></ol></li><li>Wheat</li></ol>');
  expect(text).toMatch(/\n1\. Rye\n2\. 1\. Oats\n {3}2\. Spelt\n3\. Wheat/);
});

test('numbers stay numbers', () => {
  expect(read(`<ol type="1">${items}</ol>`)).toMatch(/\n1\. Rye\n4\. Oats/);
});

test.each([
  ['<sup>1</sup>&frasl;<sub>2</sub>', '1⁄2'],
  ['1 <sup>1</sup>&frasl;<sub>2</sub>', '1 1⁄2'],
  ['1<sup>1</sup>/<sub>2</sub>', '1 1/2'],
  ['<span class="frac"><sup>1</sup><span>&#8260;</span><sub>2</sub></span>', '1⁄2'],
])('fractions are no marks of notes: %s', (html, line) => {
  const text = read(
    `<ul><li>${html} cups of rye</li><li><sup>3</sup>/<sub>4</sub> cup</li><li>${html} spoon</li></ul>`,
  );
  expect(text).toContain(`- ${line} cups of rye\n- 3/4 cup\n- ${line} spoon`);
});

test('tasks that visitors can mark beside fixed ones have their marks', () => {
  const box = (attributes: string, text: string) =>
    `<li><label><input type="checkbox" ${attributes}> ${text}</label></li>`;
  const text = read(`<ul>${box('disabled checked', 'Wheel')}${box('checked', 'Pond')}${box('', 'Dam')}</ul>`);
  expect(text).toContain('- [x] Wheel\n- [x] Pond\n- [ ] Dam');
});

test.each([
  '<p><a href="https://mill.example/plan/2026?a=b">https://mill.example/plan/2026?a=b</a></p>',
  '<p><a href="https://www.mill.example/plan/2026"><span class="invisible">https://www.</span><span>mill.example/plan/2026</span></a></p>',
  '<p><a href="/tags/mills">#<span>mill.example</span></a> <a href="/@ada">@<span>ada</span></a></p>',
])('paragraphs of addresses, tags and names that someone wrote stay: %s', (html) => {
  expect(read(html)).toContain('mill.example');
});

test('paragraphs of other links go', () => {
  expect(read('<div><a href="/a">SEAM of a mill</a> <a href="/b">SEAM of the sea</a></div>')).not.toContain(
    'SEAM',
  );
});

test('the list of an item without words takes its place', () => {
  expect(read('<ul><li><ul><li>one</li><li>two</li></ul></li><li>three</li></ul>')).toContain(
    '\n- one\n- two\n- three',
  );
  expect(read('<ul><li>so:<ul><li>one</li></ul></li></ul>')).toContain('\n- so:\n  - one');
});
