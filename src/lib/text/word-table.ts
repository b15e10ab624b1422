/** Inverts a table whose values are lists of words, separated by spaces: returns the key of each word. */
export function mapWordsToKeys(table: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([key, words]) => words.split(' ').map((word) => [word, key] as const)),
  );
}
