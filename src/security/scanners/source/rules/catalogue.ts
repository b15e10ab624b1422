import type { SourceRule } from '../rule.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/** Texts and severities of all rules about source code. `npm run docs` generates `catalogue.json`. */
export const sourceRules = catalogue as readonly SourceRule[];

const byId = new Map(sourceRules.map((rule) => [rule.id, rule]));

/** Returns the rule with this id. Throws Error for an unknown id, which is a programming mistake. */
export function ruleOf(id: string, own?: ReadonlyMap<string, SourceRule>): SourceRule {
  const rule = byId.get(id) ?? own?.get(id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
