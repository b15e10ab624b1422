import { UNKNOWN_VALUE_TEXT } from '../terraform/terraform-kubernetes.ts';
import { type ConfigResource, toConfigValue, type ValueMap } from '../value.ts';
import { itemsOf, nodeAt, textAt, type YamlNode } from '../yaml-tree.ts';
import risks from './container-risks.json' with { type: 'json' };

export const POD_SPEC_PATHS: Readonly<Record<string, readonly string[]>> = risks.podSpecPaths;
const ENDING: ReadonlySet<string> = new Set(['Job', 'CronJob']);
const MAX_LIST_DEPTH = 3;
const FILLED_IN = 'x';

export function kubernetesResources(
  documents: readonly YamlNode[],
  partial: boolean,
  depth = 0,
): ConfigResource[] {
  const isUnknown = (text: string) => text === UNKNOWN_VALUE_TEXT || (partial && text.includes(FILLED_IN));
  return documents.flatMap((document): ConfigResource[] => {
    const kind = textAt(document, 'kind') ?? '';
    if (kind === 'List' && depth < MAX_LIST_DEPTH)
      return kubernetesResources(itemsOf(nodeAt(document, 'items')), partial, depth + 1);
    const name = textAt(document, 'metadata', 'name') ?? '';
    const of = (type: string, node: YamlNode, called = name): ConfigResource[] => {
      const body = toConfigValue(node, 0, isUnknown);
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
