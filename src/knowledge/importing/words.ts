const WORD = /[\p{L}\p{M}\p{N}\p{So}\p{Sc}]+/gu;

/** Returns the words and numbers of a text: its runs of letters, digits, emoji and signs of currencies. */
export function wordsOf(text: string): Set<string> {
  return new Set(text.normalize('NFC').match(WORD));
}

/** True if each word and number of a text is among those of other texts. */
export function hasAllWords(text: string, others: readonly string[]): boolean {
  const kept = wordsOf(others.join('\n'));
  return [...wordsOf(text)].every((word) => kept.has(word));
}
