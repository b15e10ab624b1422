/**
 * Zero-width and direction-changing characters, and tag characters, which can spell invisible text. The joiners U+200C and U+200D
 * are not included, since Persian, Indic scripts and emoji need them.
 */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/** Removes characters that could carry text to a model that human readers do not see. */
export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}
