import { expect, test } from 'vitest';
import { readHtml } from '../../../src/browse/readers/html.ts';

const TEXT = 'The ferry runs every hour from the old pier, and the last boat leaves at nine in the evening. ';
const read = (line: string) =>
  readHtml(
    `<main><h1>Ferry</h1><p>${TEXT.repeat(6)}</p><p>${line}</p><p>${TEXT.repeat(6)}</p></main>`,
    'https://pier.example/ferry',
  ).markdown;

test.each([
  ['for screen readers', '<span>EUR 163.12<span class="clipped">EUR 163.12</span></span>', 'EUR 163.12'],
  ['for narrow screens', '<span>Half Calf</span><span>Half Calf</span>', 'Half Calf'],
])('text repeated %s is kept once', (_, line, said) => {
  expect(read(line).split(said)).toHaveLength(2);
});

test('of two elements with the same text the link stays', () => {
  const markdown = read('<span>Merino wool</span><a href="/wool">Merino wool</a>');
  expect(markdown.split('Merino wool')).toHaveLength(2);
  expect(markdown).toContain('[Merino wool](https://pier.example/wool)');
});

test.each([
  ['with a gap', 'Very well <span>Very well</span>', 'Very well Very well'],
  ['that are short', 'so<span>so</span>', 'soso'],
  ['that are numbers', '2024<span>2024</span>', '20242024'],
])('words %s stay unchanged', (_, line, said) => {
  expect(read(line)).toContain(said);
});
