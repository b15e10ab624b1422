/** Zero-width and direction-changing characters, and the tag characters that spell hidden text. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Text as it is seen: without characters that take no room. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
