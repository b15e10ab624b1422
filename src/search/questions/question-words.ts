import { readFileSync } from 'node:fs';
import type { Category } from '../engine.ts';

const TABLES: {
  readonly cues: Readonly<Record<Exclude<Category, 'general' | 'images'>, readonly string[]>>;
  readonly ambiguous: string;
  readonly context: string;
  readonly functionWords: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(new URL('./question-words.json', import.meta.url), 'utf8'));
/** Words that show that a question belongs to a category. One such word is enough. */
export const CATEGORY_CUES = TABLES.cues;

/** Ambiguous names, such as `python`. Two of them, or one with a context word, show a question about code. */
export const AMBIGUOUS_CODE_WORDS = TABLES.ambiguous;
export const CODE_CONTEXT_WORDS = TABLES.context;

/** Frequent words of each language that are rare in other languages. Two of them identify the language of a text. */
export const FUNCTION_WORDS = TABLES.functionWords;
