import type { Severity } from '../../../lib/severity.ts';
import type { RuleTexts } from '../../findings/finding.ts';
import rules from './rules.json' with { type: 'json' };

export interface InfrastructureRule extends RuleTexts {
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
