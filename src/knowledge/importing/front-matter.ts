import { parse as parseToml, TomlError } from 'smol-toml';
import { isMap, isScalar, isSeq, type Pair, parseDocument } from 'yaml';

const MAX_FRONT = 60_000;
/** Limits the cost of hostile YAML: keys must be strings, and the slow check for duplicate keys is off. */
const YAML = { schema: 'core', stringKeys: true, uniqueKeys: false } as const;

type KeyTest = (key: string) => boolean;

export interface FrontField {
  readonly key: string;
  /** The field's lines as they are in the file, with comments and line ends. */
  readonly raw: string;
  /** Values as written in the file, such as `1.10` and not 1.1. `values` is undefined for nested values. */
  readonly values?: readonly string[];
  readonly isList: boolean;
}

export interface SplitNote {
  readonly fields: readonly FrontField[];
  readonly body: string;
  readonly newline: string;
  readonly broken?: { readonly line: number; readonly why: string; readonly language?: string };
}

/**
 * Splits a note into front matter and text. Front matter is YAML between `---`, TOML between `+++`, or JSON
 * between `;;;`, `---json` or braces. Invalid YAML or TOML is read line by line and reported in `broken`.
 */
export function splitFrontMatter(text: string, isKnown: KeyTest): SplitNote {
  const open =
    /^(---|\+\+\+|;;;)[ \t]{0,99}(ya?ml|toml|json)?[ \t]{0,99}(\r?\n)|^(?=\{[ \t]{0,99}(\r?\n))/.exec(text);
  const [start = '', mark = '', language = LANGUAGES[mark] ?? 'json', newline = open?.[4] ?? '\n'] =
    open ?? [];
  const none = { fields: [], body: text, newline };
  if (!open) return none;
  const from = start.length;
  const close = CLOSINGS[mark]?.exec(text.slice(from, from + MAX_FRONT));
  if (!close) return none;
  // The closing brace is part of the JSON. A closing `---`, `+++` or `;;;` is only a delimiter.
  const end = from + close.index + (mark === '' ? 1 : 0);
  const block = text.slice(from, end);
  const body = text.slice(from + close.index + close[0].length);
  if (block.trim() === '' && body.trim() === '') return { fields: [], body, newline };
  const read = readBlock(block, language, isKnown);
  if (mark === '' && (body.trim() === '' || !read?.fields.some(({ key }) => isKnown(key)))) return none;
  return read ? { ...read, body, newline } : none;
}

const LANGUAGES: Readonly<Record<string, string>> = { '---': 'yaml', '+++': 'toml' };
const CLOSINGS: Readonly<Record<string, RegExp>> = {
  '---': /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m,
  '+++': /^\+\+\+[ \t]*(?:\r?\n|$)/m,
  ';;;': /^;;;[ \t]*(?:\r?\n|$)/m,
  '': /^\}[ \t]*(?:\r?\n|$)/m,
};

type ReadBlock = Pick<SplitNote, 'fields' | 'broken'>;

function readBlock(block: string, language: string, isKnown: KeyTest): ReadBlock | undefined {
  if (language === 'toml') return readToml(block, isKnown);
  const parsed = parse(block);
  const mapping = readMapping(block, parsed);
  // The YAML parser also reads JSON. Braces (`flow`) show that the block is JSON.
  if (language === 'json') return isMap(parsed.contents) && parsed.contents.flow ? mapping : undefined;
  return mapping ?? readLines(block, parsed, isKnown);
}

function readMapping(block: string, { contents, errors }: ParsedYaml): ReadBlock | undefined {
  if (errors.length > 0 || !isMap(contents)) return undefined;
  const pairs = contents.items.flatMap((pair) => {
    const at = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
    return at === undefined ? [] : [{ pair, at }];
  });
  const named = pairs.map(({ pair }) => fieldOf(pair));
  if (contents.flow) {
    return { fields: [{ key: '', raw: block, isList: false }, ...named.map((one) => ({ ...one, raw: '' }))] };
  }
  const starts = pairs.map(({ at }) => block.lastIndexOf('\n', at - 1) + 1);
  const fields = [
    { key: '', raw: block.slice(0, starts[0]), isList: false },
    ...named.map((one, at) => ({ ...one, raw: block.slice(starts[at], starts[at + 1]) })),
  ];
  const twice = findSecond(named.map(({ key }) => key));
  if (twice < 0) return { fields };
  const start = starts[twice] ?? 0;
  const [key = ''] = block.slice(start).split(':', 1);
  return {
    fields,
    broken: { line: lineAt(block, start), why: `the key ${JSON.stringify(key)} is there twice` },
  };
}

type ParsedYaml = Pick<ReturnType<typeof parseDocument>, 'contents' | 'errors'>;

function parse(block: string): ParsedYaml {
  try {
    return parseDocument(block, YAML);
  } catch {
    // The parser throws on deeply nested YAML. The block then has no fields and stays in the note's text.
    return { contents: null, errors: [] };
  }
}

function fieldOf({ key, value }: Pair): Pick<FrontField, 'key' | 'values' | 'isList'> {
  const name = (isScalar(key) ? String(key.source ?? '') : '').toLowerCase();
  if (value === null || isScalar(value)) return { key: name, values: scalarOf(value), isList: false };
  if (!isSeq(value) || !value.items.every((one) => isScalar(one))) return { key: name, isList: false };
  return { key: name, values: value.items.flatMap(scalarOf), isList: true };
}

function scalarOf(node: unknown): string[] {
  if (!isScalar(node) || node.value === null) return [];
  const text = (node.source ?? String(node.value)).trim();
  return text === '' ? [] : [text];
}

function findSecond(keys: readonly string[]): number {
  const seen = new Set<string>();
  return keys.findIndex((key) => seen.size === seen.add(key).size);
}

const lineAt = (block: string, at: number): number => block.slice(0, at).split('\n').length + 1;

/** Pattern of a line that begins a field: a key of at most 80 characters, and a colon. */
const KEY_LINE = /^(["']?)([\p{L}\p{N}_][^:\r\n]{0,79}?)\1[ \t]{0,9}:(?=\s|$)/u;

function readLines(block: string, { errors: [error] }: ParsedYaml, isKnown: KeyTest): ReadBlock | undefined {
  if (error === undefined) return undefined;
  const lines = block.split(/(?<=\n)/);
  const keys = lines.map((line) => KEY_LINE.exec(line)?.[2]?.trim().toLowerCase());
  const outer = lines.flatMap((line, at) => (/^[^\s#\-\]}]/.test(line) ? [keys[at]] : []));
  const isMeant = outer.every((key) => key !== undefined) || outer.some((key) => key && isKnown(key));
  if (outer[0] === undefined || !isMeant) return undefined;
  const starts = keys.flatMap((key, at) => (key === undefined ? [] : [{ key, at }]));
  const raw = (from?: number, to?: number) => lines.slice(from, to).join('');
  const seen = new Set<string>();
  const fields = starts.map(({ key, at }, number) => {
    const text = raw(at, starts[number + 1]?.at);
    const isRead = isKnown(key) && seen.size !== seen.add(key).size;
    return { key, isList: false, raw: text, ...(isRead && valuesOfLines(text)) };
  });
  const why = (error.message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
  const line = (error.linePos?.[0].line ?? 1) + 1;
  return {
    fields: [{ key: '', raw: raw(0, starts[0]?.at), isList: false }, ...fields],
    broken: { line, why },
  };
}

function valuesOfLines(raw: string): Pick<FrontField, 'values' | 'isList'> {
  const { contents, errors } = parse(raw);
  const pair = isMap(contents) && errors.length === 0 ? contents.items[0] : undefined;
  if (pair) return fieldOf(pair);
  const [first = '', ...others] = raw.split(/\r?\n/);
  const value = first.replace(KEY_LINE, '').trim();
  const items = others.flatMap((line) => /^\s*- +(\S.*)$/.exec(line)?.[1] ?? []);
  const values = [value, ...items].map(withoutQuotes).filter(Boolean);
  return { values, isList: items.length > 0 };
}

function withoutQuotes(text: string): string {
  const plain = text.trim();
  return /^(["']).*\1$/.test(plain) && plain.length > 1 ? plain.slice(1, -1).trim() : plain;
}

function readToml(block: string, isKnown: KeyTest): ReadBlock | undefined {
  const { table, error } = tomlOf(block);
  if (!/^[\w" -]{1,80}=/m.test(block)) return undefined;
  const { taxonomies, ...fields } =
    table ?? Object.assign({}, ...block.split('\n').map((line) => tomlOf(line).table));
  const read = Object.entries({ ...fields, ...(taxonomies as object) }).flatMap(([name, value]) => {
    const [key, values] = [name.toLowerCase(), tomlValues(value)];
    return values && isKnown(key) ? [{ key, values, raw: '', isList: Array.isArray(value) }] : [];
  });
  const [why = ''] = error?.message.split('\n', 1) ?? [];
  return {
    fields: [{ key: '', raw: block, isList: false }, ...read],
    ...(error && { broken: { line: error.line + 1, why, language: 'TOML' } }),
  };
}

function tomlOf(text: string): {
  readonly table?: Readonly<Record<string, unknown>>;
  readonly error?: TomlError;
} {
  try {
    return { table: parseToml(text, { maxDepth: 50 }) };
  } catch (error) {
    if (error instanceof TomlError) return { error };
    throw error;
  }
}

function tomlValues(value: unknown): string[] | undefined {
  if (typeof value === 'string' || typeof value === 'number') return [String(value)];
  if (value instanceof Date) return [value.toISOString()];
  return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined;
}
