/** Returns a tag in stored form: on one line, in NFC, without the `#` that marks tags in texts. */
export function normalizeTag(tag: string): string {
  const words = tag.replace(/\s+/g, ' ').trim().normalize('NFC');
  return words.replace(/^#+(?=[^\s#])/, '');
}

/** Returns spellings under which a tag may be stored, such as `rope`, `Rope`, `ROPE` and `#rope`. */
export function listTagSpellings(tag: string): string[] {
  const stored = normalizeTag(tag);
  const small = stored.toLowerCase();
  const [first = ''] = small;
  const cases = [stored, small, first.toUpperCase() + small.slice(first.length), stored.toUpperCase()];
  return [...new Set([...cases, tag, `#${stored}`, stored.normalize('NFD')])];
}
