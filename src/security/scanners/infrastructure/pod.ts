import { credentialKind } from '../secrets/credential-name.ts';
import { isPlaceholder } from '../secrets/placeholder.ts';
import { DANGEROUS_CAPABILITIES, isRuntimeSocket, isSensitivePath } from './container-risks.ts';
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
  const faults: Fault[] = [];
  const { line } = container;
  const privileged = at(context, 'privileged');
  if (privileged && isTrue(privileged))
    faults.push({ rule: 'container-privileged', line: privileged.line, what });

  const user = inherited('runAsUser');
  const zero = user?.kind === 'text' && user.text === '0';
  const rootAllowed = !isTrue(inherited('runAsNonRoot')) && (user === undefined || zero);
  if (zero || (rootAllowed && !partial) || isFalse(inherited('runAsNonRoot'))) {
    faults.push({ rule: 'container-run-as-root', line: (zero ? user : undefined)?.line ?? line, what });
  }
  const escalation = at(context, 'allowPrivilegeEscalation');
  if (escalation ? isTrue(escalation) : !partial) {
    faults.push({ rule: 'container-privilege-escalation', line: escalation?.line ?? line, what });
  }
  const readOnly = at(context, 'readOnlyRootFilesystem');
  if (readOnly ? isFalse(readOnly) : !partial) {
    faults.push({ rule: 'container-writable-root', line: readOnly?.line ?? line, what });
  }
  if (!partial && !at(container, 'resources', 'limits', 'memory')) {
    faults.push({ rule: 'container-no-memory-limit', line, what });
  }
  for (const one of itemsOf(at(context, 'capabilities', 'add'))) {
    const capability = one.kind === 'text' ? one.text.toUpperCase().replace(/^CAP_/, '') : '';
    if (DANGEROUS_CAPABILITIES.has(capability))
      faults.push({ rule: 'container-capability', line: one.line, what: capability });
  }
  const seccomp = inherited('seccompProfile');
  if (seccomp && textAt(seccomp, 'type') === 'Unconfined')
    faults.push({ rule: 'container-unconfined', line: seccomp.line, what });
  const image = at(container, 'image');
  if (image?.kind === 'text' && isUnpinned(image.text))
    faults.push({ rule: 'unpinned-image', line: image.line, what: image.text });
  return [...faults, ...itemsOf(at(container, 'env')).flatMap(environmentFaults)];
}

function environmentFaults(variable: YamlNode): Fault[] {
  const name = textAt(variable, 'name') ?? '';
  const value = at(variable, 'value');
  if (value?.kind !== 'text' || !credentialKind(name)) return [];
  const { text, line } = value;
  const literal = text.length >= 4 && !isPlaceholder(text) && !/^\$\(|^\/|:\/\/(?![^/]*@)/.test(text);
  return literal ? [{ rule: 'kubernetes-secret-value', line, what: name, secrets: [text] }] : [];
}
