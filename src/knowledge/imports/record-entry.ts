import { dayOfNoteName } from '../importing/day-of-note-name.ts';
import { formatOtherFields } from '../importing/format-other-fields.ts';
import type { ImportItem } from '../importing/import-kind.ts';
import {
  asObject,
  asTrimmedText,
  type ImportFields,
  isWholeTime,
  parseTags,
} from '../importing/import-values.ts';
import { findField, parseFieldTime, rankField, toPlainFieldName } from '../importing/known-fields.ts';
import { isHtmlText, readHtmlFragment, readTextOrHtml } from '../importing/note-html.ts';
import { readRichText } from '../importing/rich-text/rich-text.ts';
import { conversationEntry } from './conversation.ts';
import type { RecordDetails } from './programs.ts';
import { createSkippedCounter } from './skipped-counter.ts';

const ID = /^(?:id|uuid|uid|guid)$/;
const TRASHED = /^(?:is)?(?:trashed|deleted)(?:time)?$/;
const ENCRYPTED = /^encryptionapplied$/;
const ATTACHMENTS = /^(?:attachments|photos|videos|audios|pdfattachments)$/;
export const CHECKED = /^(?:is)?(?:checked|completed|done)$/;
/** States of a note that become tags. */
const STATES = /^(?:is)?(archived|pinned|starred|favou?rite)$/;
/** Lists that are written without a name. All other lists begin with their name, such as `highlights:`. */
const TEXT_LISTS = /^(?:children|listcontent|safehtmlitem|items|tasks)$/;
/** Word that Gemini puts before a question. */
const ASKED = /^Prompted\s+/;
const TIME_ZONE_ONLY = /^time_?zone: \S{1,60}$/i;
/** Maximum depth of nested lists that are read as text. Values of deeper lists become lines `path: value`. */
const MAX_DEPTH = 50;
/** Names of objects inside a record. Their fields are read like fields of the record itself. */
const INNER = ['content', 'metadata', 'metadata_'];

type RecordFields = readonly (readonly [name: string, value: unknown])[];

export interface RecordPlace {
  readonly at: string;
  /** Prefix of the record's key. Without `prefix`, the record has no key. */
  readonly prefix?: string;
  /** Makes a unique key for a record without an id. Without `nameRecord`, such a record has no key. */
  readonly nameRecord?: (key: string) => string;
  readonly source?: string;
  /** True if texts that begin and end with markup are HTML in every field. */
  readonly writesHtml?: boolean;
  /** Fields to leave out of the records of a known program. Records of unknown programs keep all fields. */
  readonly details?: RecordDetails;
}

/** Makes an entry of a record: its text, its lists and tags, and all other fields as lines below the text. */
export function readRecord(raw: ImportFields, place: RecordPlace): ImportItem[] {
  const given = readRichFields(raw);
  const { at, details, source = '' } = place;
  const [content = [], ...metadata] = INNER.map((name) => Object.entries(asObject(given[name])));
  const isSpread = (name: string) => Object.keys(asObject(given[name])).length > 0 && INNER.includes(name);
  const outer = Object.entries(given).filter(([name]) => !isSpread(name));
  const names = new Set(outer.map(([name]) => name));
  const own = [
    ...outer,
    ...content.map(([name, value]) => [names.has(name) ? `content.${name}` : name, value] as const),
  ];
  const inner = metadata.flatMap((fields, index) =>
    fields.map(([name, value]) => [`${INNER[index + 1]}.${name}`, value] as const),
  );
  const fields = [...own, ...inner];
  const isSet = (pattern: RegExp) =>
    valuesOf(own, pattern).some((value) => value && !/^(?:0|false)$/i.test(String(value)));
  if (details && isSet(TRASHED)) return [{ at, skipped: 'a note in the trash' }];
  if (details && isSet(ENCRYPTED)) return [{ at, skipped: 'an encrypted note' }];
  const { title, facts, taken } = findFacts(fields, place);
  const reader = createBodyReader(place);
  const text = findField('text', own, (value) =>
    typeof value === 'string' ? asTrimmedText(value) : undefined,
  );
  const { body, lines } = reader.read(Object.fromEntries(fields), text, taken);
  const about = { ...facts, tags: [...reader.tags] };
  const rest = reader.leftOut.items();
  if (details && title !== undefined && ASKED.test(title)) {
    const question = title.replace(ASKED, '');
    const asked = { speaker: 'Me', text: joined([question, lines]), at: facts.createdAt };
    const answers = body === '' ? [] : [{ speaker: source, text: body, at: facts.createdAt }];
    const [name] = question.split('\n', 1);
    return [{ at, entry: conversationEntry([asked, ...answers], { ...about, title: name }) }, ...rest];
  }
  const isEmpty = details && body === '' && title === undefined && TIME_ZONE_ONLY.test(lines);
  const whole = isEmpty ? undefined : joined([body, lines]) || title;
  if (whole === undefined) return [{ at, skipped: 'a record without text' }, ...rest];
  return [{ at, entry: { ...about, text: whole } }, ...rest];
}

/** Replaces the documents of editors in a record by their Markdown, also in the objects inside a record. */
function readRichFields(fields: ImportFields, isInner = false): ImportFields {
  const read = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const text = readRichText(value);
    const plain = name.replace(/[_-]?json$/i, '');
    if (text !== undefined) return [plain in fields ? name : plain, text];
    const isSpread = !isInner && INNER.includes(name) && Object.keys(asObject(value)).length > 0;
    return [name, isSpread ? readRichFields(asObject(value), true) : value];
  };
  return Object.fromEntries(Object.entries(fields).map(read));
}

function joined(parts: readonly string[], between = '\n\n'): string {
  return parts.filter((part) => part.trim() !== '').join(between);
}

function valuesOf(fields: RecordFields, pattern: RegExp): unknown[] {
  return fields.flatMap(([name, value]) => (pattern.test(toPlainFieldName(name)) ? [value] : []));
}

function findFacts(fields: RecordFields, { prefix, nameRecord, source: program, details }: RecordPlace) {
  const isAddress = (value: unknown) => /^https?:\S+$/.exec(asTrimmedText(value) ?? '')?.[0];
  const title = findField('title', fields, asTrimmedText);
  const source = findField('source', fields, details ? isAddress : asTrimmedText);
  const made = findField('made', fields, parseFieldTime);
  const changed = findField('changed', fields, parseFieldTime);
  const times = [made, changed].filter((time) => time && isWholeTime(time.given));
  const id = fields.find(
    ([name, value]) => ID.test(toPlainFieldName(name)) && asTrimmedText(value) !== undefined,
  );
  const name = title?.value;
  // A time with a fraction of a second identifies a record by itself. Other times need the title in addition.
  const time = made && (made.value % 1e6 === 0 ? `${made.value} ${name ?? ''}`.trim() : String(made.value));
  const own = asTrimmedText(id?.[1]);
  const derived = own === undefined ? (time ?? name) : undefined;
  return {
    title: name,
    taken: new Set([
      ...[title, source, ...times].flatMap((field) => field?.name ?? []),
      ...(details && id ? [id[0]] : []),
    ]),
    facts: {
      title: name,
      source: source?.value ?? program,
      key:
        prefix !== undefined && own !== undefined
          ? `${prefix}${own}`
          : derived && nameRecord?.(`${prefix}${derived}`),
      createdAt: made?.value ?? (name === undefined ? undefined : dayOfNoteName(name)),
      updatedAt: changed?.value,
    },
  };
}

/** Reads the text of a record and of its lists. Collects the record's tags and counts what is left out. */
function createBodyReader({ at, details, writesHtml }: RecordPlace) {
  const tags = new Set<string>();
  const leftOut = createSkippedCounter(at);

  function readMarkup({ name, value: text }: { name: string; value: string }): string {
    const isHtml = details && (writesHtml || /html(?:value)?$/i.test(name)) && isHtmlText(text);
    const markdown = isHtml ? readHtmlFragment(text) : details ? text : readTextOrHtml(text);
    if (markdown === text) return text;
    leftOut.add('an encrypted part', text.match(/<en-crypt\b/g)?.length ?? 0);
    leftOut.add('a script or a style', text.match(/<(?:script|style)\b/g)?.length ?? 0);
    leftOut.add('a picture', text.match(/\bsrc=["']data:/g)?.length ?? 0);
    return markdown;
  }

  /** Returns the text of a field, or undefined for a field that is written as a line `name: value`. */
  function readField(name: string, value: unknown, depth: number): string | undefined {
    const plain = toPlainFieldName(name);
    const state = value === true ? STATES.exec(plain)?.slice(1) : undefined;
    const names = rankField('tags', name) < 0 ? state : namesOf(value);
    for (const tag of names ?? []) tags.add(tag);
    if (names !== undefined) return '';
    const rest = details && !/^metadata_?\./.test(name) ? leaveOut(plain, value, details) : undefined;
    return rest ?? (depth < MAX_DEPTH && isItemList(value) ? readList(name, value, depth) : undefined);
  }

  /** Returns '' for a field to leave out, `Attachment: photo.png` for an attachment, otherwise undefined. */
  function leaveOut(plain: string, value: unknown, { names, skipped }: RecordDetails): string | undefined {
    const isDetail = names.some((pattern) => pattern.test(plain));
    // States such as `archived: false` are left out, because they are the default.
    if (isDetail || (value === false && (STATES.test(plain) || TRASHED.test(plain)))) {
      leftOut.add(skipped, value === false ? 0 : 1);
      return '';
    }
    if (!ATTACHMENTS.test(plain) || !Array.isArray(value)) return undefined;
    leftOut.add('an attachment', value.length);
    return joined(value.map(attachmentLine), '\n');
  }

  function readList(name: string, list: readonly unknown[], depth: number): string {
    const plain = toPlainFieldName(name);
    const texts = list.map((one) => {
      const item = asObject(one);
      const { box, name: checked } = boxOf(item);
      const { body, lines } = read(item, mainFieldOf(item), new Set(checked), depth + 1);
      const text = joined([body, lines], '\n');
      const isWhole = plain === 'safehtmlitem' || text === '';
      return isWhole ? text : `- ${box}${text.replaceAll('\n', '\n  ')}`;
    });
    return joined([TEXT_LISTS.test(plain) ? '' : `${name}:`, ...texts], '\n');
  }

  function read(record: ImportFields, main: ReturnType<typeof mainFieldOf>, taken: Set<string>, depth = 0) {
    const parts = main ? [readMarkup(main)] : [];
    if (main) taken.add(main.name);
    for (const [name, value] of Object.entries(record)) {
      const part = taken.has(name) ? undefined : readField(name, value, depth);
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

function boxOf(item: ImportFields): { readonly box: string; readonly name: readonly string[] } {
  for (const [name, value] of Object.entries(item))
    if (typeof value === 'boolean' && CHECKED.test(toPlainFieldName(name)))
      return { box: value ? '[x] ' : '[ ] ', name: [name] };
  return { box: '', name: [] };
}

function attachmentLine(value: unknown): string {
  const [name] =
    typeof value === 'string' ? [value] : valuesOf(Object.entries(asObject(value)), /^file(?:name|path)$/);
  return typeof name === 'string' ? `Attachment: ${name}` : '';
}

function mainFieldOf(item: unknown) {
  const asWritten = (value: unknown) => (typeof value === 'string' ? value : undefined);
  const fields = Object.entries(asObject(item));
  return findField('text', fields, asWritten) ?? findField('title', fields, asWritten);
}

/** Returns true for a list of objects that each have a text, a title or the field `children`. */
function isItemList(value: unknown): value is readonly unknown[] {
  const isItem = (one: unknown) => mainFieldOf(one) !== undefined || 'children' in asObject(one);
  return Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** Returns tags from texts and from objects with only a name. Returns undefined for any other value. */
function namesOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return typeof value === 'string' ? parseTags(value) : undefined;
  const list = value.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null ? Object.values(one) : (one ?? []),
  );
  const names = parseTags(list);
  return names.length === value.filter((one) => one !== null).length && names.length === list.length
    ? names
    : undefined;
}
