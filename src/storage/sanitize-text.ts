/** Removes NUL characters and unpaired surrogates, which databases cannot store. */
export function sanitizeDatabaseText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

export function toSanitizedJson(value: unknown): string {
  return sanitizeDatabaseText(JSON.stringify(value));
}
