import { judgeText } from '../../embedding/language.ts';
import { countTimes, searchWords } from '../../ranking/words.ts';
import type { NewPassage } from '../../store.ts';

/** A passage with its words, prepared outside the transaction so that other work waits no longer than it must. */
export interface IndexedPassage extends NewPassage {
  /** Number of words, at most 255. */
  readonly length: number;
  readonly times: ReadonlyMap<string, number>;
}

const MAX_WORDS = 255;

/** A passage on its way in. */
export interface JudgedPassage extends IndexedPassage {
  /** It is not in English. */
  readonly nonenglish: boolean;
}

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

/** The same of a new passage, with what it is written in. */
export function judgePassage(passage: NewPassage): JudgedPassage {
  return Object.assign(indexPassage(passage), { nonenglish: judgeText(passage.text) !== 'none' });
}

export function countNonEnglish(passages: readonly JudgedPassage[]): number {
  return passages.reduce((sum, { nonenglish }) => sum + Number(nonenglish), 0);
}
