import { type Node, parseTree } from 'jsonc-parser';
import { createLineIndex, type LineIndex } from '../../trees/lines.ts';
import type { ReportSkipped, YamlNode } from './yaml-tree.ts';

/** Maximum nesting depth. Deeper nesting could overflow the parser's call stack; real files are less deep. */
const MAX_DEPTH = 200;
const MAX_NODES = 300_000;

export function readJson(text: string, leave?: ReportSkipped): YamlNode | undefined {
  if (depthOf(text) > MAX_DEPTH) {
    leave?.(`it is not read, since values stand under ${MAX_DEPTH} others`);
    return undefined;
  }
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) return undefined;
  const budget = { nodes: MAX_NODES };
  const node = nodeOf(root, 1, { budget, lines: createLineIndex(text) });
  if (budget.nodes < 0) leave?.(`values over the first ${MAX_NODES} are not read`);
  return node;
}

interface JsonReading {
  readonly budget: { nodes: number };
  readonly lines: LineIndex;
}

function nodeOf(node: Node, line: number, reading: JsonReading): YamlNode | undefined {
  if (reading.budget.nodes-- <= 0) return undefined;
  const { type, value, children = [] } = node;
  if (type === 'array') {
    const items = children.flatMap((one) => nodeOf(one, reading.lines.lineAt(one.offset), reading) ?? []);
    return { kind: 'list', line, items };
  }
  if (type !== 'object') return { kind: 'text', line, text: value === null ? '' : String(value) };
  const entries = new Map<string, YamlNode>();
  for (const { children: [key, inner] = [] } of children) {
    const child = key && inner ? nodeOf(inner, reading.lines.lineAt(key.offset), reading) : undefined;
    if (key && child) entries.set(String(key.value), child);
  }
  return { kind: 'map', line, entries };
}

function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character === '\\') at++;
      else if (character === '"') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return deepest;
}
