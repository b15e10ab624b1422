/** Characters besides Latin-1 that the standard fonts of PDF have (WinAnsi encoding). */
const WIN_ANSI = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');
/** Characters that show nothing, or turn the text around them: a path can look like another by them. */
const UNSEEN = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/** Text in one line, in which nothing is hidden: what shows nothing is written by its number, as `[U+202E]`. */
export function visible(text: string): string {
  return text
    .replace(UNSEEN, (character) => `[U+${numberOf(character).toUpperCase()}]`)
    .replace(/[\s\p{Cc}]+/gu, ' ');
}

/**
 * Text as the standard fonts of PDF can write it: accents that they lack are dropped, anything else is written by its
 * number (`\u65e5`), so that different names stay different. `lost`: how many are.
 */
export function printable(text: string): { readonly text: string; readonly lost: number } {
  let lost = 0;
  const written: string[] = [];
  // A hyphen at which no line breaks, and one that is always a hyphen, look as the plain one does.
  for (const character of visible(text).replace(/[\u2010\u2011]/g, '-')) {
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

function numberOf(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
}
