import type { Severity } from '../../../lib/severity.ts';
import rules from './rules.json' with { type: 'json' };

export interface InfrastructureRule {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
}

/** A violation of a rule in a file. */
export interface RuleMatch {
  readonly rule: RuleName;
  /** Line number, from 1. */
  readonly line: number;
  /** Details in a few words, which follow the danger in the description. */
  readonly what?: string;
  /** Given if it differs from the rule's. */
  readonly severity?: Severity;
  /** Texts that must not be shown. */
  readonly secrets?: readonly string[];
}

export type RuleName = keyof typeof rules;

/** Rules by name. The id of a finding is `infrastructure/<name>`. */
export const INFRASTRUCTURE_RULES = rules as Readonly<Record<RuleName, InfrastructureRule>>;
