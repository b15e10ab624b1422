import { z } from 'zod';
import { isBlankText } from '../../lib/text/invisible.ts';
import { boundedLines } from '../../lib/text/lines.ts';
import { fitToEntryLimits } from '../importing/fit-to-entry-limits.ts';
import { formatOtherFields, parseExactJson, quoteNonNumbers } from '../importing/format-other-fields.ts';
import type { ImportedEntry, ImportItem, ImportKind } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  isParseableTagList,
  isTextList,
  isWholeTime,
  MIN_MICROSECONDS,
  parseTags,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { findField, type KnownField, parseFieldTime } from '../importing/known-fields.ts';
import { readImportFileHead } from './file-text.ts';

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
    // An object that is not an entry may come from another program's export.
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
    value = JSON.parse(quoteNonNumbers(line));
    exact = parseExactJson(line);
  } catch {
    return [{ at, problem: 'is not JSON: each line takes one entry' }];
  }
  const own = entryLine.safeParse(value);
  const isOwn = own.success
    ? isOwnLine(own.data, Object.keys(asObject(value)))
    : isBrokenOwn(asObject(value));
  const foreign = isOwn ? undefined : foreignEntry(asObject(exact));
  const found = isOwn && own.success ? { entry: own.data, taken: OWN_FIELDS } : foreign;
  if (found === undefined) {
    const [issue] = own.error?.issues ?? [];
    const what = issue?.path.join('.') || 'it';
    return [{ at, problem: `is not an entry: ${what} is not usable; a line is an object with a text` }];
  }
  const { entry, taken } = found;
  if (isBlankText(entry.text)) return [{ at, problem: 'text is empty: give the text to remember' }];
  const { lines, vectors } = formatOtherFields(asObject(exact), taken);
  const text = [entry.text, lines.join('\n')].filter(Boolean).join('\n\n');
  const leftOut = vectors > 0 ? [{ at, skipped: 'a vector', count: vectors }] : [];
  const whole = { ...entry, text };
  return [{ at, entry: isOwn ? whole : fitToEntryLimits(whole) }, ...leftOut];
}

/** End of an id that Magpie made: a time in microseconds. */
const OWN_ID = /-\d{1,17}$/;
const TIMES = ['createdAt', 'updatedAt'] as const;

/**
 * True for a line of Magpie's backup. Other programs have further fields, or times in seconds or milliseconds,
 * where Magpie writes microseconds.
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

function foreignEntry(line: Readonly<Record<string, unknown>>): FoundEntry | undefined {
  if (line.type === 'entity') return graphEntry(line);
  if (line.type === 'relation') {
    const words = [line.from, line.relationType, line.to].map(asTrimmedText);
    if (words.includes(undefined)) return undefined;
    const taken = new Set(['type', 'from', 'relationType', 'to']);
    return { entry: { text: `${words.join(' ')}.`, source: 'server-memory' }, taken };
  }
  const fields = Object.entries(line);
  const textOf = (given: unknown) => (typeof given === 'string' ? given : undefined);
  const text =
    findField('text', fields, (given) => (asTrimmedText(given) === undefined ? undefined : textOf(given))) ??
    findField('text', fields, textOf);
  if (text === undefined) return undefined;
  const taken = new Set([text.name]);
  const find = <Value>(
    kind: KnownField,
    read: (value: unknown) => Value | undefined,
    isWhole: (value: unknown) => boolean = () => true,
  ): Value | undefined => {
    const inLine = findField(kind, fields, read);
    const found = inLine ?? findField(kind, Object.entries(asObject(line.metadata)), read);
    if (found && isWhole(found.given)) taken.add(inLine ? found.name : `metadata.${found.name}`);
    return found?.value;
  };
  const place = text.name === 'text' ? ['collection', 'key'].filter((name) => textOf(line[name])) : [];
  for (const name of place) taken.add(name);
  return {
    entry: {
      text: text.value,
      title: find('title', asTrimmedText),
      source: find('source', asTrimmedText),
      tags:
        find('tags', (given) => (given === null ? undefined : parseTags(given)), isParseableTagList) ?? [],
      createdAt: find('made', parseFieldTime, isWholeTime),
      updatedAt: find('changed', parseFieldTime, isWholeTime),
      ...Object.fromEntries(place.map((name) => [name, line[name]])),
    },
    taken,
  };
}

function graphEntry(record: Readonly<Record<string, unknown>>): FoundEntry | undefined {
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
