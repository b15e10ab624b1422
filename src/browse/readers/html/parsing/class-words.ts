import { mapWordsToKeys } from '../../../../lib/text/word-table.ts';
import WORDS from './class-words.json' with { type: 'json' };
import type { HtmlElement } from './node.ts';

const MAX_CHARS = 300;
const MAX_TOKENS = 8;
/** Matches class names that describe only style, for example `mt-4`, `md:flex`, `text-sm` and `w-1/2`. */
const STYLE =
  /[:/[\]%!]|^(?:[a-z]{1,2}|text|font|bg|border|flex|grid|col|row|gap|space|leading|tracking|items|justify|align|float|clear|pull|order|rounded|shadow|overflow|min|max)-(?:[a-z]{1,6}|[\d.]+|[a-z]+-\d+)$|^(?:flex|grid|block|inline|relative|absolute|truncate|clearfix|group|uppercase|bold)$/;
const { namedBy: NAMED_BY } = WORDS;

export function splitClassNames(element: HtmlElement): string[][] {
  const { attributes } = element;
  const tokens = NAMED_BY.flatMap((name) => (attributes[name] ?? '').slice(0, MAX_CHARS).split(/\s+/));
  return tokens
    .filter((token) => token.length > 1 && !STYLE.test(token))
    .slice(0, MAX_TOKENS)
    .map((token) =>
      token
        .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
        .toLowerCase()
        .split(/[^\p{L}]+/u)
        .filter((word) => word.length > 1),
    )
    .filter((words) => words.length > 0);
}

const BOX = new Set(WORDS.box.split(' '));

export function fieldNamesOf(
  tokens: readonly (readonly string[])[],
  record: ReadonlySet<string>,
): string[][] {
  return tokens.map((words) => {
    const kept = words.filter((word) => !BOX.has(word) && !record.has(word));
    return kept.length > 0 ? kept : words.slice(-1);
  });
}

const KINDS = mapWordsToKeys(WORDS.kinds);
const FORMER = new Set(WORDS.former.split(' '));

export function fieldKindOf(words: readonly string[]): string | undefined {
  return KINDS.get(words.at(-1) ?? '') ?? KINDS.get(words[0] ?? '');
}

export function isOutdatedValue(tokens: readonly (readonly string[])[]): boolean {
  return tokens.some(
    (words) =>
      words.join('').endsWith('listprice') ||
      (words.some((word) => FORMER.has(word)) &&
        (words.length === 1 || words.some((word) => KINDS.get(word) === 'price'))),
  );
}

/** An item with a class such as `user-review` belongs to a list, even if no other item exists. */
const RECORD_WORDS = new Set('review comment answer testimonial reply'.split(' '));

export function isRecordName(tokens: readonly (readonly string[])[]): boolean {
  return tokens.some((words) => RECORD_WORDS.has(words.at(-1) ?? ''));
}
