/** Matches zero-width and direction-changing characters, and the tag characters that can spell hidden text. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
