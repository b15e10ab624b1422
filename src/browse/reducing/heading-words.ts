import { stem } from '../../lib/text/stem.ts';

/** A word, a number, or a single character of a script without spaces. */
export interface HeadingWord {
  readonly text: string;
  readonly stem: string;
  /** The number's value, for example `4` for 4, 04, ٤, IV and 四, or `2.1` for 2.1. */
  readonly number?: string;
  /** Set if the number is written in digits or Chinese numerals. Roman numerals may be words, such as `I`. */
  readonly digits?: true;
  /** Set for a part of a sequence of letters and digits, for example the 2 in B2. */
  readonly inside?: true;
  readonly first?: true;
}

/** Matches letters and digits, including the points in 2.1 and the signs in C++ and C#. */
const RUN = /(?:[\p{L}\p{M}\p{N}]|(?<=\p{Nd})\.(?=\p{Nd}))+(?:(?<=\p{L})(?:\+\+|#))?/gu;
const PIECE =
  /\p{Nd}+(?:\.\p{Nd}+)*|[〇零一二三四五六七八九十百千]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?!\p{Nd})[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])+/gu;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const ROMAN = /^(?:c{1,3}(?=.))?(?:xc|xl|l(?=.)|lx{1,3}|x{0,3})(?:ix|iv|v?i{0,3})$/;
const ROMAN_VALUES: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };
const HAN_DIGITS = '〇一二三四五六七八九';
const HAN_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1000 };

export function splitHeadingWords(text: string): HeadingWord[] {
  const plain = text.normalize('NFKC');
  return [...plain.matchAll(RUN)].flatMap(({ 0: run, index }) => {
    const goesOn = /^\s+\p{Ll}/u.test(plain.slice(index + run.length, index + run.length + 20));
    return [...run.matchAll(PIECE)].map(({ 0: piece, index: at }) => {
      const text = foldCaseAndAccents(piece);
      // `I` before another word is a pronoun and not a Roman numeral, for example in "What I learned".
      const mayBeRoman = piece === run && !(text === 'i' && goesOn);
      return wordOf(piece, text, at, mayBeRoman ? romanNumber(text) : undefined);
    });
  });
}

function wordOf(piece: string, text: string, at: number, roman: string | undefined): HeadingWord {
  const number = digitsOf(piece) ?? hanNumber(piece);
  return {
    text,
    stem: stem(text),
    number: number ?? roman,
    digits: number === undefined ? undefined : true,
    inside: at > 0 && !UNSPACED.test(piece) ? true : undefined,
    first: at === 0 ? true : undefined,
  };
}

export function foldCaseAndAccents(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu, '$1');
  return plain.normalize('NFKC').toUpperCase().toLowerCase();
}

export function isSameWord(a: HeadingWord, b: HeadingWord): boolean {
  return a.text === b.text || (a.number !== undefined && a.number === b.number);
}

function digitsOf(piece: string): string | undefined {
  if (!/^\p{Nd}/u.test(piece)) return undefined;
  const digits = piece.replace(/\p{Nd}/gu, (digit) => String(digitValue(digit)));
  return digits.replace(/^0+(?=\d)/, '');
}

function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(code - value - 1))) value++;
  return value;
}

function hanNumber(piece: string): string | undefined {
  if (!/^[〇零一二三四五六七八九十百千]+$/.test(piece)) return undefined;
  let [sum, digit, units] = [0, 0, false];
  for (const character of piece.replaceAll('零', '〇')) {
    const unit = HAN_UNITS[character];
    if (unit === undefined) {
      digit = (units ? 0 : digit * 10) + HAN_DIGITS.indexOf(character);
    } else {
      sum += (digit || 1) * unit;
      [digit, units] = [0, true];
    }
  }
  return String(sum + digit);
}

function romanNumber(text: string): string | undefined {
  if (!/^[ivxlc]{1,12}$/.test(text) || !ROMAN.test(text)) return undefined;
  const values = [...text].map((letter) => ROMAN_VALUES[letter] ?? 0);
  return String(values.reduce((sum, value, at) => sum + (value < (values[at + 1] ?? 0) ? -value : value), 0));
}
