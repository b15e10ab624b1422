import type { NodeList, NodeMap, YamlNode, YamlText } from './yaml-tree.ts';

export type ConfigValue = ValueMap | NodeList<ConfigValue> | YamlText | UnknownValue;
export type ValueMap = NodeMap<ConfigValue>;
/** A value that is known only when the configuration is applied, such as a function call. `text` is its source code. */
export interface UnknownValue {
  readonly kind: 'unknown';
  readonly line: number;
  readonly text: string;
}

export interface ConfigResource {
  readonly type: string;
  readonly name: string;
  readonly line: number;
  readonly body: ValueMap;
  /** True if other files may set further attributes. A missing attribute then does not violate a policy. */
  readonly partial?: true;
}

/** A value at a path. For a missing path (`absent`), `line` is the line of the last part that exists. */
export type FoundValue = ConfigValue | { readonly kind: 'absent'; readonly line: number };

/** Converts a node and adds `shift` to its lines. Texts for which `isUnknown` is true become unknown values. */
export function toConfigValue(
  node: YamlNode,
  shift: number,
  isUnknown: (text: string) => boolean = () => false,
): ConfigValue {
  const line = node.line + shift;
  const convert = (one: YamlNode) => toConfigValue(one, shift, isUnknown);
  if (node.kind === 'text') return { kind: isUnknown(node.text) ? 'unknown' : 'text', line, text: node.text };
  if (node.kind === 'list') return { kind: 'list', line, items: node.items.map(convert) };
  return { kind: 'map', line, entries: new Map([...node.entries].map(([key, one]) => [key, convert(one)])) };
}

const MAX_PLACES = 500;

export function findValuesAt(value: ConfigValue, path: string): FoundValue[] {
  let places: FoundValue[] = [value];
  for (const key of path === '' ? [] : path.split('.')) {
    places = places
      .flatMap(flattenLists)
      .slice(0, MAX_PLACES)
      .flatMap((place) => step(place, key));
  }
  return places.slice(0, MAX_PLACES);
}

function step(place: FoundValue, key: string): FoundValue[] {
  if (place.kind === 'unknown' || place.kind === 'absent') return [place];
  // The text may be JSON or another format that contains the key, so the value is unknown.
  if (place.kind === 'text') return [{ kind: 'unknown', line: place.line, text: '' }];
  if (place.kind !== 'map') return [{ kind: 'absent', line: place.line }];
  if (key === '*') return [...place.entries.values()];
  return [place.entries.get(key) ?? { kind: 'absent', line: place.line }];
}

export function flattenLists(place: FoundValue): FoundValue[] {
  if (place.kind !== 'list') return [place];
  return place.items.length === 0
    ? [{ kind: 'absent', line: place.line }]
    : place.items.flatMap(flattenLists);
}

export const entryOf = (value: ConfigValue | undefined, key: string): ConfigValue | undefined =>
  value?.kind === 'map' ? value.entries.get(key) : undefined;

export function configTextOf(value: ConfigValue | undefined, key: string): string | undefined {
  const entry = entryOf(value, key);
  return entry?.kind === 'text' ? entry.text : undefined;
}

export function itemsOf(value: ConfigValue | undefined): readonly ConfigValue[] {
  if (value === undefined) return [];
  return value.kind === 'list' ? value.items : [value];
}
