import { credentialKind } from '../../secrets/credential-name.ts';
import { isPlaceholder } from '../../secrets/placeholder.ts';
import { isRandom } from '../../secrets/secret-strength.ts';
import { secretTokensIn } from '../../secrets/token-scan.ts';
import { findUrlLogins } from '../../secrets/url-logins.ts';
import type { RuleMatch } from '../rules.ts';
import { entriesOf, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import { POD_SPEC_PATHS } from './kubernetes-lowering.ts';
import { podMatches } from './pod.ts';

const MAX_LIST_DEPTH = 3;

export function kubernetesMatches(documents: readonly YamlNode[], partial: boolean, depth = 0): RuleMatch[] {
  return documents.flatMap((document): RuleMatch[] => {
    const kind = textAt(document, 'kind') ?? '';
    if (kind === 'List' && depth < MAX_LIST_DEPTH)
      return kubernetesMatches(itemsOf(nodeAt(document, 'items')), partial, depth + 1);
    const pod = POD_SPEC_PATHS[kind];
    if (pod) return podMatches(nodeAt(document, ...pod), partial);
    if (kind === 'Role' || kind === 'ClusterRole') return roleMatches(document);
    if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return bindingMatches(document);
    if (kind === 'Secret' || kind === 'ConfigMap') return valueMatches(document, kind);
    if (kind !== 'Ingress' || partial || nodeAt(document, 'spec', 'tls')) return [];
    return [{ rule: 'kubernetes-plain-ingress', line: nodeAt(document, 'spec')?.line ?? document.line }];
  });
}

function roleMatches(document: YamlNode): RuleMatch[] {
  const has = (rule: YamlNode, key: string) =>
    itemsOf(nodeAt(rule, key)).some((one) => one.kind === 'text' && one.text === '*');
  return itemsOf(nodeAt(document, 'rules'))
    .filter((rule) => has(rule, 'verbs') && has(rule, 'resources'))
    .map((rule) => ({ rule: 'kubernetes-wildcard-role', line: rule.line }));
}

function bindingMatches(document: YamlNode): RuleMatch[] {
  const subjects = itemsOf(nodeAt(document, 'subjects'));
  const matches = subjects.flatMap((subject): RuleMatch[] => {
    const name = textAt(subject, 'name') ?? '';
    const anonymous = name === 'system:anonymous' || name === 'system:unauthenticated';
    return anonymous ? [{ rule: 'kubernetes-anonymous-role', line: subject.line, what: name }] : [];
  });
  const role = nodeAt(document, 'roleRef');
  if (role && textAt(role, 'name') === 'cluster-admin') {
    matches.push({ rule: 'kubernetes-cluster-admin', line: role.line });
  }
  return matches;
}

function isSecretText(plain: string): boolean {
  return (
    isRandom(plain) || secretTokensIn(plain).length > 0 || findUrlLogins(plain, 'settings', false).length > 0
  );
}

function valueMatches(document: YamlNode, kind: string): RuleMatch[] {
  const given = ['data', 'stringData'].flatMap((key) =>
    entriesOf(nodeAt(document, key)).map(([name, value]) => ({
      name,
      value,
      encoded: key === 'data' && kind === 'Secret',
    })),
  );
  return given.flatMap(({ name, value, encoded }): RuleMatch[] => {
    if (value.kind !== 'text' || value.text.trim() === '') return [];
    const plain = encoded ? Buffer.from(value.text, 'base64').toString('utf8') : value.text;
    const meant = credentialKind(name) !== undefined || (kind === 'Secret' && isSecretText(plain.trim()));
    if (!meant || isPlaceholder(plain.trim()) || isPlaceholder(value.text)) return [];
    const named = given.some(
      (one) => one.name !== name && one.value.kind === 'text' && one.value.text === value.text,
    );
    // If another entry has the same value, such as a user name, the value is probably not secret.
    const severity = named ? 'low' : isSecretText(plain.trim()) ? 'high' : 'medium';
    const secrets = [value.text, plain];
    return [{ rule: 'kubernetes-secret-value', line: value.line, what: name, secrets, severity }];
  });
}
