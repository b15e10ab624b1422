import type { RuleMatch, RuleName } from '../rules.ts';
import { isFalse, isTrue, type YamlNode } from '../yaml-tree.ts';
import values from './helm-values.json' with { type: 'json' };

/** True for a risky value in Helm values. In most charts, settings with these names apply to the containers. */
function isBad(node: YamlNode, bad: string): boolean {
  if (bad === 'true') return isTrue(node);
  return bad === 'false' ? isFalse(node) : node.kind === 'text' && node.text === bad;
}

export function helmValueMatches(documents: readonly YamlNode[]): RuleMatch[] {
  const matches: RuleMatch[] = [];
  const visit = (node: YamlNode): void => {
    if (node.kind === 'list') node.items.forEach(visit);
    if (node.kind !== 'map') return;
    for (const [key, value] of node.entries) {
      for (const { key: name, rule, bad } of values) {
        if (key === name && isBad(value, bad))
          matches.push({ rule: rule as RuleName, line: value.line, what: key });
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
