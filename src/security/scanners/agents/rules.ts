import type { Severity } from '../../../lib/severity.ts';
import rules from './rules.json' with { type: 'json' };

export type AgentRuleName = keyof typeof rules;

export interface AgentRule {
  readonly title: string;
  readonly severity: Severity;
  readonly cwe: string;
  readonly danger: string;
  readonly fix: string;
}

export interface AgentMatch {
  readonly rule: AgentRuleName;
  readonly line: number;
  readonly what?: string;
  readonly severity?: Severity;
  readonly secrets?: readonly string[];
}

export const AGENT_RULES = rules as Readonly<Record<AgentRuleName, AgentRule>>;
