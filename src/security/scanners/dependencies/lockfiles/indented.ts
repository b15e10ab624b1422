import { BrokenLockfileError } from '../lockfile-reader.ts';

/** A line of a file that is nested by indentation. `entries` are the lines one level below this line. */
export interface IndentedEntry {
  readonly key: string;
  readonly value: string | undefined;
  readonly line: number;
  readonly entries: IndentedEntry[];
}

const MAX_DEPTH = 50;

/** Parses the subset of YAML that yarn and pnpm write, which excludes aliases. Throws `BrokenLockfileError`. */
export function parseIndented(text: string): IndentedEntry[] {
  const root: IndentedEntry = { key: '', value: undefined, line: 0, entries: [] };
  const open: { indent: number; entry: IndentedEntry }[] = [{ indent: -1, entry: root }];
  let line = 0;
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; ) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const whole = text.slice(start, end).trimEnd();
    start = end + 1;
    line++;
    const indent = whole.length - whole.trimStart().length;
    const content = whole.slice(indent);
    if (content === '' || content.startsWith('#') || content === '---' || content === ':') continue;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const parent = open.at(-1)?.entry ?? root;
    if (content.startsWith('- ')) {
      parent.entries.push({ key: unquoted(content.slice(2)), value: undefined, line, entries: [] });
      continue;
    }
    const entry = { ...entryOf(content, line), line, entries: [] };
    parent.entries.push(entry);
    open.push({ indent, entry });
    if (open.length > MAX_DEPTH)
      throw new BrokenLockfileError(`line ${line} is nested over ${MAX_DEPTH} deep`);
  }
  return root.entries;
}

function entryOf(content: string, line: number): Pick<IndentedEntry, 'key' | 'value'> {
  const text = content.startsWith('? ') ? `${content.slice(2)}:` : content;
  const quoted = closing(text, 0);
  if (quoted > 0 && !text.startsWith(', ', quoted)) {
    const rest = text.slice(quoted).replace(/^:/, '').trim();
    return { key: unquoted(text.slice(0, quoted)), value: rest === '' ? undefined : unquoted(rest) };
  }
  if (text.endsWith(':')) return { key: text.slice(0, -1), value: undefined };
  const colon = text.indexOf(': ');
  const gap = colon < 0 ? text.indexOf(' ') : colon;
  if (gap <= 0 || /^[<=>]{7}/.test(text))
    throw new BrokenLockfileError(`line ${line} is not an entry of a lockfile`);
  return { key: text.slice(0, gap), value: unquoted(text.slice(gap + (colon < 0 ? 1 : 2)).trim()) };
}

function closing(text: string, from: number): number {
  const mark = text[from];
  if (mark !== '"' && mark !== "'") return -1;
  for (let at = from + 1; at < text.length; at++) {
    if (text[at] === '\\' && mark === '"') at++;
    else if (text[at] === mark) return at + 1;
  }
  return -1;
}

function unquoted(text: string): string {
  if (closing(text, 0) !== text.length) return text;
  const inner = text.slice(1, -1);
  return text[0] === '"' ? inner.replace(/\\(["\\/])/g, '$1') : inner.replaceAll("''", "'");
}

export const entryIn = (entries: readonly IndentedEntry[], key: string): IndentedEntry | undefined =>
  entries.find((entry) => entry.key === key);

export const valueIn = (entries: readonly IndentedEntry[], key: string): string | undefined =>
  entryIn(entries, key)?.value;

/** Parses a map on one line, `{a: b, c: d}`, which pnpm writes for short maps. */
export function inlineMap(value: string | undefined): Map<string, string> {
  const members = new Map<string, string>();
  if (!value?.startsWith('{') || !value.endsWith('}')) return members;
  for (const part of value.slice(1, -1).split(', ')) {
    const colon = part.indexOf(': ');
    if (colon > 0) members.set(unquoted(part.slice(0, colon).trim()), unquoted(part.slice(colon + 2).trim()));
  }
  return members;
}
