import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  extractWrittenUrl,
  otherWrittenUrl,
  understandLink,
} from '../../../src/lib/network/written-address.ts';

const PAGE = 'https://example.org/x';

test.each([
  'https://example.org/x',
  'example.org/x',
  '//example.org/x',
  '  https://example.org/x\n',
  '\ufeffexample.org/x\u200b',
  '<https://example.org/x>',
  '<example.org/x>',
  '< https://example.org/x >',
  '<URL:https://example.org/x>',
  '[the page](https://example.org/x)',
  '[https://example.org/x](https://example.org/x)',
  '![picture](https://example.org/x "a title")',
  '[the page](<https://example.org/x>)',
  '"https://example.org/x"',
  "'https://example.org/x'",
  '`https://example.org/x`',
  '“https://example.org/x”',
  '**https://example.org/x**',
  '(https://example.org/x)',
  'https://example.org/x)',
  '(https://example.org/x',
  '"https://example.org/x',
  '"(https://example.org/x)."',
  '"https://example.org/x",',
  '[the page](https://example.org/x).',
  '(<https://example.org/x>).',
  'https: //example.org/x',
])('%j is the page', (text) => {
  expect(extractWrittenUrl(text)).toBe(PAGE);
});

test.each([
  'https://example.org/x.',
  'https://example.org/x,',
  'https://example.org/x;',
  'https://example.org/x:',
  'https://example.org/x...',
  'https://example.org/x).',
  'https://example.org/x**',
])('%j is asked for as it is, and where a site does not know it, as the page', (text) => {
  expect([text, `<${text}>`, `[a](${text})`].map(extractWrittenUrl)).toEqual([text, text, text]);
  expect(otherWrittenUrl(text)).toBe(PAGE);
});

test('an escaped ampersand stands before the name of a parameter, else it may be meant', () => {
  const [escaped, meant] = ['https://example.org/a?b=1&amp;c=2', 'https://example.org/AT&amp;T'];
  expect(extractWrittenUrl(escaped)).toBe('https://example.org/a?b=1&c=2');
  expect(extractWrittenUrl(meant)).toBe(meant);
  expect(otherWrittenUrl(meant)).toBe('https://example.org/AT&T');
});

test.each([
  PAGE,
  'https://example.org/',
  'https://en.wikipedia.org/wiki/Quay_(harbour)',
  'https://example.org/x?y=a&b=c',
])('%s has no other meaning', (address) => {
  expect(otherWrittenUrl(address)).toBeUndefined();
});

test.each([
  ['[Plan, ask Bob](https://example.org/x)', ['Plan, ask Bob']],
  ['**[Plan](<https://example.org/x> "until June")**.', ['Plan', 'until June']],
  ["![a wheel](https://example.org/x 'of oak')", ['a wheel', 'of oak']],
  ['[example.org/x](https://example.org/x)', []],
  ['[ ](https://example.org/x)', []],
  ['<https://example.org/x>', []],
])('%j is a link with the words %j', (text, words) => {
  expect(understandLink(text)).toEqual({ address: PAGE, words });
});

test.each([
  ['https://en.wikipedia.org/wiki/Quay_(harbour)', 'https://en.wikipedia.org/wiki/Quay_(harbour)'],
  ['(https://en.wikipedia.org/wiki/Quay_(harbour))', 'https://en.wikipedia.org/wiki/Quay_(harbour)'],
  ['[a](https://en.wikipedia.org/wiki/Quay_(harbour))', 'https://en.wikipedia.org/wiki/Quay_(harbour)'],
  ['https://en.wikipedia.org/wiki/Apple_Inc.', 'https://en.wikipedia.org/wiki/Apple_Inc.'],
  ['https://en.wikipedia.org/wiki/Washington,_D.C.', 'https://en.wikipedia.org/wiki/Washington,_D.C.'],
  ['en.wikipedia.org/wiki/Talk:', 'https://en.wikipedia.org/wiki/Talk:'],
  ['https://example.org.', 'https://example.org'],
  ['https://example.org:', 'https://example.org'],
  ['https://en.wikipedia.org/wiki/Yahoo!', 'https://en.wikipedia.org/wiki/Yahoo!'],
  ['https://example.org/a?b=1&amp;c=2', 'https://example.org/a?b=1&c=2'],
  ['https://example.org/a\\_b', 'https://example.org/a_b'],
  ['https://example.org/a[1]', 'https://example.org/a[1]'],
  ['www.example.org', 'https://www.example.org'],
  ['example.org.', 'https://example.org'],
  ['bücher.example', 'https://bücher.example'],
  ['例え.テスト/道', 'https://例え.テスト/道'],
  ['example.org:8080/x', 'http://example.org:8080/x'],
  ['example.org:8443', 'https://example.org:8443'],
  ['127.0.0.1:3000/x', 'http://127.0.0.1:3000/x'],
  ['localhost/x', 'http://localhost/x'],
  ['HTTP://EXAMPLE.ORG/', 'HTTP://EXAMPLE.ORG/'],
  ['www.readme.md', 'https://www.readme.md'],
  ['hackmd.io/readme.md', 'https://hackmd.io/readme.md'],
])('%j is %s', (text, address) => {
  expect(extractWrittenUrl(text)).toBe(address);
});

test.each([
  '',
  'readme.md',
  'report.pdf',
  'main.py',
  'someone@example.org',
  'mailto:someone@example.org',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'ftp://example.org/x',
  'quay',
  'two words',
  'see https://example.org/x',
  'https://example.org/x https://example.org/y',
  'C:\\files\\a.txt',
  './notes/a.b/c',
  '/etc/passwd',
  'example..org',
  '1.5',
  'http://',
  'x'.repeat(20_000),
])('%j is no single address', (text) => {
  expect(extractWrittenUrl(text)).toBeUndefined();
});

test.each([
  'https://www.google.com/search?q="exact phrase"',
  'https://web.archive.org/web/*/https://example.com/*',
  'https://example.org/?q=**bold**',
])('%s keeps its own signs', (address) => {
  expect(extractWrittenUrl(address)).toBe(address);
});

test('an address stays itself, and so does what is understood', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
      const once = extractWrittenUrl(url);
      expect(once === undefined ? undefined : extractWrittenUrl(once)).toBe(once);
      if (/[\w/]$/.test(url) && !url.includes('&amp;')) expect(once).toBe(url);
      if (/[\w/]$/.test(url) && !url.includes('&amp;')) expect(extractWrittenUrl(`<${url}>.`)).toBe(url);
    }),
    { seed: 38, numRuns: 1000 },
  );
});

test('any text is answered, and what is understood is http or https', () => {
  const parts = fc.constantFrom(
    '<',
    '>',
    '(',
    ')',
    '[',
    ']',
    '"',
    'https://',
    'a.b',
    '/',
    '.',
    ',',
    ' ',
    '\\',
    '@',
    ':',
    '*',
    '&amp;',
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 40 }), (words) => {
      const found = extractWrittenUrl(words.join(''));
      expect(found === undefined || /^https?:$/.test(new URL(found).protocol)).toBe(true);
    }),
    { seed: 38, numRuns: 2000 },
  );
});
