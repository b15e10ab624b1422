/**
 * Zero-width and direction-changing characters, and the tag characters that spell invisible text. The joiners of
 * Persian, Indic scripts and emoji (U+200C, U+200D) are none of them.
 */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** `text` without characters by which it could say to a model what no reader sees. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
