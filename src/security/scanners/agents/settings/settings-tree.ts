import { parse } from 'smol-toml';
import { readJson } from '../../infrastructure/json-tree.ts';
import { type ReportSkipped, readYaml, type YamlNode } from '../../infrastructure/yaml-tree.ts';

const MAX_DEPTH = 40;
/** Maximum number of lines to search for a key of a TOML table. Keeps the time linear for large files. */
const MAX_LINES_AHEAD = 300;
const MAX_LINE_CHARACTERS = 200;
/** Maximum characters that YAML aliases may add. Short aliases can repeat a long text many times. */
const ALIAS_CHARACTERS = 200_000;

export function readAgentSettings(path: string, text: string, leave?: ReportSkipped): YamlNode | undefined {
  if (/\.ya?ml$/i.test(path))
    return withinBudget(readYaml(text, leave)[0], text.length + ALIAS_CHARACTERS, leave);
  if (!/\.toml$/i.test(path)) return readJson(text, leave);
  try {
    return nodeOf(parse(text, { maxDepth: MAX_DEPTH }), 1, text.split('\n').map(beginOf));
  } catch {
    leave?.('it is not valid TOML');
    return undefined;
  }
}

/** Converts parsed TOML. The parser reports no lines, so a key gets the next line that begins with it. */
function nodeOf(value: unknown, line: number, lines: readonly string[]): YamlNode {
  if (Array.isArray(value))
    return { kind: 'list', line, items: value.map((one) => nodeOf(one, line, lines)) };
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return { kind: 'text', line, text: String(value) };
  const entries = Object.entries(value).map(([key, child]) => {
    const own = lineNaming(key, line, lines);
    return [key, nodeOf(child, own, lines)] as const;
  });
  return { kind: 'map', line, entries: new Map(entries) };
}

const beginOf = (line: string): string => line.slice(0, MAX_LINE_CHARACTERS).trimStart().replace(/^["']/, '');

function lineNaming(key: string, from: number, begins: readonly string[]): number {
  for (let line = from; line < from + MAX_LINES_AHEAD; line++) {
    const begin = begins[line - 1] ?? '';
    if (begin.startsWith('[') ? begin.includes(key) : begin.startsWith(key)) return line;
  }
  return from;
}

/** Empties strings beyond a total of `characters`, because YAML aliases can repeat strings. */
function withinBudget(root: YamlNode | undefined, characters: number, leave?: ReportSkipped) {
  let left = characters;
  const cut = (node: YamlNode): YamlNode => {
    if (node.kind === 'list') return { ...node, items: node.items.map(cut) };
    if (node.kind === 'map')
      return { ...node, entries: new Map([...node.entries].map(([key, one]) => [key, cut(one)])) };
    left -= node.text.length;
    return left < 0 ? { ...node, text: '' } : node;
  };
  const within = root && cut(root);
  if (left < 0) leave?.('texts that aliases repeat are not all read');
  return within;
}
