import { credentialKind } from '../secrets/credential-name.ts';
import { isPlaceholder } from '../secrets/placeholder.ts';
import { capabilityOf, DANGEROUS_CAPABILITIES, isRuntimeSocket, isSensitivePath } from './container-risks.ts';
import { isUnpinned } from './image.ts';
import type { Fault } from './rules.ts';
import { at, isFalse, isTrue, itemsOf, textAt, type YamlNode } from './yaml-tree.ts';

/** Faults of a pod's specification, by the Pod Security Standards of Kubernetes (baseline and restricted). */
export function podFaults(pod: YamlNode | undefined, partial: boolean): Fault[] {
  if (!pod) return [];
  const containers = ['containers', 'initContainers', 'ephemeralContainers'].flatMap((key) =>
    itemsOf(at(pod, key)),
  );
  return [
    ...['hostNetwork', 'hostPID', 'hostIPC'].flatMap((key): Fault[] => {
      const node = at(pod, key);
      return node && isTrue(node) ? [{ rule: 'container-host-namespace', line: node.line, what: key }] : [];
    }),
    ...itemsOf(at(pod, 'volumes')).flatMap(volumeFaults),
    ...containers.flatMap((container) => containerFaults(container, pod, partial)),
  ];
}

function volumeFaults(volume: YamlNode): Fault[] {
  const node = at(volume, 'hostPath', 'path');
  if (node?.kind !== 'text') return [];
  if (isRuntimeSocket(node.text))
    return [{ rule: 'container-docker-socket', line: node.line, what: node.text }];
  return isSensitivePath(node.text)
    ? [{ rule: 'container-host-path', line: node.line, what: node.text }]
    : [];
}

function containerFaults(container: YamlNode, pod: YamlNode, partial: boolean): Fault[] {
  const context = at(container, 'securityContext');
  const inherited = (key: string) => at(context, key) ?? at(pod, 'securityContext', key);
  const what = `container ${textAt(container, 'name') ?? ''}`.trim();
  const { line } = container;
  const found = (rule: Fault['rule'], node: YamlNode | undefined): Fault[] => [
    { rule, line: node?.line ?? line, what },
  ];
  const privileged = at(context, 'privileged');
  const escalation = at(context, 'allowPrivilegeEscalation');
  const readOnly = at(context, 'readOnlyRootFilesystem');
  const seccomp = inherited('seccompProfile');
  const image = at(container, 'image');
  const noLimit = !partial && !at(container, 'resources', 'limits', 'memory');
  return [
    ...(isTrue(privileged) ? found('container-privileged', privileged) : []),
    ...rootFaults(inherited, found, partial),
    ...((escalation ? isTrue(escalation) : !partial)
      ? found('container-privilege-escalation', escalation)
      : []),
    ...((readOnly ? isFalse(readOnly) : !partial) ? found('container-writable-root', readOnly) : []),
    ...(noLimit ? found('container-no-memory-limit', undefined) : []),
    ...itemsOf(at(context, 'capabilities', 'add')).flatMap(capabilityFaults),
    ...(textAt(seccomp, 'type') === 'Unconfined' ? found('container-unconfined', seccomp) : []),
    ...(image?.kind === 'text' && isUnpinned(image.text)
      ? [{ rule: 'unpinned-image' as const, line: image.line, what: image.text }]
      : []),
    ...itemsOf(at(container, 'env')).flatMap(environmentFaults),
  ];
}

function rootFaults(
  inherited: (key: string) => YamlNode | undefined,
  found: (rule: Fault['rule'], node: YamlNode | undefined) => Fault[],
  partial: boolean,
): Fault[] {
  const [user, nonRoot] = [inherited('runAsUser'), inherited('runAsNonRoot')];
  const zero = user?.kind === 'text' && user.text === '0';
  const allowed = !isTrue(nonRoot) && user === undefined && !partial;
  return zero || allowed || isFalse(nonRoot) ? found('container-run-as-root', zero ? user : undefined) : [];
}

function capabilityFaults(node: YamlNode): Fault[] {
  const what = capabilityOf(node);
  return DANGEROUS_CAPABILITIES.has(what) ? [{ rule: 'container-capability', line: node.line, what }] : [];
}

function environmentFaults(variable: YamlNode): Fault[] {
  const name = textAt(variable, 'name') ?? '';
  const value = at(variable, 'value');
  if (value?.kind !== 'text' || !credentialKind(name)) return [];
  const { text, line } = value;
  const literal = text.length >= 4 && !isPlaceholder(text) && !/^\$\(|^\/|:\/\/(?![^/]*@)/.test(text);
  return literal ? [{ rule: 'kubernetes-secret-value', line, what: name, secrets: [text] }] : [];
}
