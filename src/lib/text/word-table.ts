/** Maps words to keys. Each value of the table is a list of words separated by spaces. */
export function mapWordsToKeys(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)),
  );
}
