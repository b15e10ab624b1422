/** Returns the letters and digits of a text in lower case, without spaces. */
export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
