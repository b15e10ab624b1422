import type { SourceRule } from '../rule.ts';
import catalogue from './catalogue.json' with { type: 'json' };

/**
 * Every weakness that the source scanner knows. Written by `npm run docs` from the files of rules beside it, without
 * the code that shows them: that is in `rules.json`, which only workers load.
 */
export const sourceRules = catalogue as readonly SourceRule[];

const byId = new Map(sourceRules.map((rule) => [rule.id, rule]));

/** The rule of that id, of a user's `own` or of the list; throws for one that is in neither: a mistake in a language's rules. */
export function ruleOf(id: string, own?: ReadonlyMap<string, SourceRule>): SourceRule {
  const rule = byId.get(id) ?? own?.get(id);
  if (!rule) throw new Error(`no rule ${id}`);
  return rule;
}
