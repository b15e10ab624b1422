export type WordOffsets = ReadonlyMap<string, readonly number[]>;

/** A set of words to find in texts. A word consists of letters, digits and `_`, and may begin with `$` or be a single `$`. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

/** Start of a line comment: `//` or `#`. With `//`, C-style block comments are skipped too. */
export type CommentSyntax = '//' | '#';

const OTHER = 0;
const WORD = 1;
const DOLLAR = 2;

const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  KINDS[code] = char === '$' ? DOLLAR : /\w/.test(char) ? WORD : OTHER;
}

const kindOf = (code: number): number => (code < 128 ? (KINDS[code] ?? OTHER) : OTHER);

function hashed(text: string, start: number, end: number): number {
  let hash = 0;
  for (let at = start; at < end; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

const NEWLINE = 10;

const SPACE = 32;
const TAB = 9;

function commentSkipper(text: string, comments: CommentSyntax): (line: number) => number {
  // False after an unclosed block comment, because then no later block comment can be closed either.
  let blocks = comments === '//';
  return (line) => {
    for (let start = line; ; ) {
      const at = pastIndent(text, start);
      if (blocks && text.startsWith('/*', at)) {
        const close = text.indexOf('*/', at + 2);
        blocks = close >= 0;
        return blocks ? close + 2 : start;
      }
      if (!text.startsWith(comments, at) || text[at + 1] === '[') return start;
      const close = text.indexOf('\n', at);
      if (close < 0) return text.length;
      start = close + 1;
    }
  };
}

function pastIndent(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code === SPACE || code === TAB; ) code = text.charCodeAt(++at);
  return at;
}

export function withoutCommentLines(text: string, comments: CommentSyntax): string {
  const parts: string[] = [];
  const skip = commentSkipper(text, comments);
  for (let at = 0; at < text.length; ) {
    const from = skip(at);
    const newline = text.indexOf('\n', from);
    const to = newline < 0 ? text.length : newline + 1;
    parts.push(text.slice(from, to));
    at = to;
  }
  return parts.join('');
}

const OPEN_BRACE = 123;

export function createVocabulary(words: Iterable<string>) {
  const known = new Set(words);
  const hashes = new Set([...known].map((word) => hashed(word, 0, word.length)));
  return {
    /** Finds all words in one pass over the text. Skips comments that begin a line. */
    placesIn(text: string, comments: CommentSyntax) {
      const places = new Map<string, number[]>();
      eachWord(text, comments, (start, end, hash) => {
        if (!hashes.has(hash) || isSubstitution(text, start, end)) return;
        const word = text.slice(start, end);
        if (!known.has(word)) return;
        const list = places.get(word);
        if (list) list.push(start);
        else places.set(word, [start]);
      });
      return places;
    },
  };
}

const isSubstitution = (text: string, start: number, end: number): boolean =>
  text.charCodeAt(end) === OPEN_BRACE && end === start + 1 && text[start] === '$';

function eachWord(
  text: string,
  comments: CommentSyntax,
  visit: (start: number, end: number, hash: number) => void,
): void {
  const end = text.length;
  const skip = commentSkipper(text, comments);
  for (let at = skip(0); at < end; ) {
    let code = text.charCodeAt(at);
    if (kindOf(code) === OTHER) {
      at++;
      if (code === NEWLINE) at = skip(at);
      continue;
    }
    const start = at;
    let hash = 0;
    do {
      hash = (Math.imul(hash, 31) + code) | 0;
      code = ++at < end ? text.charCodeAt(at) : 0;
    } while (kindOf(code) === WORD);
    visit(start, at, hash);
  }
}

export const wordsOf = (text: string): string[] => text.match(/\$?\w+|\$/g) ?? [];

export const placesOf = (pattern: RegExp, text: string): number[] =>
  Array.from(text.matchAll(pattern), (match) => match.index);
