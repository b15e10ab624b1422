import { expect, test } from 'vitest';
import { excerpt } from '../../../src/search/merging/excerpt.ts';
import { processorSeconds } from '../../helpers/processor-time.ts';

const filler = (words: number) => 'filler '.repeat(words);

test('an excerpt shows the place with the most different terms together', () => {
  const text = `${filler(100)}magpie ${filler(100)}the magpie built a nest of mud ${filler(100)}nest ${filler(100)}`;
  const found = excerpt(text, ['magpie', 'nest', 'mud']);
  expect(found).toContain('the magpie built a nest of mud');
  expect(found).toMatch(/^… filler/);
  expect(found).toMatch(/filler …$/);
  expect(found.replaceAll('…', '').trim().split(' ')).toHaveLength(40);
});

test('an excerpt without a match is the beginning of the text, a short text is shown whole, and an empty text gives an empty excerpt', () => {
  expect(excerpt(`First words ${filler(100)}`, ['magpie'])).toMatch(/^First words filler/);
  expect(excerpt('Just this.', ['magpie'])).toBe('Just this.');
  expect(excerpt(' \n ', ['magpie'])).toBe('');
});

test.each([
  ['[a link](https://x.example/y_(z) "title")', 'a link'],
  ['![alt](pic.png) after', 'alt after'],
  ['[![alt](pic.png)](https://x.example/)', 'alt'],
  ['## Heading', 'Heading'],
  ['- item\n- *item* two', 'item item two'],
  ['1. first', 'first'],
  ['> quoted', 'quoted'],
  ['**bold**, _slanted_ and `code`', 'bold, slanted and code'],
  ['snake_case_name stays', 'snake_case_name stays'],
  ['a \\*star\\* and \\_line\\_', 'a *star* and _line_'],
  ['```js\nrun();\n```', 'run();'],
  ['| a | b |\n| --- | :-: |\n| c | d |', 'a b c d'],
  ['array[0] and [1]', 'array[0] and [1]'],
])('Markdown marks are removed: %j', (markdown, plain) => {
  expect(excerpt(markdown, [])).toBe(plain);
});

test('a text without spaces is cut near the terms, too', () => {
  const text = `${'これは文章です。'.repeat(300)}喜鹊が巣を作る。${'終わりです。'.repeat(300)}`;
  const found = excerpt(text, ['喜鹊']);
  expect(found).toContain('喜鹊が巣を作る');
  expect(found.length).toBeLessThan(60);
});

test('an endless word does not make an endless excerpt', () => {
  const found = excerpt(`${'x'.repeat(100_000)} magpie`, ['magpie']);
  expect(found.length).toBeLessThan(700);
});

test.each([
  ['brackets', '['.repeat(120_000)],
  ['empty lines', '\n'.repeat(120_000)],
  ['links that do not end', '[a]('.repeat(30_000)],
  ['lines under', `a${'_'.repeat(119_000)}a`],
  ['bars', '| '.repeat(60_000)],
  ['marks', '> - '.repeat(30_000)],
  ['backslashes', '\\'.repeat(120_000)],
  ['ticks', '`'.repeat(120_000)],
])('hostile text costs no more than other text: %s', (_, text) => {
  // Quadratic patterns take over 5 s here.
  expect(processorSeconds(() => excerpt(text, ['magpie']))).toBeLessThan(2);
});

test('a match is found anywhere in a long text, and whole words are preferred to words with the same beginning', () => {
  const long = (middle: string) =>
    `${'Other birds nested. '.repeat(2000)}${middle} ${'More text follows. '.repeat(2000)}`;
  expect(excerpt(long('A magpie built her nest of mud.'), ['magpie', 'nest', 'mud'])).toContain(
    'A magpie built her nest of mud.',
  );
  // A word in another form is found too.
  expect(excerpt(long('The wagtails were counted.'), ['wagtail'])).toContain('The wagtails were counted.');
  expect(excerpt(long('One magpie was seen.'), ['magpies'])).toContain('One magpie was seen.');
  expect(excerpt(long('一只喜鹊在树上筑巢。'), ['喜鹊', '筑巢'])).toContain('一只喜鹊在树上筑巢');
  expect(excerpt(long('Ｔｈｅ ｍａｇｐｉｅ in full width.'), ['magpie'])).toContain('in full width');
  // At the very end, and between the halves of a character.
  expect(excerpt(`${'🐦'.repeat(5000)}magpie`, ['magpie']).isWellFormed()).toBe(true);
  expect(excerpt(`${'filler '.repeat(5000)}last magpie`, ['magpie'])).toMatch(/^… .*last magpie$/);
});

test('excerpts of ten pages of 100,000 characters take little time', () => {
  const text = `${'the common words of every page are here again '.repeat(2200)} the magpie`;
  const work = () => {
    for (let i = 0; i < 10; i++) excerpt(text, ['the', 'common', 'words', 'magpie']);
  };
  // Some 20 ms; a close reading of all of each text takes ten times as long.
  expect(processorSeconds(work)).toBeLessThan(1);
});
