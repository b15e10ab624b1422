import type { RuleTexts } from '../../findings/finding.ts';
import type { RuleMatch } from '../infrastructure/rules.ts';
import rules from './rules.json' with { type: 'json' };

export type AgentRuleName = keyof typeof rules;

export interface AgentMatch extends Omit<RuleMatch, 'rule'> {
  readonly rule: AgentRuleName;
}

export const AGENT_RULES = rules as Readonly<Record<AgentRuleName, RuleTexts>>;
