import type { Severity } from '../../../lib/severity.ts';
import rules from './rules.json' with { type: 'json' };

export interface InfrastructureRule {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
  readonly zizmor?: string;
}

export interface RuleMatch {
  readonly rule: RuleName;
  readonly line: number;
  readonly what?: string;
  readonly severity?: Severity;
  readonly secrets?: readonly string[];
}

export type RuleName = keyof typeof rules;

export const INFRASTRUCTURE_RULES = rules as Readonly<Record<RuleName, InfrastructureRule>>;
