import type { LanguageRules, Visible } from '../rule.ts';
import type { KeptExpression, KeptRules } from './data.ts';
import type { RuleLanguage } from './file.ts';
import kept from './rules.json' with { type: 'json' };
import { SQL_TEXT } from './sql-text.ts';

const TEXTS: Readonly<Record<string, Visible>> = { sql: SQL_TEXT };

/** The rules of a language, as `npm run docs` wrote them from the files beside this one. */
export function loadRules(language: RuleLanguage): LanguageRules {
  return revive(kept[language] as unknown as KeptRules);
}

function revive(rules: KeptRules): LanguageRules {
  const made = withExpressions(rules) as LanguageRules;
  const sinks = rules.sinks.map(({ text }, at) => ({
    ...made.sinks[at],
    text: text === undefined ? undefined : TEXTS[text],
  }));
  return { ...made, sinks: sinks as LanguageRules['sinks'] };
}

/** The same with every kept expression made one. */
function withExpressions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withExpressions);
  if (typeof value !== 'object' || value === null) return value;
  if ('re' in value) return expression(value as KeptExpression);
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withExpressions(one)]));
}

function expression({ re, flags }: KeptExpression): RegExp {
  return new RegExp(re, flags);
}
