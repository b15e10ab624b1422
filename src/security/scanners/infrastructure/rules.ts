import type { Severity } from '../../../lib/severity.ts';
import rules from './rules.json' with { type: 'json' };

export interface InfrastructureRule {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  /** What the danger is. */
  readonly danger: string;
  readonly fix: string;
}

/** Where a file breaks a rule. */
export interface RuleMatch {
  readonly rule: RuleName;
  /** From 1. */
  readonly line: number;
  /** What exactly, in a few words; stands after the danger. */
  readonly what?: string;
  /** Where it is another than the rule's. */
  readonly severity?: Severity;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[];
}

export type RuleName = keyof typeof rules;

/** By name; a finding's id is `infrastructure/<name>`. */
export const INFRASTRUCTURE_RULES = rules as Readonly<Record<RuleName, InfrastructureRule>>;
