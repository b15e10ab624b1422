import type { SearchCategory } from '../engine.ts';
import TABLES from './question-words.json' with { type: 'json' };

export const CATEGORY_CUES: Readonly<
  Record<Exclude<SearchCategory, 'general' | 'images'>, readonly string[]>
> = TABLES.cues;

/** Ambiguous names such as `python`. Two names, or a name and a context word, mean a question about code. */
export const AMBIGUOUS_CODE_WORDS = TABLES.ambiguous;
export const CODE_CONTEXT_WORDS = TABLES.context;

/** Frequent words that are rare in other languages. Two of them identify the language of a text. */
export const FREQUENT_WORDS: Readonly<Record<string, string>> = TABLES.functionWords;
