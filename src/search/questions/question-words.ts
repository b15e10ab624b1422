import type { SearchCategory } from '../engine.ts';
import TABLES from './question-words.json' with { type: 'json' };

export const CATEGORY_CUES: Readonly<
  Record<Exclude<SearchCategory, 'general' | 'images'>, readonly string[]>
> = TABLES.cues;

/** Names that also have other meanings: `python`, `rust`. A question with two such names is about code. */
export const AMBIGUOUS_CODE_WORDS = TABLES.ambiguous;
export const CODE_CONTEXT_WORDS = TABLES.context;

/** Frequent words by language, such as `der` for German. Two such words identify the language of a text. */
export const FREQUENT_WORDS: Readonly<Record<string, string>> = TABLES.functionWords;
