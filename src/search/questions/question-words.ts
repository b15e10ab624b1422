import type { Category } from '../engine.ts';
import TABLES from './question-words.json' with { type: 'json' };

/** Words that show that a question belongs to a category. One such word is enough. */
export const CATEGORY_CUES: Readonly<Record<Exclude<Category, 'general' | 'images'>, readonly string[]>> =
  TABLES.cues;

/** Ambiguous names, such as `python`. Two of them, or one with a context word, show a question about code. */
export const AMBIGUOUS_CODE_WORDS = TABLES.ambiguous;
export const CODE_CONTEXT_WORDS = TABLES.context;

/** Frequent words of each language that are rare in other languages. Two of them identify the language of a text. */
export const FUNCTION_WORDS: Readonly<Record<string, string>> = TABLES.functionWords;
