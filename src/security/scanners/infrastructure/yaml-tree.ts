import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from 'yaml';

/** A YAML value with the line it begins on, from 1. */
export type YamlNode = YamlMap | YamlList | YamlText;
export interface YamlMap {
  readonly kind: 'map';
  readonly line: number;
  /** By key; the value's line is the key's. */
  readonly entries: ReadonlyMap<string, YamlNode>;
}
export interface YamlList {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly YamlNode[];
}
export interface YamlText {
  readonly kind: 'text';
  readonly line: number;
  readonly text: string;
}

const DEEPEST = 40;
/** Of all documents in a file, those behind aliases counted as often as they are named. */
const MOST_NODES = 200_000;

/** All documents of a file; what is no YAML gives those parts that are. */
export function readYaml(text: string): YamlNode[] {
  const counter = new LineCounter();
  let left = MOST_NODES;
  const lineOf = (node: Node | null | undefined, other: number) =>
    node?.range ? counter.linePos(node.range[0]).line : other;
  return parseAllDocuments(text, { lineCounter: counter, uniqueKeys: false, logLevel: 'silent' }).flatMap(
    (document) => {
      const read = (node: unknown, line: number, depth: number): YamlNode | undefined => {
        if (depth > DEEPEST || left-- <= 0) return undefined;
        if (isAlias(node)) return read(node.resolve(document), line, depth + 1);
        if (isScalar(node))
          return { kind: 'text', line, text: node.value === null ? '' : String(node.value) };
        if (isSeq(node)) {
          const items = node.items.flatMap((item) => read(item, lineOf(item as Node, line), depth + 1) ?? []);
          return { kind: 'list', line, items };
        }
        if (!isMap(node)) return undefined;
        const entries = new Map<string, YamlNode>();
        for (const { key, value } of node.items) {
          const name = isScalar(key) ? String(key.value) : undefined;
          const at = lineOf(key as Node, line);
          const child = name === undefined ? undefined : read(value, at, depth + 1);
          if (name !== undefined && child) entries.set(name, child);
        }
        return { kind: 'map', line, entries };
      };
      return read(document.contents, 1, 0) ?? [];
    },
  );
}

/** The value behind some keys; undefined where one is missing. */
export function at(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  let here = node;
  for (const key of keys) here = here?.kind === 'map' ? here.entries.get(key) : undefined;
  return here;
}

/** The text behind some keys; undefined for anything else. */
export function textAt(node: YamlNode | undefined, ...keys: readonly string[]): string | undefined {
  const found = at(node, ...keys);
  return found?.kind === 'text' ? found.text : undefined;
}

/** The items of a list; a single value is a list of one, nothing a list of none. */
export function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  if (node === undefined) return [];
  return node.kind === 'list' ? node.items : [node];
}

export function entriesOf(node: YamlNode | undefined): readonly (readonly [key: string, value: YamlNode])[] {
  return node?.kind === 'map' ? [...node.entries] : [];
}

export function isTrue(node: YamlNode | undefined): boolean {
  return node?.kind === 'text' && /^(?:true|yes|on)$/i.test(node.text);
}

export function isFalse(node: YamlNode | undefined): boolean {
  return node?.kind === 'text' && /^(?:false|no|off)$/i.test(node.text);
}
