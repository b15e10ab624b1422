/** Maps each word of a table's values, which are separated by spaces, to the word's key in the table. */
export function mapWordsToKeys(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)),
  );
}
