import type { SourceRule } from '../rule.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/**
 * All weaknesses that the source scanner can report. `npm run docs` writes them from the rule files in this folder, without the
 * code patterns: those are in `rules.json`, which only workers load.
 */
export const sourceRules = catalogue as readonly SourceRule[];

const byId = new Map(sourceRules.map((rule) => [rule.id, rule]));

/** Returns the rule with that id. Throws for an unknown id, which is a mistake in a language's rules. */
export function ruleOf(id: string, own?: ReadonlyMap<string, SourceRule>): SourceRule {
  const rule = byId.get(id) ?? own?.get(id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
