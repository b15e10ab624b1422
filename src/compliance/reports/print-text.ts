/** Characters besides Latin-1 that the standard fonts of PDF have (WinAnsi encoding). */
const WIN_ANSI = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/** Text as the standard fonts of PDF can write it: accents that they lack are dropped, anything else shows as `?`. */
export function printable(text: string): { readonly text: string; readonly lost: number } {
  let lost = 0;
  const written: string[] = [];
  for (const character of text.replace(/[\s\p{Cc}]+/gu, ' ')) {
    if (has(character)) written.push(character);
    else {
      const plain = [...character.normalize('NFKD')].filter(has).join('');
      if (plain === '') lost++;
      written.push(plain || '?');
    }
  }
  return { text: written.join(''), lost };
}

function has(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return (code >= 0x20 && code < 0x7f) || (code >= 0xa0 && code <= 0xff) || WIN_ANSI.has(character);
}
