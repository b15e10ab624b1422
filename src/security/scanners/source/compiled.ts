import { indexPatterns } from './patterns.ts';
import type { LanguageFlowRules } from './rule.ts';

export type IndexedRules = ReturnType<typeof createIndexes>;

const kept = new WeakMap<LanguageFlowRules, IndexedRules>();

export function indexRules(rules: LanguageFlowRules): IndexedRules {
  const known = kept.get(rules);
  if (known) return known;
  const compiled = createIndexes(rules);
  kept.set(rules, compiled);
  return compiled;
}

const createIndexes = (rules: LanguageFlowRules) => ({
  rules,
  sources: indexPatterns(rules.sources, (one) => one.path),
  harmless: indexPatterns(rules.harmless, (one) => [one]),
  sinks: indexPatterns(rules.sinks, (one) => one.call),
  memberSinks: indexPatterns(rules.memberSinks, (one) => one.member),
  checks: indexPatterns(rules.checks, (one) => one.call),
  memberChecks: indexPatterns(rules.memberChecks, (one) => one.member),
  cleaners: indexPatterns(rules.cleaners, (one) => one.call),
  markers: indexPatterns(rules.markers, (one) => one.call),
  random: indexPatterns(rules.random, (one) => [one]),
  clocks: indexPatterns(rules.clocks, (one) => [one]),
  guessed: indexPatterns(rules.guessed, (one) => one.call),
  renders: indexPatterns(rules.renders, (one) => one.call),
  fills: indexPatterns(rules.fills, (one) => one.call),
  wholes: indexPatterns(rules.wholes, (one) => [one]),
});
