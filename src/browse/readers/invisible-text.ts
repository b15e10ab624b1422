/** Matches zero-width characters, characters that change the text direction, and tag characters, which can spell hidden text. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
