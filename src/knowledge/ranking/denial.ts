import { detectNonEnglish } from '../../lib/language/detect-language.ts';
import WORDS from './denial-words.json' with { type: 'json' };

/** Beginnings of questions that ask for a person or a place, such as `who`, `mit wem` or `où`. */
const WHO_OR_WHERE = `^[^\\p{L}]{0,3}(?:(?:${WORDS.before}) )?(?:${WORDS.who.join('|')})(?!\\p{L})`;
const ASKS_WHO_OR_WHERE = new RegExp(WHO_OR_WHERE, 'iu');
/** Question words of other languages that are names or words in English, such as `Kim` and `var`. */
const NAMES = /^\P{L}{0,3}(?:kim?|var)(?!\p{L})/iu;
const NEGATION = new RegExp(`(?<!\\p{L})(?:${WORDS.negation.join('|')})(?!\\p{L})`, 'iu');
/** A question such as `who hates olives` asks for a text that denies something. */
const ASKS_FOR_DENIAL = new RegExp(
  `(?<!\\p{L})(?:${[...WORDS.negation, ...WORDS.refusing].join('|')})(?!\\p{L})`,
  'iu',
);
const CLAUSES = /[.;:!?,\n。、，；]|(?<!\p{L})(?:but|sondern|aber|mais|pero|sino|maar)(?!\p{L})/iu;
/** Maximum length of a denial. Longer texts usually contain further statements. */
const MAX_CHARS = 300;

export function asksWhoOrWhere(question: string): boolean {
  const isName = NAMES.test(question) && !/[?？]$|(?![a-z])\p{L}/iu.test(question.trim());
  if (isName && detectNonEnglish(question) === 'none') return false;
  return ASKS_WHO_OR_WHERE.test(question) && !ASKS_FOR_DENIAL.test(question);
}

/** Short questions for a thing, such as `what does Ana eat`. A text that denies something is a worse answer. */
const ASKS_WHAT =
  /^\P{L}{0,3}(?:what|was|qu['’]est-ce|que|quoi|qué|cosa|che|o que|wat|co|что)(?: [^\s]{1,30}){1,7}$/iu;

export function asksWhat(question: string): boolean {
  return ASKS_WHAT.test(question.trim()) && !ASKS_FOR_DENIAL.test(question);
}

export function isDenial(text: string): boolean {
  if (text.length > MAX_CHARS) return false;
  const clauses = text.split(CLAUSES).filter((clause) => /\p{L}/u.test(clause));
  return clauses.length > 0 && clauses.every((clause) => NEGATION.test(clause));
}
