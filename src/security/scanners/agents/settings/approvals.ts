import type { Severity } from '../../../../lib/severity.ts';
import { entriesOf, type YamlNode } from '../../infrastructure/yaml-tree.ts';
import { commandMatches } from '../code/behaviours.ts';
import type { AgentMatch, AgentRuleName } from '../rules.ts';
import table from './approvals.json' with { type: 'json' };

interface Approval {
  /** Matches the keys from the root to the value in lower case, such as `permissions.defaultmode`. */
  readonly key: RegExp;
  readonly value: RegExp;
  readonly rule: AgentRuleName;
  readonly severity: Severity | undefined;
}

const APPROVALS: readonly Approval[] = table.map(
  ({ key, value, rule = 'auto-approval', severity }: (typeof table)[number]) => ({
    key: new RegExp(key, 'i'),
    value: new RegExp(value, 'i'),
    rule: rule as AgentRuleName,
    severity: severity as Severity | undefined,
  }),
);
const MAX_DEPTH = 12;
const MAX_VALUES = 20_000;
const MAX_KEY_CHARACTERS = 300;
const COMMAND_KEY =
  /(?:^|\.)(?:hooks?\.(?:.{0,200}\.)?(?:command|bash|powershell)|notify|apikeyhelper|awsauthrefresh|awscredentialexport|otelheadershelper|statusline\.command)$/;

export function approvalMatches(root: YamlNode | undefined): AgentMatch[] {
  const found: AgentMatch[] = [];
  const budget = { values: MAX_VALUES };
  walk(root, '', 0, budget, (key, text, line) => {
    if (COMMAND_KEY.test(key)) {
      const dangers = commandMatches(text, line);
      found.push(...dangers);
      if (dangers.length === 0) found.push({ rule: 'hook', line, what: text.slice(0, 100) });
    }
    for (const one of APPROVALS)
      if (one.key.test(key) && one.value.test(text)) {
        const name = key.slice(key.lastIndexOf('.') + 1);
        found.push({ rule: one.rule, line, severity: one.severity, what: `${name}: ${text.slice(0, 80)}` });
        break;
      }
  });
  return found;
}

type Visit = (key: string, text: string, line: number) => void;

function walk(
  node: YamlNode | undefined,
  key: string,
  depth: number,
  budget: { values: number },
  visit: Visit,
): void {
  if (!node || depth > MAX_DEPTH || budget.values-- <= 0) return;
  if (node.kind === 'text') visit(key, node.text, node.line);
  if (node.kind === 'list') for (const item of node.items) walk(item, key, depth + 1, budget, visit);
  for (const [name, value] of entriesOf(node)) {
    const inner = key === '' ? name : `${key}.${name}`;
    walk(value, inner.toLowerCase().slice(-MAX_KEY_CHARACTERS), depth + 1, budget, visit);
  }
}
