import { UNKNOWN_VALUE_TEXT } from '../terraform/terraform-kubernetes.ts';
import type { ConfigResource, ConfigValue, ValueMap } from '../value.ts';
import { itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';

export const POD_SPEC_PATHS: Readonly<Record<string, readonly string[]>> = {
  Pod: ['spec'],
  Deployment: ['spec', 'template', 'spec'],
  StatefulSet: ['spec', 'template', 'spec'],
  DaemonSet: ['spec', 'template', 'spec'],
  ReplicaSet: ['spec', 'template', 'spec'],
  ReplicationController: ['spec', 'template', 'spec'],
  Job: ['spec', 'template', 'spec'],
  CronJob: ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};
const ENDING: ReadonlySet<string> = new Set(['Job', 'CronJob']);
const MAX_LIST_DEPTH = 3;
const FILLED_IN = 'x';

export function kubernetesResources(
  documents: readonly YamlNode[],
  partial: boolean,
  depth = 0,
): ConfigResource[] {
  return documents.flatMap((document): ConfigResource[] => {
    const kind = textAt(document, 'kind') ?? '';
    if (kind === 'List' && depth < MAX_LIST_DEPTH)
      return kubernetesResources(itemsOf(nodeAt(document, 'items')), partial, depth + 1);
    const name = textAt(document, 'metadata', 'name') ?? '';
    const of = (type: string, node: YamlNode, called = name): ConfigResource[] => {
      const body = readValue(node, partial);
      return body.kind === 'map' ? [resource(type, called, body, partial)] : [];
    };
    const path = POD_SPEC_PATHS[kind];
    const pod = path && nodeAt(document, ...path);
    if (!pod) return of(kind, document);
    const containers = (key: string) => itemsOf(nodeAt(pod, key));
    const called = (node: YamlNode) => textAt(node, 'name') ?? '';
    const main = containers('containers');
    return [
      ...of(kind, document),
      ...of('PodSpec', pod),
      ...[...main, ...containers('initContainers')].flatMap((one) => of('Container', one, called(one))),
      ...(ENDING.has(kind) ? [] : main.flatMap((one) => of('ServerContainer', one, called(one)))),
    ];
  });
}

function resource(type: string, name: string, body: ValueMap, partial: boolean): ConfigResource {
  return { type, name, line: body.line, body, ...(partial ? { partial: true as const } : {}) };
}

function readValue(node: YamlNode, partial: boolean): ConfigValue {
  const { line } = node;
  if (node.kind === 'list')
    return { kind: 'list', line, items: node.items.map((one) => readValue(one, partial)) };
  if (node.kind === 'map') {
    const entries = new Map([...node.entries].map(([key, one]) => [key, readValue(one, partial)] as const));
    return { kind: 'map', line, entries };
  }
  const unknown = node.text === UNKNOWN_VALUE_TEXT || (partial && node.text.includes(FILLED_IN));
  return { kind: unknown ? 'unknown' : 'text', line, text: node.text };
}
