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
import { PROGRAM_DETAILS } from './programs.ts';
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
  /** First part of the key. */
  readonly prefix: string;
  readonly source: string;
  /** True for the record of a program whose details are known, and left out. */
  readonly isKnown: boolean;
  readonly nameRecord: (name: string) => string;
}

type RecordFields = readonly (readonly [name: string, value: unknown])[];

/** Makes an entry of a record: its text, its lists and tags, and all other fields as lines below the text. */
export function readRecord(given: ImportFields, place: RecordPlace): ImportItem[] {
  const { content, ...outer } = given;
  const record = typeof content === 'object' ? { ...outer, ...content } : given;
  const fields = Object.entries(record);
  const skipped = reasonToSkip(fields);
  if (skipped !== undefined) return [{ at: place.at, skipped }];
  const { title, facts, taken } = findFacts(fields, place);
  const reader = createBodyReader(place);
  const text = findField('text', fields, asText);
  const { body, lines } = reader.read(record, text, taken);
  const question = title?.replace(ASKED, '');
  const about = { ...facts, tags: [...reader.tags] };
  const rest = reader.leftOut.items();
  if (question !== undefined && question !== title) {
    const asked = { speaker: 'Me', text: joined([question, lines]), at: facts.createdAt };
    const answer = { speaker: place.source, text: body, at: facts.createdAt };
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

function findFacts(fields: RecordFields, { at, prefix, source: program, nameRecord }: RecordPlace) {
  const isAddress = (value: unknown) => /^https?:\S+$/.exec(asTrimmedText(value) ?? '')?.[0];
  const title = findField('title', fields, asTrimmedText);
  const source = findField('source', fields, isAddress);
  const [made, changed] = (['made', 'changed'] as const).map((kind) =>
    findField(kind, fields, parseFieldTime),
  );
  const times = [made, changed].filter((time) => time && isWholeTime(time.given));
  const [id] = valuesOf(fields, ID).flatMap((value) => asTrimmedText(value) ?? []);
  const name = title?.value;
  // A time with a fraction of a second is the time of one record, and stays when the title changes.
  const time = made && (made.value % 1e6 === 0 ? `${made.value} ${name ?? ''}`.trim() : String(made.value));
  return {
    title: name,
    taken: new Set([title, source, ...times].flatMap((field) => field?.name ?? [])),
    facts: {
      title: name,
      source: source?.value ?? program,
      key: `${prefix}${nameRecord(id ?? time ?? name ?? at)}`,
      createdAt: made?.value ?? (name === undefined ? undefined : dayOfNoteName(name)),
      updatedAt: changed?.value,
    },
  };
}

/** Reads the text of a record and of the records in its lists, and gathers its tags and what is left out. */
function createBodyReader({ at, isKnown }: RecordPlace) {
  const tags = new Set<string>();
  const leftOut = createSkippedCounter(at);

  function readMarkup(text: string): string {
    if (!HTML.test(text) || !text.trimEnd().endsWith('>')) return text;
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
    if (ATTACHMENTS.test(plain) && Array.isArray(value)) {
      leftOut.add('an attachment', value.length);
      return joined(value.map(attachmentLine), '\n');
    }
    if (isKnown && isDetail(name, value)) {
      leftOut.add('an id, a color or another detail of the program', value === false ? 0 : 1);
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

function isDetail(name: string, value: unknown): boolean {
  const isTime = (['made', 'changed'] as const).some((kind) => rankField(kind, name) >= 0);
  const isHtmlCopy = rankField('text', name) === 3;
  const isNamed = PROGRAM_DETAILS.some((pattern) => pattern.test(toPlainFieldName(name)));
  return value === false || isNamed || isHtmlCopy || (isTime && isWholeTime(value));
}

/** Returns tags that are texts or objects with a name alone. Undefined if any of them is something else. */
function namesOf(value: unknown): string[] | undefined {
  if (typeof value === 'string') return parseTags(value);
  const list = toListOrEmpty(value);
  const names = list.flatMap((one) => {
    const [field, ...more] = Object.values(asObject(one));
    return asTrimmedText(more.length === 0 && typeof one === 'object' ? field : one) ?? [];
  });
  return Array.isArray(value) && names.length === list.length ? names : undefined;
}
