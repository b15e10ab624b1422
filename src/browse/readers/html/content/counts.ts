export const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

export class TextCounts {
  chars = 0;
  words = 0;
  digits = 0;
  upper = 0;
  titled = 0;
  sentences = 0;
  commas = 0;
  marks = 0;
  money = 0;
  hash = FNV_START;
  /** Code of the last character that is not white space, or 1 if white space followed the end of a sentence. */
  last = 0;
}

export const MAX_COUNTED_TOKENS = 12;
const NUMBER_TOKEN = 48;

interface WordState {
  open: boolean;
  numeric: boolean;
  hash: number;
}

export function countTextFeatures(text: string, into: TextCounts, tokens: number[]): void {
  const word: WordState = { open: false, numeric: true, hash: FNV_START };
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 0xa0) {
      endWord(word, tokens);
      countSpace(code, into);
      continue;
    }
    into.chars++;
    into.hash = hashNumber(into.hash, code);
    into.last = code;
    if (isWordChar(code)) {
      countLetter(code, into, word);
      if (code >= 0x3040 && code < 0xd7b0) endWord(word, tokens);
    } else {
      endWord(word, tokens);
      countMark(code, into);
    }
  }
  endWord(word, tokens);
}

function endWord(word: WordState, tokens: number[]): void {
  if (!word.open) return;
  word.open = false;
  if (tokens.length < MAX_COUNTED_TOKENS) tokens.push(word.numeric ? NUMBER_TOKEN : word.hash >>> 0);
}

function countSpace(code: number, into: TextCounts): void {
  const ends = isSentenceEnd(into.last);
  if (ends && code !== 0xa0) into.sentences++;
  into.hash = hashNumber(into.hash, 32);
  if (ends) into.last = 1;
}

function countLetter(code: number, into: TextCounts, word: WordState): void {
  const upper =
    (code >= 65 && code <= 90) || (code >= 0xc0 && code <= 0xde) || (code >= 0x410 && code <= 0x42f);
  if (!word.open) {
    word.open = true;
    word.numeric = true;
    word.hash = FNV_START;
    into.words++;
    if (upper) into.titled++;
  }
  if (code >= 48 && code <= 57) into.digits++;
  else word.numeric = false;
  if (upper) into.upper++;
  word.hash = hashNumber(word.hash, code >= 65 && code <= 90 ? code + 32 : code);
}

export function isSentenceEnd(code: number): boolean {
  return code === 46 || code === 33 || code === 63 || code === 0x3002 || code === 0xff01 || code === 0xff1f;
}

function countMark(code: number, into: TextCounts): void {
  if (code === 44 || code === 0x3001 || code === 0xff0c || code === 0x60c) into.commas++;
  else if (code === 36 || (code >= 0xa2 && code <= 0xa5) || (code >= 0x20a0 && code <= 0x20cf)) into.money++;
  else if (code !== 46) into.marks++;
}

function isWordChar(code: number): boolean {
  if (code < 128)
    return (
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
    );
  if (code < 0xc0) return code === 0xaa || code === 0xb5 || code === 0xba;
  if (code === 0xd7 || code === 0xf7) return false;
  if (code >= 0x2000 && code < 0x2c00) return false;
  return (
    !(code >= 0x3000 && code < 0x3005) &&
    !(code >= 0x3008 && code < 0x3020) &&
    !(code >= 0xff00 && code < 0xff10)
  );
}

export function hashNumber(hash: number, value: number): number {
  return Math.imul(hash ^ value, FNV_PRIME);
}

export function hashText(hash: number, text: string): number {
  let mixed = hash;
  for (let i = 0; i < text.length; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), FNV_PRIME);
  return mixed;
}
