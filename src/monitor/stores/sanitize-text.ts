/** Removes NUL characters and unpaired surrogates, which databases cannot store. */
export function sanitizeText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function toSanitizedJson(value: unknown): string {
  return sanitizeText(JSON.stringify(value));
}
