/** Returns a tag as it is stored: on one line, composed, and without the sign that marks tags in texts. */
export function normalizeTag(tag: string): string {
  const words = tag.replace(/\s+/g, ' ').trim().normalize('NFC');
  return words.replace(/^#+(?=[^\s#])/, '');
}

/** Returns a tag as people may have written it: so, in small letters, with a capital, or in capitals. */
export function listTagSpellings(tag: string): string[] {
  const stored = normalizeTag(tag);
  const small = stored.toLowerCase();
  const [first = ''] = small;
  return [...new Set([stored, small, first.toUpperCase() + small.slice(first.length), stored.toUpperCase()])];
}
