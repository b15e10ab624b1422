/** Scripts without spaces between words. The index has pairs of their characters instead of words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;
/** Range that contains all scripts without spaces. Testing it first is fast. */
const MAYBE_UNSPACED = /[\u0e00-\uffff]/;
const NOT_ASCII = /[\u0080-\uffff]/;
const RUN = /[\p{L}\p{M}\p{N}]+/gu;
const WORD = /\S+/g;

export function splitTerms(text: string): string[] {
  // Does not normalize ASCII, because normalizing would take most of the time of indexing.
  const plain = (NOT_ASCII.test(text) ? text.normalize('NFKC') : text).toLowerCase();
  const runs = plain.match(RUN) ?? [];
  return MAYBE_UNSPACED.test(plain) ? runs.flatMap(partsOf) : runs;
}

function partsOf(run: string): string[] {
  if (!MAYBE_UNSPACED.test(run)) return [run];
  const out: string[] = [];
  let last = 0;
  for (const match of run.matchAll(UNSPACED)) {
    if (match.index > last) out.push(run.slice(last, match.index));
    const characters = [...match[0]];
    if (characters.length === 1) out.push(match[0]);
    for (let i = 0; i + 1 < characters.length; i++) out.push(`${characters[i]}${characters[i + 1]}`);
    last = match.index + match[0].length;
  }
  if (last < run.length) out.push(run.slice(last));
  return out;
}

export function countWords(text: string): number {
  if (isPlainLine(text)) return countSpaced(text.trim());
  let [count, start, isSpaced] = [0, -1, true];
  for (let at = 0; at <= text.length; at++) {
    const code = at < text.length ? text.charCodeAt(at) : SPACE;
    if (!isWhiteSpace(code)) {
      if (start < 0) start = at;
      if (code >= THAI && !isPunctuation(code)) isSpaced = false;
    } else if (start >= 0) {
      count += isSpaced ? 1 : weigh(text.slice(start, at));
      [start, isSpaced] = [-1, true];
    }
  }
  return count;
}

function countSpaced(line: string): number {
  if (line === '') return 0;
  let count = 1;
  for (let at = line.indexOf(' '); at >= 0; at = line.indexOf(' ', at + 1)) count++;
  return count;
}

/** Returns true for printable ASCII without double spaces. Callers have a faster path for such lines. */
export const isPlainLine = (text: string): boolean => !NOT_PLAIN.test(text);

const NOT_PLAIN = /[^ -~]| {2}/;
const SPACE = 0x20;
const THAI = 0xe00;

export function isWhiteSpace(code: number): boolean {
  if (code < 0x80) return code === SPACE || (code >= 9 && code <= 13);
  return code === 0xa0 || (code >= 0x1680 && /\s/.test(String.fromCharCode(code)));
}

const isPunctuation = (code: number): boolean => code >= 0x2000 && code < 0x2e80;

/** Returns the first `limit` UTF-16 units of a text. A surrogate pair that crosses the limit is left out. */
export function takeCharacters(text: string, limit: number): string {
  const cut = text.length > limit ? text.slice(0, limit).replace(/[\ud800-\udbff]$/, '') : text;
  return cut.toWellFormed();
}

export function takeWords(text: string, limit: number): string {
  let left = limit;
  for (const match of text.matchAll(WORD)) {
    const weight = weigh(match[0]);
    if (weight <= left) {
      left -= weight;
      continue;
    }
    if (weight === 1 || left <= 0) return text.slice(0, match.index).trimEnd();
    return text.slice(0, match.index) + takeWeighed(match[0], left);
  }
  return text;
}

function weigh(word: string): number {
  if (/^[\x20-\x7e]*$/.test(word)) return 1;
  let characters = 0;
  const spaced = word.replace(UNSPACED, (run) => {
    characters += [...run].length;
    return '';
  });
  return characters === 0 ? 1 : characters + (/[\p{L}\p{N}]/u.test(spaced) ? 1 : 0);
}

function takeWeighed(word: string, limit: number): string {
  let [end, used, spaced] = [0, 0, false];
  for (const character of word) {
    if (character.search(UNSPACED) === 0) used++;
    else if (!spaced && /[\p{L}\p{N}]/u.test(character)) {
      spaced = true;
      used++;
    }
    if (used > limit) break;
    end += character.length;
  }
  return word.slice(0, end);
}
