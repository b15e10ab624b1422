import type { LanguageRules, Pattern } from './rule.ts';

/** Names that a credential in the code hangs on. */
const CREDENTIALS = /passw|passphrase|pwd|secret|api[_-]?key|(?:auth|access)[_-]?token|private[_-]?key/i;

/** The longest name in a pattern, the last of them when there are several: a call of it has to write that name. */
function rarest(pattern: Pattern): string {
  const names = pattern.split(/[^\w$]+/).filter((name) => name !== '');
  return names.reduce((best, name) => (name.length >= best.length ? name : best), '');
}

function wordsOf(rules: LanguageRules): string[] {
  const patterns = [
    ...rules.checks.filter((one) => !one.imports).flatMap((one) => one.call),
    ...rules.memberChecks.filter((one) => !one.imports).flatMap((one) => one.member),
    ...rules.sinks.filter((one) => one.built && !one.imports).flatMap((one) => one.call),
    ...rules.random,
  ];
  return [...new Set(patterns.map(rarest).filter((word) => word !== ''))];
}

const kept = new WeakMap<LanguageRules, readonly RegExp[]>();

function hintsOf(rules: LanguageRules): readonly RegExp[] {
  const known = kept.get(rules);
  if (known) return known;
  const words = wordsOf(rules).map((word) => word.replaceAll('$', '\\$'));
  const conditions = [...rules.checks, ...rules.memberChecks, ...rules.sinks.filter((one) => one.built)];
  const hints = [
    rules.sourceHint,
    new RegExp(`(?<![\\w$])(?:${words.join('|')})(?![\\w$])`),
    ...rules.keyChecks.map((one) => new RegExp(one.key.source.replace(/^\^|\$$/g, ''))),
    ...conditions.flatMap((one) => (one.imports ? [new RegExp(one.imports.source, 'i')] : [])),
    CREDENTIALS,
  ];
  kept.set(rules, hints);
  return hints;
}

/**
 * Whether a text holds any name that a rule of the language needs: where it holds none there is nothing to parse.
 * Linear, and much cheaper than parsing; it never leaves out a file in which a rule would find something.
 */
export function mayHold(rules: LanguageRules, text: string): boolean {
  return hintsOf(rules).some((hint) => hint.test(text));
}
