/** Matches invisible characters, except the joiners U+200C and U+200D, which Persian and emoji need. */
const INVISIBLE =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

export const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Matches a visible character. White space, control characters and blanks such as U+2800 are invisible. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

export const isBlankText = (text: string): boolean => !VISIBLE.test(text);
