import type { NewPassage } from '../store.ts';
import { countTimes, searchWords } from '../words.ts';

/** A passage with its words, prepared outside the transaction so that other work waits no longer than it must. */
export interface IndexedPassage extends NewPassage {
  /** Number of words, at most 255. */
  readonly length: number;
  readonly times: ReadonlyMap<string, number>;
}

const MAX_WORDS = 255;

/** Keys of an owner's passages begin here. */
export function baseOf(owner: number): number {
  return owner * 2 ** 31;
}

/** The words of the title count as if they stood in the text once more, unless it begins with them. */
export function indexPassage(passage: NewPassage): IndexedPassage {
  const words = searchWords(passage.text);
  if (!passage.text.startsWith(passage.title)) words.push(...searchWords(passage.title));
  return { ...passage, length: Math.min(words.length, MAX_WORDS), times: countTimes(words) };
}
