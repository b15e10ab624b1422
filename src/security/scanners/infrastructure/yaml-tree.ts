import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from 'yaml';

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

/** Takes reports of what of a file is not read. */
export type Leave = (what: string) => void;

const MAX_DEPTH = 40;
/** Of all documents in a file, those behind aliases counted as often as they are named. */
const MAX_NODES = 200_000;

/** All documents of a file; of a file that is not valid YAML, the parts that can be read. `leave` is called where there is more than is read. */
export function readYaml(text: string, leave?: Leave): YamlNode[] {
  const lines = new LineCounter();
  const options = { lineCounter: lines, uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
  const budget = { nodes: MAX_NODES };
  const documents = parseAllDocuments(text, options).flatMap(
    (document) =>
      readNode(document.contents, 1, 0, { document, named: new Map(), lines, budget, leave }) ?? [],
  );
  if (budget.nodes < 0) leave?.(`values over the first ${MAX_NODES} are not read`);
  return documents;
}

/** CloudFormation's short forms: `!Ref x` is `{Ref: x}`, `!Sub x` is `{Fn::Sub: x}`. */
const LOCAL_TAG = /^![A-Z]\w{1,40}$/;

interface Reading {
  readonly document: Document.Parsed;
  /** What aliases stand for: the library walks through the whole document for each. */
  readonly named: Map<Alias, Node | undefined>;
  readonly lines: LineCounter;
  /** Nodes that may still be read. */
  readonly budget: { nodes: number };
  readonly leave: Leave | undefined;
}

function readNode(node: unknown, line: number, depth: number, reading: Reading): YamlNode | undefined {
  if (depth > MAX_DEPTH) reading.leave?.(`values under ${MAX_DEPTH} others are not read`);
  if (depth > MAX_DEPTH || reading.budget.nodes-- <= 0) return undefined;
  const tag = (node as Node | null | undefined)?.tag;
  const child = readUntagged(node, line, depth, reading);
  if (tag === undefined || !LOCAL_TAG.test(tag) || !child) return child;
  const name = tag === '!Ref' || tag === '!Condition' ? tag.slice(1) : `Fn::${tag.slice(1)}`;
  return { kind: 'map', line, entries: new Map([[name, child]]) };
}

function readUntagged(node: unknown, line: number, depth: number, reading: Reading): YamlNode | undefined {
  if (isAlias(node)) {
    if (!reading.named.has(node)) reading.named.set(node, node.resolve(reading.document));
    return readNode(reading.named.get(node), line, depth + 1, reading);
  }
  if (isScalar(node)) return { kind: 'text', line, text: node.value === null ? '' : String(node.value) };
  if (isSeq(node)) {
    const items = node.items.flatMap(
      (item) => readNode(item, lineOf(item, line, reading), depth + 1, reading) ?? [],
    );
    return { kind: 'list', line, items };
  }
  if (!isMap(node)) return undefined;
  const entries = new Map<string, YamlNode>();
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const child = readNode(value, lineOf(key, line, reading), depth + 1, reading);
    if (child) entries.set(String(key.value), child);
  }
  return { kind: 'map', line, entries };
}

/** The line that a node begins on, or another where the document does not say. */
function lineOf(node: unknown, other: number, { lines }: Reading): number {
  const range = (node as Node | null | undefined)?.range;
  return range ? lines.linePos(range[0]).line : other;
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
