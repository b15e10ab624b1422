import { parse } from 'smol-toml';
import { readJson } from '../../infrastructure/json-tree.ts';
import { type ReportSkipped, readYaml, type YamlNode } from '../../infrastructure/yaml-tree.ts';

const MAX_DEPTH = 40;
/** How far a key is searched from the line of its table, so that a large file takes linear time. */
const MAX_LINES_AHEAD = 300;

/** Parses settings in JSON with comments, TOML or YAML. Returns undefined if the file is invalid. */
export function readSettings(path: string, text: string, leave?: ReportSkipped): YamlNode | undefined {
  if (/\.ya?ml$/i.test(path)) return readYaml(text, leave)[0];
  if (!/\.toml$/i.test(path)) return readJson(text, leave);
  try {
    return nodeOf(parse(text, { maxDepth: MAX_DEPTH }), 1, text.split('\n'));
  } catch {
    leave?.('it is not valid TOML');
    return undefined;
  }
}

/** The TOML parser reports no lines, so the line of a key is the next line that begins with it or names it in a header. */
function nodeOf(value: unknown, line: number, lines: readonly string[]): YamlNode {
  if (Array.isArray(value))
    return { kind: 'list', line, items: value.map((one) => nodeOf(one, line, lines)) };
  if (typeof value !== 'object' || value === null || value instanceof Date)
    return { kind: 'text', line, text: String(value) };
  const entries = Object.entries(value).map(([key, child]) => {
    const ahead = lines.slice(line - 1, line - 1 + MAX_LINES_AHEAD).findIndex((one) => names(one, key));
    const own = ahead < 0 ? line : line + ahead;
    return [key, nodeOf(child, own, lines)] as const;
  });
  return { kind: 'map', line, entries: new Map(entries) };
}

function names(line: string, key: string): boolean {
  const begin = line.trimStart();
  return begin.startsWith('[') ? begin.includes(key) : begin.replace(/^["']/, '').startsWith(key);
}
