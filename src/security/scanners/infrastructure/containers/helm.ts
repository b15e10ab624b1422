import type { RuleMatch, RuleName } from '../rules.ts';
import { isFalse, isTrue, type YamlNode } from '../yaml-tree.ts';

/** Risky settings in Helm values. In most charts, settings with these names apply to the containers. */
const BAD: readonly (readonly [key: string, rule: RuleName, isBad: (node: YamlNode) => boolean])[] = [
  ['privileged', 'container-privileged', isTrue],
  ['hostNetwork', 'container-host-namespace', isTrue],
  ['hostPID', 'container-host-namespace', isTrue],
  ['hostIPC', 'container-host-namespace', isTrue],
  ['allowPrivilegeEscalation', 'container-privilege-escalation', isTrue],
  ['readOnlyRootFilesystem', 'container-writable-root', isFalse],
  ['runAsNonRoot', 'container-run-as-root', isFalse],
  ['runAsUser', 'container-run-as-root', (node) => node.kind === 'text' && node.text === '0'],
  ['tag', 'unpinned-image', (node) => node.kind === 'text' && node.text === 'latest'],
];

export function helmValueMatches(documents: readonly YamlNode[]): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const visit = (node: YamlNode): void => {
    if (node.kind === 'list') node.items.forEach(visit);
    if (node.kind !== 'map') return;
    for (const [key, value] of node.entries) {
      for (const [name, rule, isBad] of BAD) {
        if (key === name && isBad(value)) matches.push({ rule, line: value.line, what: key });
      }
      visit(value);
    }
  };
  documents.forEach(visit);
  return matches;
}

/** Turns a Helm template into YAML: `{{ .. }}` becomes `x`, and a line with only `{{ .. }}` becomes empty. */
export function removeHelmActions(template: string): string {
  return template
    .split('\n')
    .map((line) =>
      /^\s*\{\{[^{}]{0,2000}\}\}\s*$/.test(line) ? '' : line.replaceAll(/\{\{[^{}]{0,2000}\}\}/g, 'x'),
    )
    .join('\n');
}
