import { dayOfNoteName } from '../importing/day-of-note-name.ts';
import { formatOtherFields } from '../importing/format-other-fields.ts';
import type { ImportItem } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  isWholeTime,
  parseTags,
  parseTimeMicros,
  toListOrEmpty,
} from '../importing/import-values.ts';
import { findField, parseFieldTime, rankField, toPlainFieldName } from '../importing/known-fields.ts';
import { conversationEntry } from './conversation.ts';
import { readHtmlFragment } from './note-html.ts';
import type { RecordDetails } from './programs.ts';
import { createSkippedCounter } from './skipped-counter.ts';

const ID = /^(?:id|uuid|uid|guid)$/;
const TRASHED = /^(?:is)?(?:trashed|deleted)$|^deletedtime$/;
const ATTACHMENTS = /^(?:attachments|photos|videos|audios|pdfattachments)$/;
const CHECKED = /^(?:is)?(?:checked|completed|done)$/;
/** States of a note that become tags. */
const STATES = /^(?:is)?(archived|pinned|starred|favou?rite)$/;
/** Lists that are the text of a note. Of other lists, the name is part of the text. */
const TEXT_LISTS = /^(?:children|listcontent|safehtmlitem|items|tasks)$/;
const HTML = /^\s*<(?:[!?][a-z]|(?:en-note|html|body|div|p|span|[uo]l|h[1-6]|br|b|table|pre)[\s/>])/i;
/** What Gemini sets before a question. */
const ASKED = /^Prompted\s+/;
/** Lists in more lists than this are written as lines, one a value. */
const MAX_DEPTH = 50;

export interface RecordPlace {
  readonly at: string;
  /** Returns the key of a record by its id, its time or its title. */
  readonly keyOf?: (name: string) => string;
  readonly source?: string;
  /** What is left out of the records of a program that is known. All words of other records are kept. */
  readonly details?: RecordDetails;
}

/** Returns the fields of a record and of its `content`, and those of its metadata under their paths. */
function spreadFields(given: ImportFields): [string, unknown][][] {
  const hasFields = ([, value]: [string, unknown]) => Object.keys(asObject(value)).length > 0;
  const isMetadata = (field: [string, unknown]) => /^metadata_?$/.test(field[0]) && hasFields(field);
  const fields = Object.entries(given);
  const own = fields.flatMap(([name, value]): [string, unknown][] =>
    name === 'content' && hasFields([name, value]) ? Object.entries(asObject(value)) : [[name, value]],
  );
  const inner = fields
    .filter(isMetadata)
    .flatMap(([name, value]) =>
      Object.entries(asObject(value)).map(([field, one]): [string, unknown] => [`${name}.${field}`, one]),
    );
  return [own.filter((field) => !isMetadata(field)), inner];
}

type RecordFields = readonly (readonly [name: string, value: unknown])[];

/** Makes an entry of a record: its text, its lists and tags, and all other fields as lines below the text. */
export function readRecord(given: ImportFields, place: RecordPlace): ImportItem[] {
  const [own = [], inner = []] = spreadFields(given);
  const fields = [...own, ...inner];
  const record = Object.fromEntries(fields);
  const skipped = place.details && reasonToSkip(fields);
  if (skipped !== undefined) return [{ at: place.at, skipped }];
  const { title, facts, taken } = findFacts(fields, place);
  const reader = createBodyReader(place);
  const text = findField('text', own, asText);
  const { body, lines } = reader.read(record, text, taken);
  const question = place.details && title?.replace(ASKED, '');
  const about = { ...facts, tags: [...reader.tags] };
  const rest = reader.leftOut.items();
  if (question !== undefined && question !== title) {
    const asked = { speaker: 'Me', text: joined([question, lines]), at: facts.createdAt };
    const answer = { speaker: place.source ?? '', text: body, at: facts.createdAt };
    const entry = conversationEntry(body === '' ? [asked] : [asked, answer], {
      ...about,
      title: question.split('\n', 1)[0],
    });
    return [{ at: place.at, entry }, ...rest];
  }
  const whole = joined([body, lines]) || title;
  if (whole === undefined) return [{ at: place.at, skipped: 'a record without text' }, ...rest];
  return [{ at: place.at, entry: { ...about, text: whole } }, ...rest];
}

function joined(parts: readonly string[], between = '\n\n'): string {
  return parts.filter((part) => part.trim() !== '').join(between);
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? asTrimmedText(value) : undefined;
}

function valuesOf(fields: RecordFields, pattern: RegExp): unknown[] {
  return fields.flatMap(([name, value]) => (pattern.test(toPlainFieldName(name)) ? [value] : []));
}

function reasonToSkip(fields: RecordFields): string | undefined {
  const isTrue = (value: unknown) => value === true || parseTimeMicros(value) !== undefined;
  if (valuesOf(fields, TRASHED).some(isTrue)) return 'a note in the trash';
  const isEncrypted = valuesOf(fields, /^encryptionapplied$/).some((value) => String(value) === '1');
  return isEncrypted ? 'an encrypted note' : undefined;
}

function findFacts(fields: RecordFields, { keyOf, source: program, details }: RecordPlace) {
  const isAddress = (value: unknown) => /^https?:\S+$/.exec(asTrimmedText(value) ?? '')?.[0];
  const title = findField('title', fields, asTrimmedText);
  const source = findField('source', fields, details ? isAddress : asTrimmedText);
  const [made, changed] = (['made', 'changed'] as const).map((kind) =>
    findField(kind, fields, parseFieldTime),
  );
  const times = [made, changed].filter((time) => time && isWholeTime(time.given));
  const [id] = valuesOf(fields, ID).flatMap((value) => asTrimmedText(value) ?? []);
  const name = title?.value;
  // A time with a fraction of a second is the time of one record, and stays when the title changes.
  const time = made && (made.value % 1e6 === 0 ? `${made.value} ${name ?? ''}`.trim() : String(made.value));
  const own = id ?? time ?? name;
  return {
    title: name,
    taken: new Set([title, source, ...times].flatMap((field) => field?.name ?? [])),
    facts: {
      title: name,
      source: source?.value ?? program,
      key: own === undefined ? undefined : keyOf?.(own),
      createdAt: made?.value ?? (name === undefined ? undefined : dayOfNoteName(name)),
      updatedAt: changed?.value,
    },
  };
}

/** Reads the text of a record and of the records in its lists, and gathers its tags and what is left out. */
function createBodyReader({ at, details }: RecordPlace) {
  const tags = new Set<string>();
  const leftOut = createSkippedCounter(at);

  function readMarkup(text: string): string {
    if (!details || !HTML.test(text) || !text.trimEnd().endsWith('>')) return text;
    leftOut.add('an encrypted part', text.match(/<en-crypt\b/g)?.length ?? 0);
    leftOut.add('a picture', text.match(/\bsrc=["']data:/g)?.length ?? 0);
    return readHtmlFragment(text);
  }

  /** Returns the text of a field that needs more than a line, or undefined for a field that needs a line. */
  function readField(name: string, value: unknown, depth: number): string | undefined {
    const plain = toPlainFieldName(name);
    const state = value === true ? STATES.exec(plain)?.slice(1) : undefined;
    const names = rankField('tags', name) < 0 ? state : namesOf(value);
    if (names !== undefined) {
      for (const tag of names) tags.add(tag);
      return '';
    }
    if (details && ATTACHMENTS.test(plain) && Array.isArray(value)) {
      leftOut.add('an attachment', value.length);
      return joined(value.map(attachmentLine), '\n');
    }
    if (details && (value === false || details.names.some((one) => one.test(plain)))) {
      leftOut.add(details.skipped, value === false ? 0 : 1);
      return '';
    }
    if (depth > MAX_DEPTH || !isItemList(value)) return undefined;
    const texts = value.map((item) => readItem(asObject(item), depth + 1, plain === 'safehtmlitem'));
    return joined([TEXT_LISTS.test(plain) ? '' : `${name}:`, ...texts], '\n');
  }

  function readItem(item: ImportFields, depth: number, isWhole: boolean): string {
    const main = mainFieldOf(item);
    const [isDone] = valuesOf(Object.entries(item), CHECKED).filter((value) => typeof value === 'boolean');
    const taken = new Set(
      Object.keys(item).filter((name) => isDone !== undefined && CHECKED.test(toPlainFieldName(name))),
    );
    const { body, lines } = read(item, main, taken, depth);
    const text = joined([body, lines], '\n');
    const box = isDone === undefined ? '' : isDone ? '[x] ' : '[ ] ';
    return isWhole || text === '' ? text : `- ${box}${text.replaceAll('\n', '\n  ')}`;
  }

  function read(record: ImportFields, main: ReturnType<typeof mainFieldOf>, taken: Set<string>, depth = 0) {
    const parts = [main ? readMarkup(main.value) : ''];
    if (main) taken.add(main.name);
    for (const [name, value] of Object.entries(record)) {
      const part = taken.has(name) ? '' : readField(name, value, depth);
      if (part === undefined) continue;
      taken.add(name);
      parts.push(part);
    }
    const { lines, vectors } = formatOtherFields(record, taken);
    leftOut.add('a vector', vectors);
    return { body: joined(parts, depth === 0 ? '\n\n' : '\n'), lines: lines.join('\n') };
  }

  return { read, tags, leftOut };
}

function attachmentLine(value: unknown): string {
  const [name] = valuesOf(Object.entries(asObject(value)), /^file(?:name|path)$/);
  return typeof name === 'string' ? `Attachment: ${name}` : '';
}

function mainFieldOf(item: unknown) {
  const asWritten = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const fields = Object.entries(asObject(item));
  return findField('text', fields, asWritten) ?? findField('title', fields, asWritten);
}

/** Returns true for a list of objects of which each has a text or a title, or such a list. */
function isItemList(value: unknown): value is readonly unknown[] {
  const isItem = (one: unknown) => mainFieldOf(one) !== undefined || 'children' in asObject(one);
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** Returns tags that are texts or objects with a name alone. Undefined if any of them is something else. */
function namesOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return parseTags(value);
  const list = toListOrEmpty(value).filter((one) => one !== null);
  const names = list.flatMap((one) => {
    const [field, ...more] = Object.values(asObject(one));
    return asTrimmedText(more.length === 0 && typeof one === 'object' ? field : one) ?? [];
  });
  return Array.isArray(value) && names.length === list.length ? names : undefined;
}
