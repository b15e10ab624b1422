const MARKS = /[\u0300-\u036f]/g;
/** Letters such as `ø` that Unicode does not decompose, and how people type them. */
const TYPED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ŧ: 't',
    ı: 'i',
    þ: 'th',
    æ: 'ae',
    œ: 'oe',
    ß: 'ss',
  }),
);
const SPECIAL = /[øłđðħŧıþæœß]/g;
const ASCII = /^[\x20-\x7e]*$/;

/** Returns a word in lower case without accents, with `o` for `ø` and the like. */
export function foldLetters(word: string): string {
  if (ASCII.test(word)) return word;
  const plain = word.normalize('NFD').replace(MARKS, '').normalize('NFC');
  return plain.replace(SPECIAL, (letter) => TYPED.get(letter) ?? letter);
}
