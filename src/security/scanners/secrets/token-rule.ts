import type { TokenRule } from './rule.ts';

type Short = Pick<TokenRule, 'keywords' | 'pattern'> &
  Partial<Pick<TokenRule, 'severity' | 'entropy' | 'valid' | 'doubt' | 'danger' | 'cwe'>> & {
    readonly revoke: string;
  };

/** Creates a token rule. The default severity is high. */
export function createTokenRule(id: string, title: string, rule: Short): TokenRule {
  return {
    severity: 'high',
    cwe: 'CWE-798',
    danger: 'Anyone who reads this file can act with it',
    ...rule,
    id: `secrets/${id}`,
    title,
  };
}

export const CLOUD_DANGER =
  'Anyone who reads this file can act in the cloud account: read its data, and run up costs';
export const CODE_DANGER = 'Anyone who reads this file can read private code, or change it';
export const MONEY_DANGER = 'Anyone who reads this file can see and make payments';
export const MAIL_DANGER = 'Anyone who reads this file can send messages in your name';
