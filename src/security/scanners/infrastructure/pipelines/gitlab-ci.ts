import type { RuleMatch } from '../rules.ts';
import { itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import { settingMatches } from './audits/settings.ts';

export const gitlabMatches = (documents: readonly YamlNode[]): RuleMatch[] =>
  documents.flatMap((document) => [
    ...itemsOf(nodeAt(document, 'include')).flatMap(includeMatches),
    ...settingMatches(document, 'gitlab'),
  ]);

function includeMatches(node: YamlNode): RuleMatch[] {
  const remote =
    textAt(node, 'remote') ?? (node.kind === 'text' && /^https?:/.test(node.text) ? node.text : undefined);
  if (remote !== undefined && !nodeAt(node, 'integrity'))
    return [{ rule: 'pipeline-remote-include', line: node.line }];
  const module = nodeAt(node, 'component') ?? (nodeAt(node, 'ref') ? undefined : nodeAt(node, 'project'));
  return module?.kind === 'text' && !/@(?!~latest$|main$|master$)/.test(module.text)
    ? [{ rule: 'unpinned-module', line: module.line, what: module.text }]
    : [];
}
