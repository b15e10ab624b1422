import type { ConfigResource, ConfigValue } from '../value.ts';
import type { YamlNode } from '../yaml-tree.ts';
import names from './kubernetes-names.json' with { type: 'json' };

const KINDS: Readonly<Record<string, string>> = names.kinds;
const PLURALS: Readonly<Record<string, string>> = names.plurals;
export const UNKNOWN_VALUE_TEXT = '(known to a run)';

export function toKubernetesManifest({ type, body }: ConfigResource): YamlNode | undefined {
  const kind = KINDS[type.replace(/_v1$/, '')];
  if (kind === undefined) return undefined;
  const node = nodeOf(body);
  if (node.kind !== 'map') return undefined;
  return {
    ...node,
    entries: new Map([...node.entries, ['kind', { kind: 'text', line: node.line, text: kind }]]),
  };
}

function nodeOf(value: ConfigValue): YamlNode {
  const { line } = value;
  if (value.kind === 'unknown') return { kind: 'text', line, text: UNKNOWN_VALUE_TEXT };
  if (value.kind === 'text') return { kind: 'text', line, text: value.text };
  if (value.kind === 'list') {
    const items = value.items.map(nodeOf);
    const [only] = items;
    return only?.kind === 'map' && items.length === 1 ? only : { kind: 'list', line, items };
  }
  const entries = new Map<string, YamlNode>();
  for (const [key, one] of value.entries) entries.set(PLURALS[key] ?? camelCase(key), nodeOf(one));
  return { kind: 'map', line, entries };
}

function camelCase(key: string): string {
  if (/^host_(?:pid|ipc)$/.test(key)) return `host${key.slice(5).toUpperCase()}`;
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
