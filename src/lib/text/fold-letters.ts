import letters from './typed-letters.json' with { type: 'json' };

const MARKS = /[\u0300-\u036f]/g;
/** Letters without a Unicode decomposition, such as `ø`, with the letters that people type instead. */
const TYPED: ReadonlyMap<string, string> = new Map(Object.entries(letters));
const SPECIAL = /[øłđðħŧıþæœß]/g;
const ASCII = /^[\x20-\x7e]*$/;

/** Returns a lower-case word with plain letters: accents are removed, and `ø` becomes `o`, for example. */
export function foldLetters(word: string): string {
  if (ASCII.test(word)) return word;
  const plain = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return plain.replace(SPECIAL, (letter) => TYPED.get(letter) ?? letter);
}
