import { credentialKind } from '../../secrets/credential-name.ts';
import { isPlaceholder } from '../../secrets/placeholder.ts';
import { isRandom } from '../../secrets/secret-strength.ts';
import { secretTokensIn } from '../../secrets/token-scan.ts';
import { findUrlLogins } from '../../secrets/url-logins.ts';
import type { RuleMatch } from '../rules.ts';
import { UNKNOWN_VALUE_TEXT } from '../terraform/terraform-kubernetes.ts';
import { entriesOf, isFalse, isTrue, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import {
  DANGEROUS_CAPABILITIES,
  isRuntimeSocket,
  isSensitivePath,
  isUnpinnedImage,
  linuxCapabilityOf,
} from './container-risks.ts';
import { POD_SPEC_PATHS } from './kubernetes-lowering.ts';

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

const isSecretText = (plain: string): boolean =>
  isRandom(plain) || secretTokensIn(plain).length > 0 || findUrlLogins(plain, 'settings', false).length > 0;

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

/** Finds risks in a pod specification. The rules are Kubernetes' Pod Security Standards (baseline and restricted). */
function podMatches(pod: YamlNode | undefined, partial: boolean): RuleMatch[] {
  if (!pod) return [];
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((key) =>
    itemsOf(nodeAt(pod, key)),
  );
  return [
    ...['hostNetwork', 'hostPID', 'hostIPC'].flatMap((key): RuleMatch[] => {
      const node = nodeAt(pod, key);
      return node && isTrue(node) ? [{ rule: 'container-host-namespace', line: node.line, what: key }] : [];
    }),
    ...itemsOf(nodeAt(pod, 'volumes')).flatMap(volumeMatches),
    ...containers.flatMap((container) => containerMatches(container, pod, partial)),
  ];
}

function volumeMatches(volume: YamlNode): RuleMatch[] {
  const node = nodeAt(volume, 'hostPath', 'path');
  if (node?.kind !== 'text') return [];
  if (isRuntimeSocket(node.text))
    return [{ rule: 'container-docker-socket', line: node.line, what: node.text }];
  return isSensitivePath(node.text)
    ? [{ rule: 'container-host-path', line: node.line, what: node.text }]
    : [];
}

function containerMatches(container: YamlNode, pod: YamlNode, partial: boolean): RuleMatch[] {
  const context = nodeAt(container, 'securityContext');
  const inherited = (key: string) => nodeAt(context, key) ?? nodeAt(pod, 'securityContext', key);
  const what = `container ${textAt(container, 'name') ?? ''}`.trim();
  const { line } = container;
  const found = (rule: RuleMatch['rule'], node: YamlNode | undefined): RuleMatch[] => [
    { rule, line: node?.line ?? line, what },
  ];
  const privileged = nodeAt(context, 'privileged');
  const escalation = nodeAt(context, 'allowPrivilegeEscalation');
  const readOnly = nodeAt(context, 'readOnlyRootFilesystem');
  const seccomp = inherited('seccompProfile');
  const image = nodeAt(container, 'image');
  const noLimit = !partial && !nodeAt(container, 'resources', 'limits', 'memory');
  return [
    ...(isTrue(privileged) ? found('container-privileged', privileged) : []),
    ...rootMatches(inherited, found, partial),
    ...((escalation ? isTrue(escalation) : !partial)
      ? found('container-privilege-escalation', escalation)
      : []),
    ...((readOnly ? isFalse(readOnly) : !partial) ? found('container-writable-root', readOnly) : []),
    ...(noLimit ? found('container-no-memory-limit', undefined) : []),
    ...itemsOf(nodeAt(context, 'capabilities', 'add')).flatMap(capabilityMatches),
    ...(textAt(seccomp, 'type') === 'Unconfined' ? found('container-unconfined', seccomp) : []),
    ...(image?.kind === 'text' && isUnpinnedImage(image.text)
      ? [{ rule: 'unpinned-image' as const, line: image.line, what: image.text }]
      : []),
    ...itemsOf(nodeAt(container, 'env')).flatMap(environmentMatches),
  ];
}

function rootMatches(
  inherited: (key: string) => YamlNode | undefined,
  found: (rule: RuleMatch['rule'], node: YamlNode | undefined) => RuleMatch[],
  partial: boolean,
): RuleMatch[] {
  const [user, nonRoot] = [inherited('runAsUser'), inherited('runAsNonRoot')];
  const zero = user?.kind === 'text' && user.text === '0';
  const unsure = partial || (nonRoot?.kind === 'text' && nonRoot.text === UNKNOWN_VALUE_TEXT);
  const allowed = !isTrue(nonRoot) && user === undefined && !unsure;
  return zero || allowed || isFalse(nonRoot) ? found('container-run-as-root', zero ? user : undefined) : [];
}

function capabilityMatches(node: YamlNode): RuleMatch[] {
  const what = linuxCapabilityOf(node);
  return DANGEROUS_CAPABILITIES.has(what) ? [{ rule: 'container-capability', line: node.line, what }] : [];
}

function environmentMatches(variable: YamlNode): RuleMatch[] {
  const name = textAt(variable, 'name') ?? '';
  const value = nodeAt(variable, 'value');
  if (value?.kind !== 'text' || !credentialKind(name)) return [];
  const { text, line } = value;
  const literal = text.length >= 4 && !isPlaceholder(text) && !/^\$\(|^\/|:\/\/(?![^/]*@)/.test(text);
  return literal ? [{ rule: 'kubernetes-secret-value', line, what: name, secrets: [text] }] : [];
}
