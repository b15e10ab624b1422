/** Zero-width, direction-changing and tag characters, but not the joiners U+200C and U+200D, which Persian and emoji need. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export function withoutInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

/** White space, control characters, and characters that stand for nothing that a reader sees, such as U+200B and U+2800. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** True if nothing of the text can be seen. */
export function isBlankText(text: string): boolean {
  return !VISIBLE.test(text);
}
