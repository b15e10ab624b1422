import { compileLinearRegex, type LinearRegex } from '../../../../lib/expressions/linear-expression.ts';
import type { LanguageFlowRules, TextCondition } from '../rule.ts';
import type { StoredRegex, StoredRules } from './data.ts';
import type { RuleLanguage } from './file.ts';
import type { UserRules } from './own.ts';
import kept from './rules.json' with { type: 'json' };
import { TEXT_CONDITIONS } from './text-conditions.ts';

const TEXTS: Readonly<Record<string, TextCondition>> = TEXT_CONDITIONS;

export const loadRules = (language: RuleLanguage): LanguageFlowRules =>
  revive(kept[language] as unknown as StoredRules, ({ re, flags }) => new RegExp(re, flags));

/** Cache of rules joined with a user's rules, for each language. Holds only the latest scan's rules. */
let made:
  | { readonly hash: string; readonly languages: Map<LanguageFlowRules, LanguageFlowRules> }
  | undefined;

export function addUserRules(
  rules: LanguageFlowRules,
  language: RuleLanguage,
  own: UserRules | undefined,
): LanguageFlowRules {
  const added = own?.languages[language];
  if (!own || !added) return rules;
  if (made?.hash !== own.hash) made = { hash: own.hash, languages: new Map() };
  const known = made.languages.get(rules);
  if (known) return known;
  const revived = revive(added, ({ re, flags }) => compileLinearRegex(re, flags));
  const lists = Object.entries(rules).flatMap(([key, list]) => {
    const more: unknown = revived[key as keyof LanguageFlowRules];
    return Array.isArray(list) && Array.isArray(more) ? [[key, [...list, ...more]]] : [];
  });
  const catalogue = new Map(own.catalogue.map((rule) => [rule.id, rule]));
  const both: LanguageFlowRules = { ...rules, ...Object.fromEntries(lists), own: catalogue };
  made.languages.set(rules, both);
  return both;
}

function revive(rules: StoredRules, expression: (kept: StoredRegex) => LinearRegex): LanguageFlowRules {
  const revived = withExpressions(rules, expression) as LanguageFlowRules;
  return {
    ...revived,
    sinks: rules.sinks.map(({ text }, at) => ({
      ...(revived.sinks[at] as LanguageFlowRules['sinks'][number]),
      text: text === undefined ? undefined : TEXTS[text],
    })),
    returns: rules.returns.map(({ text }, at) => ({
      ...(revived.returns[at] as LanguageFlowRules['returns'][number]),
      text: text === undefined ? undefined : TEXTS[text],
    })),
    // Key patterns are plain RegExp objects. They only list names, so they cannot be slow.
    keyChecks: rules.keyChecks.map(({ key }, at) => ({
      ...(revived.keyChecks[at] as LanguageFlowRules['keyChecks'][number]),
      key: new RegExp(key.re),
    })),
  };
}

function withExpressions(value: unknown, expression: (kept: StoredRegex) => LinearRegex): unknown {
  if (Array.isArray(value)) return value.map((one) => withExpressions(one, expression));
  if (typeof value !== 'object' || value === null) return value;
  if ('re' in value) return expression(value as StoredRegex);
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withExpressions(one, expression)]),
  );
}
