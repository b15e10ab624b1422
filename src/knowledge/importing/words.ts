const WORD = /[\p{L}\p{M}\p{N}\p{So}\p{Sc}]+/gu;

export const wordsOf = (text: string): Set<string> => new Set(text.normalize('NFC').match(WORD));

export function hasAllWords(text: string, others: readonly string[]): boolean {
  const kept = wordsOf(others.join('\n'));
  return [...wordsOf(text)].every((word) => kept.has(word));
}
