import { detectNonEnglish, detectTextLanguage } from '../../../lib/language/detect-language.ts';
import { STEMMED_LANGUAGES, toLanguageTerm } from '../../../lib/language/stemmers.ts';
import { countOccurrences, extractSearchWords } from '../../ranking/search-words.ts';
import type { NewPassage } from '../../store.ts';

export interface CountedPassage extends NewPassage {
  readonly length: number;
  readonly times: ReadonlyMap<string, number>;
}

const MAX_WORDS = 255;
/** Version of the rules for index words. After an increase, the words of stored passages are renewed. */
export const WORD_RULES_VERSION = 4;

export interface JudgedPassage extends CountedPassage {
  readonly nonenglish: boolean;
}

/** Returns the key of the owner's passage 0. Adding a passage's number gives the passage's key. */
export const computePassageKeyBase = (owner: number): number => owner * 2 ** 31;

export function indexPassage(passage: NewPassage): CountedPassage {
  const language = detectTextLanguage(passage.text);
  const words = extractSearchWords(passage.text, language);
  if (!passage.text.startsWith(passage.title)) words.push(...extractSearchWords(passage.title, language));
  const times = countOccurrences(words);
  if (language !== undefined && STEMMED_LANGUAGES.includes(language)) times.set(toLanguageTerm(language), 1);
  return { ...passage, length: Math.min(words.length, MAX_WORDS), times };
}

export function indexPassageWithLanguage(passage: NewPassage): JudgedPassage {
  return Object.assign(indexPassage(passage), { nonenglish: detectNonEnglish(passage.text) !== 'none' });
}

export function countNonEnglish(passages: readonly JudgedPassage[]): number {
  return passages.reduce((sum, { nonenglish }) => sum + Number(nonenglish), 0);
}
