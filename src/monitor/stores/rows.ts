/** Text and JSON as every database takes them: without NUL, and whole in Unicode. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function plainJson(value: unknown): string {
  return plainText(JSON.stringify(value));
}
