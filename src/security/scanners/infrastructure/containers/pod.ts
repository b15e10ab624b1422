import { credentialKind } from '../../secrets/credential-name.ts';
import { isPlaceholder } from '../../secrets/placeholder.ts';
import type { RuleMatch } from '../rules.ts';
import { UNKNOWN_VALUE_TEXT } from '../terraform/terraform-kubernetes.ts';
import { isFalse, isTrue, itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import {
  DANGEROUS_CAPABILITIES,
  isRuntimeSocket,
  isSensitivePath,
  isUnpinnedImage,
  linuxCapabilityOf,
} from './container-risks.ts';

/** Finds risks in a pod specification. The rules are Kubernetes' Pod Security Standards (baseline and restricted). */
export function podMatches(pod: YamlNode | undefined, partial: boolean): RuleMatch[] {
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
