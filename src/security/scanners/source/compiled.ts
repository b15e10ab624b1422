import { indexPatterns, type PatternIndex } from './patterns.ts';
import type {
  AssignmentCheck,
  CallCheck,
  CallSink,
  DigestCall,
  FillCall,
  LanguageFlowRules,
  MemberSink,
  ObjectMarker,
  RenderCall,
  Sanitizer,
  TaintSource,
} from './rule.ts';

export interface IndexedRules {
  readonly rules: LanguageFlowRules;
  readonly sources: PatternIndex<TaintSource>;
  readonly harmless: PatternIndex<string>;
  readonly sinks: PatternIndex<CallSink>;
  readonly memberSinks: PatternIndex<MemberSink>;
  readonly checks: PatternIndex<CallCheck>;
  readonly memberChecks: PatternIndex<AssignmentCheck>;
  readonly cleaners: PatternIndex<Sanitizer>;
  readonly markers: PatternIndex<ObjectMarker>;
  readonly random: PatternIndex<string>;
  readonly clocks: PatternIndex<string>;
  readonly guessed: PatternIndex<DigestCall>;
  readonly renders: PatternIndex<RenderCall>;
  readonly fills: PatternIndex<FillCall>;
  readonly wholes: PatternIndex<string>;
}

const kept = new WeakMap<LanguageFlowRules, IndexedRules>();

export function indexRules(rules: LanguageFlowRules): IndexedRules {
  const known = kept.get(rules);
  if (known) return known;
  const compiled: IndexedRules = {
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
  };
  kept.set(rules, compiled);
  return compiled;
}
