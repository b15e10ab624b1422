/** Returns a tag as it is stored: on one line, composed, and without the sign that marks tags in texts. */
export function normalizeTag(tag: string): string {
  const words = tag.replace(/\s+/g, ' ').trim().normalize('NFC');
  return words.replace(/^#+(?=[^\s#])/, '');
}

/**
 * Returns a tag as people may have written it: in small letters, with a capital or in capitals. Earlier versions stored tags as they
 * were given, also with a `#` or with letters apart from their accents.
 */
export function listTagSpellings(tag: string): string[] {
  const stored = normalizeTag(tag);
  const small = stored.toLowerCase();
  const [first = ''] = small;
  const cases = [stored, small, first.toUpperCase() + small.slice(first.length), stored.toUpperCase()];
  return [...new Set([...cases, tag, `#${stored}`, stored.normalize('NFD')])];
}
