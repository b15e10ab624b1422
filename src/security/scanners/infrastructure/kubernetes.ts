import { credentialKind } from '../secrets/credential-name.ts';
import { isPlaceholder } from '../secrets/placeholder.ts';
import { podFaults } from './pod.ts';
import type { Fault } from './rules.ts';
import { at, entriesOf, itemsOf, textAt, type YamlNode } from './yaml-tree.ts';

/** Where each kind has its pods. */
const POD_AT: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};
const DEEPEST_LIST = 3;

/** Faults of Kubernetes manifests; `partial` where templates fill in what is not there, so that nothing is missing. */
export function kubernetesFaults(documents: readonly YamlNode[], partial: boolean, depth = 0): Fault[] {
  return documents.flatMap((document): Fault[] => {
    const kind = textAt(document, 'kind') ?? '';
    if (kind === 'List' && depth < DEEPEST_LIST)
      return kubernetesFaults(itemsOf(at(document, 'items')), partial, depth + 1);
    const pod = POD_AT[kind];
    if (pod) return podFaults(at(document, ...pod), partial);
    if (kind === 'Role' || kind === 'ClusterRole') return roleFaults(document);
    if (kind === 'RoleBinding' || kind === 'ClusterRoleBinding') return bindingFaults(document);
    if (kind === 'Secret' || kind === 'ConfigMap') return valueFaults(document, kind);
    if (kind !== 'Ingress' || partial || at(document, 'spec', 'tls')) return [];
    return [{ rule: 'kubernetes-plain-ingress', line: at(document, 'spec')?.line ?? document.line }];
  });
}

function roleFaults(document: YamlNode): Fault[] {
  const has = (rule: YamlNode, key: string) =>
    itemsOf(at(rule, key)).some((one) => one.kind === 'text' && one.text === '*');
  return itemsOf(at(document, 'rules'))
    .filter((rule) => has(rule, 'verbs') && has(rule, 'resources'))
    .map((rule) => ({ rule: 'kubernetes-wildcard-role', line: rule.line }));
}

function bindingFaults(document: YamlNode): Fault[] {
  const subjects = itemsOf(at(document, 'subjects'));
  const faults = subjects.flatMap((subject): Fault[] => {
    const name = textAt(subject, 'name') ?? '';
    const anybody = name === 'system:anonymous' || name === 'system:unauthenticated';
    return anybody ? [{ rule: 'kubernetes-anonymous-role', line: subject.line, what: name }] : [];
  });
  const role = at(document, 'roleRef');
  if (role && textAt(role, 'name') === 'cluster-admin') {
    faults.push({ rule: 'kubernetes-cluster-admin', line: role.line });
  }
  return faults;
}

/** Secrets that stand in the manifest itself: encoded, they are no less readable. */
function valueFaults(document: YamlNode, kind: string): Fault[] {
  const given = ['data', 'stringData'].flatMap((key) =>
    entriesOf(at(document, key)).map(([name, value]) => ({
      name,
      value,
      encoded: key === 'data' && kind === 'Secret',
    })),
  );
  return given.flatMap(({ name, value, encoded }): Fault[] => {
    if (value.kind !== 'text' || value.text.trim() === '') return [];
    const plain = encoded ? Buffer.from(value.text, 'base64').toString('utf8') : value.text;
    const meant = kind === 'Secret' || credentialKind(name) !== undefined;
    if (!meant || isPlaceholder(plain.trim()) || isPlaceholder(value.text)) return [];
    return [{ rule: 'kubernetes-secret-value', line: value.line, what: name, secrets: [value.text, plain] }];
  });
}
