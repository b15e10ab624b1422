import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

const word = fc.constantFrom(
  ...'tide mill sea gate pond wheel corn moon coast 東京 миля مد sluice water, stone. (old) *new* [sea](https://x.example/a) 1871 Ada'.split(
    ' ',
  ),
);
const words = (most: number) =>
  fc.array(word, { minLength: 1, maxLength: most }).map((list) => list.join(' '));

const block = fc.oneof(
  { weight: 4, arbitrary: words(60) },
  fc.tuple(fc.integer({ min: 1, max: 6 }), words(4)).map(([level, text]) => `${'#'.repeat(level)} ${text}`),
  words(3).map((text) => `${text}\n===`),
  words(5).map((text) => `${text}:`),
  fc
    .array(fc.tuple(fc.integer({ min: 0, max: 3 }), words(12)), { minLength: 1, maxLength: 8 })
    .map((items) => items.map(([depth, text]) => `${'  '.repeat(depth)}- ${text}`).join('\n')),
  fc
    .array(fc.tuple(words(2), words(3)), { maxLength: 30 })
    .map((rows) => ['| a | b |', '| --- | --- |', ...rows.map(([a, b]) => `| ${a} | ${b} |`)].join('\n')),
  words(5).map((text) => `\`\`\`js\n${text}\n\n# not a heading\n\`\`\``),
  words(5).map((text) => `$$\n${text}\n$$`),
  words(30).map((text) => `> ${text}\n>\n> ${text}`),
  words(6).map((text) => `[^1]: ${text}`),
  words(4).map((text) => `Term\n\n: ${text}`),
  words(2).map((text) => `![${text}](https://x.example/i.png)`),
  fc.constant('* * *'),
);

/** Markdown of headings, paragraphs, lists, tables, code, math, quotes, notes, definitions and rules, in any order. */
export const markdownDocument = fc.array(block, { maxLength: 40 }).map((blocks) => blocks.join('\n\n'));

/** Any text at all: lone surrogates, control characters, and the characters that Markdown is made of. */
export const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 400 }),
  fc
    .array(fc.constantFrom(...'#|`~>-*[]()$:\\!_^ \t\n\r"1.a\ud800\udc00東'.split('')), { maxLength: 400 })
    .map((characters) => characters.join('')),
  markdownDocument,
);

/** Whether all of `part` stands in `whole`, in this order. */
export function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const one of whole) if (one === part[at]) at++;
  return at === part.length;
}
