import { z } from 'zod';
import { isBlankText } from '../../lib/text/invisible.ts';
import { boundedLines } from '../../lib/text/lines.ts';
import { fitToEntryLimits } from '../importing/fit-to-entry-limits.ts';
import { formatOtherFields, parseExactJson, parsePythonJson } from '../importing/format-other-fields.ts';
import type { ImportedEntry, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  isTextList,
  MIN_MICROSECONDS,
  parseTags,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { findField, parseFieldTime } from '../importing/known-fields.ts';
import { readImportFileHead } from './file-text.ts';
import { readRecord } from './record-entry.ts';

/** Maximum bytes of a line. The largest entry fits even if each of its characters is escaped. */
const MAX_LINE_BYTES = 8_000_000;

const entryLine = z.object({
  id: z.string().min(1).optional(),
  text: z.string(),
  title: z.string().optional(),
  source: z.string().optional(),
  tags: z.array(z.string()).optional(),
  collection: z.string().optional(),
  key: z.string().optional(),
  createdAt: z.int().min(0).optional(),
  updatedAt: z.int().min(0).optional(),
  validUntil: z.int().min(0).optional(),
});

const OWN_FIELDS = new Set(Object.keys(entryLine.shape));

/** JSON lines: Magpie's backups, server-memory's graph, and lines with the text in a field like `content`. */
export const jsonl: ImportKind = {
  name: 'jsonl',
  title: 'JSON lines (magpie kb export, server-memory, any lines with text or content)',
  backup: true,
  async recognises(files) {
    const [file] = files;
    if (files.length !== 1 || file === undefined) return false;
    if (/\.(?:jsonl|ndjson)(?:\.gz)?$/i.test(file.name)) return true;
    const lines = (await readImportFileHead(file)).replace(/^\uFEFF?\s*/, '').split('\n');
    // At least one line must be an entry. Lines with other objects may be from another program.
    return lines[0]?.startsWith('{') === true && lines.some((line) => isEntry(line));
  },
  async *read(files) {
    for (const file of files) {
      let number = 0;
      for await (const line of boundedLines(file.chunks(), MAX_LINE_BYTES)) {
        const at = `line ${++number}`;
        if ('problem' in line) yield { at, problem: line.problem };
        else if (line.text.trim() !== '') yield* itemsOf(line.text, at);
      }
    }
  },
};

function isEntry(line: string): boolean {
  return line.trim() !== '' && itemsOf(line, '').some((item) => 'entry' in item);
}

function itemsOf(line: string, at: string): ImportItem[] {
  let value: unknown;
  let exact: unknown;
  try {
    value = parsePythonJson(line);
    exact = parseExactJson(line);
  } catch {
    return [{ at, problem: 'is not JSON: each line takes one entry' }];
  }
  const own = entryLine.safeParse(value);
  const isOwn = own.success
    ? isOwnLine(own.data, Object.keys(asObject(value)))
    : isBrokenOwn(asObject(value));
  const record = asObject(exact);
  const textOf = (given: unknown) => (typeof given === 'string' ? given : undefined);
  const text = findField('text', Object.entries(record), textOf);
  const graph = isOwn ? undefined : graphEntry(record);
  const found = isOwn && own.success ? { entry: own.data, taken: OWN_FIELDS } : graph;
  if (found === undefined && (isOwn || text === undefined)) {
    const [issue] = own.error?.issues ?? [];
    const what = issue?.path.join('.') || 'it';
    return [{ at, problem: `is not an entry: ${what} is not usable; a line is an object with a text` }];
  }
  const isBlank = isBlankText(found?.entry.text ?? text?.value ?? '');
  if (found === undefined && text !== undefined && !isBlank) return foreignItems(record, text.name, at);
  if (found === undefined || isBlank) return [{ at, problem: 'text is empty: give the text to remember' }];
  const { entry, taken } = found;
  const { lines, vectors } = formatOtherFields(record, taken);
  const leftOut = vectors > 0 ? [{ at, skipped: 'a vector', count: vectors }] : [];
  const whole = { ...entry, text: [entry.text, lines.join('\n')].filter(Boolean).join('\n\n') };
  return [{ at, entry: isOwn ? whole : fitToEntryLimits(whole) }, ...leftOut];
}

function foreignItems(line: ImportFields, textField: string, at: string): ImportItem[] {
  const isPlace = ([name, value]: [string, unknown]) =>
    textField === 'text' && /^(?:collection|key)$/.test(name) && typeof value === 'string';
  const fields = Object.entries(line);
  const place = Object.fromEntries(fields.filter(isPlace));
  const items = readRecord(Object.fromEntries(fields.filter((field) => !isPlace(field))), { at });
  return items.map((item) =>
    'entry' in item ? { ...item, entry: fitToEntryLimits({ ...item.entry, ...place }) } : item,
  );
}

/** End of an id that Magpie made: a time in microseconds. */
const OWN_ID = /-\d{1,17}$/;
const TIMES = ['createdAt', 'updatedAt'] as const;

/**
 * True for a line of Magpie's backup. Lines of other programs have additional fields, or times in seconds or
 * milliseconds instead of microseconds.
 */
function isOwnLine(line: z.infer<typeof entryLine>, fields: readonly string[]): boolean {
  const times = TIMES.flatMap((name) => line[name] ?? []);
  if (times.some((time) => time >= MIN_MICROSECONDS)) return true;
  if (fields.some((name) => !OWN_FIELDS.has(name))) return false;
  return OWN_ID.test(line.id ?? '') || times.every((time) => parseFieldTime(time) === undefined);
}

/** Returns true for a damaged line of Magpie's backup: its text is a number, or a time is out of range. */
function isBrokenOwn(line: Readonly<Record<string, unknown>>): boolean {
  const isWrong = (name: (typeof TIMES)[number]) => !entryLine.shape[name].safeParse(line[name]).success;
  return typeof line.text === 'number' || TIMES.some((name) => Number.isInteger(line[name]) && isWrong(name));
}

interface FoundEntry {
  readonly entry: ImportedEntry;
  readonly taken: ReadonlySet<string>;
}

function graphEntry(record: Readonly<Record<string, unknown>>): FoundEntry | undefined {
  if (record.type === 'entity') return entityEntry(record);
  const words = [record.from, record.relationType, record.to].map(asTrimmedText);
  if (record.type !== 'relation' || words.includes(undefined)) return undefined;
  const taken = new Set(['type', 'from', 'relationType', 'to']);
  return { entry: { text: `${words.join(' ')}.`, source: 'server-memory' }, taken };
}

function entityEntry(record: Readonly<Record<string, unknown>>): FoundEntry | undefined {
  const { name, entityType, observations } = record;
  const title = asTrimmedText(name);
  if (title === undefined) return undefined;
  const isRead = isTextList(observations);
  const facts = isRead ? toListOrEmpty(observations).flatMap((one) => asTrimmedText(one) ?? []) : [];
  const type = asTrimmedText(entityType);
  const taken = ['type', 'name', ...(type ? ['entityType'] : []), ...(isRead ? ['observations'] : [])];
  return {
    taken: new Set(taken),
    entry: {
      text: [
        `${title}${type ? ` (${type})` : ''}${facts.length > 0 ? ':' : ''}`,
        ...facts.map((fact) => `- ${fact}`),
      ].join('\n'),
      title,
      tags: parseTags(type),
      source: 'server-memory',
      key: `server-memory:${title}`,
    },
  };
}
