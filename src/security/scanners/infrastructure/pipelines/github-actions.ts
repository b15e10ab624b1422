import type { RuleMatch } from '../rules.ts';
import type { YamlNode } from '../yaml-tree.ts';
import { actionMatches, unpinnedActions } from './audits/actions.ts';
import { poisonableCaches } from './audits/cache.ts';
import {
  environmentWrites,
  longLivedTokens,
  permissionMatches,
  persistedCredentials,
  secretsOutsideEnvironments,
} from './audits/credentials.ts';
import { expressionMatches } from './audits/expressions.ts';
import { injectionMatches } from './audits/injection.ts';
import { inputMatches, scriptCheckouts, settingMatches } from './audits/settings.ts';
import { readWorkflow, type WorkflowFile } from './workflow.ts';

const AUDITS: readonly ((file: WorkflowFile) => RuleMatch[])[] = [
  permissionMatches,
  unpinnedActions,
  ({ document }) => settingMatches(document, 'workflow'),
  inputMatches,
  scriptCheckouts,
  injectionMatches,
  actionMatches,
  expressionMatches,
  persistedCredentials,
  secretsOutsideEnvironments,
  poisonableCaches,
  longLivedTokens,
  environmentWrites,
];

export function workflowMatches(documents: readonly YamlNode[], text: string): RuleMatch[] {
  const lines = text.split('\n');
  return documents.flatMap((document) => {
    const file = readWorkflow(document, lines);
    return AUDITS.flatMap((audit) => audit(file));
  });
}
