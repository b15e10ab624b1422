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
  type Scalar,
  visit,
} from 'yaml';

export type YamlNode = NodeMap<YamlNode> | NodeList<YamlNode> | YamlText;
export interface NodeMap<Of> {
  readonly kind: 'map';
  readonly line: number;
  /** Entries by key. The line of a value is the line of its key. */
  readonly entries: ReadonlyMap<string, Of>;
}
export interface NodeList<Of> {
  readonly kind: 'list';
  readonly line: number;
  readonly items: readonly Of[];
}
export interface YamlText {
  readonly kind: 'text';
  readonly line: number;
  readonly text: string;
}

export type ReportSkipped = (what: string) => void;

const MAX_DEPTH = 40;
/** Maximum number of nodes in all documents of a file. Nodes repeated by an alias count at each use. */
const MAX_NODES = 200_000;
/** Maximum number of characters that aliases repeat in a file. The first use of a text is not counted. */
const MAX_REPEATED = 500_000;

export function readYaml(text: string, leave?: ReportSkipped): YamlNode[] {
  const lines = new LineCounter();
  const options = { lineCounter: lines, uniqueKeys: false, logLevel: 'silent', prettyErrors: false } as const;
  const budget = { nodes: MAX_NODES, repeated: MAX_REPEATED };
  const read = new Set<Node>();
  const documents = parseAllDocuments(text, options).flatMap(
    (document) =>
      readNode(document.contents, 1, 0, { document, named: new Map(), read, lines, budget, leave }) ?? [],
  );
  if (budget.nodes < 0) leave?.(`values over the first ${MAX_NODES} are not read`);
  if (budget.repeated < 0) leave?.(`texts over the first ${MAX_REPEATED} characters of aliases are not read`);
  return documents;
}

/** Matches the short form of a CloudFormation function: `!Ref x` is `{Ref: x}`, `!Sub x` is `{Fn::Sub: x}`. */
const LOCAL_TAG = /^![A-Z]\w{1,40}$/;

interface YamlState {
  readonly document: Document.Parsed;
  /** Cache of the node to which each alias refers. Without it, each alias needs a search of the document. */
  readonly named: Map<Alias, Node | undefined>;
  readonly read: Set<Node>;
  readonly lines: LineCounter;
  readonly budget: { nodes: number; repeated: number };
  readonly leave: ReportSkipped | undefined;
}

function readNode(node: unknown, line: number, depth: number, reading: YamlState): YamlNode | undefined {
  if (depth > MAX_DEPTH) reading.leave?.(`values under ${MAX_DEPTH} others are not read`);
  if (depth > MAX_DEPTH || reading.budget.nodes-- <= 0) return undefined;
  const tag = (node as Node | null | undefined)?.tag;
  const child = readUntagged(node, line, depth, reading);
  if (tag === undefined || !LOCAL_TAG.test(tag) || !child) return child;
  const name = tag === '!Ref' || tag === '!Condition' ? tag.slice(1) : `Fn::${tag.slice(1)}`;
  return { kind: 'map', line, entries: new Map([[name, child]]) };
}

function readUntagged(node: unknown, line: number, depth: number, reading: YamlState): YamlNode | undefined {
  if (isAlias(node)) {
    if (reading.named.size === 0) nameAliases(reading);
    return readNode(reading.named.get(node), line, depth + 1, reading);
  }
  if (isScalar(node)) {
    const text = textOf(node, reading);
    return text === undefined ? undefined : { kind: 'text', line, text };
  }
  if (isSeq(node)) {
    const items = node.items.flatMap(
      (item) => readNode(item, lineOf(item, line, reading), depth + 1, reading) ?? [],
    );
    return { kind: 'list', line, items };
  }
  if (!isMap(node)) return undefined;
  const entries = new Map<string, YamlNode>();
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? textOf(key, reading) : undefined;
    if (name === undefined) continue;
    const child = readNode(value, lineOf(key, line, reading), depth + 1, reading);
    if (child) entries.set(name, child);
  }
  return { kind: 'map', line, entries };
}

function textOf(node: Scalar, { read, budget }: YamlState): string | undefined {
  const text = node.value === null ? '' : String(node.value);
  const isRepeated = read.has(node);
  if (isRepeated) budget.repeated -= text.length;
  read.add(node);
  return isRepeated && budget.repeated < 0 ? undefined : text;
}

function nameAliases({ document, named }: YamlState): void {
  const anchors = new Map<string, Node>();
  visit(document, {
    Alias: (_, alias) => void named.set(alias, anchors.get(alias.source)),
    Value: (_, node) => void (node.anchor && anchors.set(node.anchor, node)),
  });
}

function lineOf(node: unknown, other: number, { lines }: YamlState): number {
  const range = (node as Node | null | undefined)?.range;
  return range ? lines.linePos(range[0]).line : other;
}

export function nodeAt(node: YamlNode | undefined, ...keys: readonly string[]): YamlNode | undefined {
  let here = node;
  for (const key of keys) here = here?.kind === 'map' ? here.entries.get(key) : undefined;
  return here;
}

export function textAt(node: YamlNode | undefined, ...keys: readonly string[]): string | undefined {
  const found = nodeAt(node, ...keys);
  return found?.kind === 'text' ? found.text : undefined;
}

export function itemsOf(node: YamlNode | undefined): readonly YamlNode[] {
  if (node === undefined) return [];
  return node.kind === 'list' ? node.items : [node];
}

export function entriesOf(node: YamlNode | undefined): readonly (readonly [key: string, value: YamlNode])[] {
  return node?.kind === 'map' ? [...node.entries] : [];
}

export const isTrue = (node: YamlNode | undefined): boolean =>
  node?.kind === 'text' && /^(?:true|yes|on)$/i.test(node.text);

export const isFalse = (node: YamlNode | undefined): boolean =>
  node?.kind === 'text' && /^(?:false|no|off)$/i.test(node.text);
