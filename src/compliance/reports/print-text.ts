/** Characters beyond Latin-1 in PDF's standard fonts (WinAnsi encoding). */
const WIN_ANSI = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
/** Matches invisible characters, which could make a path look like another path. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Replaces each invisible character by its code point, for example `[U+202E]`. */
export const escapeInvisibleCharacters = (text: string): string =>
  text
    .replace(UNSEEN, (character) => `[U+${numberOf(character).toUpperCase()}]`)
    .replace(/[\s\p{Cc}]+/gu, ' ');

/** Replaces characters that PDF fonts lack. `lost` is how many became codes such as `\u65e5`. */
export function toPrintable(text: string): { readonly text: string; readonly lost: number } {
  let lost = 0;
  const written: string[] = [];
  // The fonts lack the non-breaking hyphen, but a plain hyphen has the same shape.
  for (const character of escapeInvisibleCharacters(text).replace(/[\u2010\u2011]/g, '-')) {
    if (has(character)) written.push(character);
    else {
      const plain = [...character.normalize('NFKD')].filter(has).join('');
      if (plain === '') lost++;
      written.push(plain || `\\u${numberOf(character)}`);
    }
  }
  return { text: written.join(''), lost };
}

function has(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || WIN_ANSI.has(character);
}

const numberOf = (character: string): string => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
