export function formatAuthors(names: readonly string[]): string {
  const known = names.map((name) => name.replace(/\s+/g, ' ').trim()).filter(Boolean);
  return known.length > 3 ? `${known[0]} and others` : known.join(', ');
}
