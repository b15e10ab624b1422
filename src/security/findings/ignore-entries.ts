import { parseDocument } from 'yaml';

export interface IgnoreFileEntry {
  readonly line: number;
  readonly rule: string;
  readonly path: string;
  readonly reason: string;
  readonly expires: string;
}

export const isYamlIgnoreFile = (text: string): boolean => /^[ \t]*(?:-\s|[[{]|ignore\s*:)/m.test(text);

/** Parses an ignore file whose lines have the form `rule path reason [expires=2027-01-31]`. */
export function parseIgnoreLines(text: string): IgnoreFileEntry[] {
  const entries: IgnoreFileEntry[] = [];
  text.split('\n').forEach((raw, index) => {
    const words = raw.trim().split(/\s+/);
    if (words[0] === '' || words[0]?.startsWith('#')) return;
    const expires = words.find((word) => word.startsWith('expires='))?.slice('expires='.length) ?? '';
    const [rule = '', path = '', ...reason] = words.filter((word) => !word.startsWith('expires='));
    entries.push({ line: index + 1, rule, path, reason: reason.join(' '), expires });
  });
  return entries;
}

/** Parses an ignore file in YAML. Returns an error message if invalid. Hostile YAML can take seconds. */
export function parseIgnoreYaml(text: string): IgnoreFileEntry[] | string {
  let value: unknown;
  try {
    const document = parseDocument(text, { strict: true, logLevel: 'silent', stringKeys: true });
    const [error] = document.errors;
    if (error) return `The file is not valid YAML: line ${error.linePos?.[0].line ?? 1} cannot be read.`;
    value = document.toJS({ maxAliasCount: 50 });
  } catch {
    return 'The file is not usable YAML.';
  }
  const list = Array.isArray(value) ? value : (value as { ignore?: unknown } | null)?.ignore;
  if (!Array.isArray(list)) return 'The file holds no list of entries.';
  const lines = linesOfEntries(text);
  return list.map((one: unknown, index) => {
    const entry = (typeof one === 'object' && one !== null ? one : {}) as Record<string, unknown>;
    const field = (name: string) => {
      const given = entry[name];
      if (given instanceof Date) return given.toISOString().slice(0, 10);
      return typeof given === 'string' || typeof given === 'number' ? String(given).trim() : '';
    };
    const line = lines[index] ?? 1;
    return {
      line,
      rule: field('rule'),
      path: field('path'),
      reason: field('reason'),
      expires: field('expires'),
    };
  });
}

/** Returns the line numbers of a YAML list's entries. They are approximate: the YAML is not parsed. */
function linesOfEntries(text: string): number[] {
  const indents = text.split('\n').map((line) => /^(\s*)-\s/.exec(line)?.[1]?.length);
  const least = indents.reduce<number>((low, indent) => Math.min(low, indent ?? Infinity), Infinity);
  return indents.flatMap((indent, index) => (indent === least ? [index + 1] : []));
}
