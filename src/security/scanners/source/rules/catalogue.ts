import type { SourceRule } from '../rule.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/** Texts and severities of all weaknesses in source code. `npm run docs` writes `catalogue.json`. */
export const sourceRules = catalogue as readonly SourceRule[];

const byId = new Map(sourceRules.map((rule) => [rule.id, rule]));

/** Returns the rule with this id. Throws Error for an unknown id: a mistake in the rules of a language. */
export function ruleOf(id: string, own?: ReadonlyMap<string, SourceRule>): SourceRule {
  const rule = byId.get(id) ?? own?.get(id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
