/** Beginning of questions that ask for a person or a place. */
const ASKS_WHO_OR_WHERE = /^\W{0,3}(?:who|whom|whose|where)\b/i;
const NEGATION = /\b(?:not|never|no longer|nobody|no one|any ?more|cannot)\b|n['’]t\b/i;
const CLAUSES = /[.;:!?,\n]|\bbut\b/i;
/** Maximum length in characters of a text that may consist of denials only. */
const MAX_CHARS = 300;

/** True if a question asks who or where, and has no negation. */
export function asksWhoOrWhere(question: string): boolean {
  return ASKS_WHO_OR_WHERE.test(question) && !NEGATION.test(question);
}

/** True if every clause of a short text is negated, so that it only says who or where something is not. */
export function isDenial(text: string): boolean {
  if (text.length > MAX_CHARS) return false;
  const clauses = text.split(CLAUSES).filter((clause) => /\p{L}/u.test(clause));
  return clauses.length > 0 && clauses.every((clause) => NEGATION.test(clause));
}
