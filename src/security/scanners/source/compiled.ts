import { indexPatterns, type PatternIndex } from './patterns.ts';
import type {
  Check,
  Cleaner,
  Fill,
  Guessed,
  LanguageRules,
  Marker,
  MemberCheck,
  MemberSink,
  Render,
  Sink,
  Source,
} from './rule.ts';

export interface CompiledRules {
  readonly rules: LanguageRules;
  readonly sources: PatternIndex<Source>;
  readonly harmless: PatternIndex<string>;
  readonly sinks: PatternIndex<Sink>;
  readonly memberSinks: PatternIndex<MemberSink>;
  readonly checks: PatternIndex<Check>;
  readonly memberChecks: PatternIndex<MemberCheck>;
  readonly cleaners: PatternIndex<Cleaner>;
  readonly markers: PatternIndex<Marker>;
  readonly random: PatternIndex<string>;
  readonly clocks: PatternIndex<string>;
  readonly guessed: PatternIndex<Guessed>;
  readonly renders: PatternIndex<Render>;
  readonly fills: PatternIndex<Fill>;
  readonly wholes: PatternIndex<string>;
}

const kept = new WeakMap<LanguageRules, CompiledRules>();

export function compileRules(rules: LanguageRules): CompiledRules {
  const known = kept.get(rules);
  if (known) return known;
  const compiled: CompiledRules = {
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
