/** Returns text that every database accepts: without NUL and with well-formed Unicode. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function plainJson(value: unknown): string {
  return plainText(JSON.stringify(value));
}
