import { parse, TomlError } from 'smol-toml';
import { memberOf } from '../../../../lib/json-members.ts';
import { pushTo } from '../../../../lib/push-to.ts';
import { BrokenLockfileError } from '../lockfile-reader.ts';

export type TomlTable = Readonly<Record<string, unknown>>;

/** Parses a TOML file. Throws `BrokenLockfileError` with the number of the invalid line. */
export function parseToml(text: string): TomlTable {
  try {
    return parse(text, { maxDepth: 100 });
  } catch (thrown) {
    if (thrown instanceof TomlError)
      throw new BrokenLockfileError(`it is not valid TOML: line ${thrown.line}`);
    throw thrown;
  }
}

export function addTables(
  text: string,
  root: TomlTable,
  list: string,
  add: (entry: TomlTable, line: number) => number,
): { readonly entry: TomlTable; readonly own: number }[] {
  const lines = headerLines(text, `[[${list}]]`);
  const entries = listIn(root, list).filter(isTomlTable);
  return entries.map((entry, at) => ({ entry, own: add(entry, lines[at] ?? 1) }));
}

function headerLines(text: string, header: string): number[] {
  const found: number[] = [];
  let line = 1;
  for (let start = 0; start < text.length; line++) {
    if (text.startsWith(header, start)) found.push(line);
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return found;
}

export function allHeaderLines(text: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  let line = 0;
  for (const content of text.split('\n')) {
    line++;
    const [header] = /^\[\[[^\]]{1,300}\]\]/.exec(content) ?? [];
    if (header !== undefined) pushTo(found, header, line);
  }
  return found;
}

export const isTomlTable = (value: unknown): value is TomlTable =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

export function tableIn(value: unknown, name: string): TomlTable {
  const member = memberOf(value, name);
  return isTomlTable(member) ? member : {};
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const member = memberOf(value, name);
  return Array.isArray(member) ? member : [];
}
