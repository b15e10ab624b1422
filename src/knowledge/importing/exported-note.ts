import type { Entry } from '../types.ts';
import type { FrontField } from './front-matter.ts';
import type { ImportedEntry } from './import-kind.ts';
import { asTrimmedText, isWholeTime, parseTimeMicros } from './import-values.ts';
import { hasAllWords } from './words.ts';

const FORM = 1;

/** Formats an entry as a Markdown file. Parsing removes the blank line before the text and the line end after it. */
export function formatExportedNote({
  id,
  title,
  collection,
  key,
  tags,
  source,
  text,
  ...times
}: Entry): string {
  const front = [
    `magpie: ${FORM}`,
    `id: ${scalar(id)}`,
    ...(title === '' ? [] : [`title: ${scalar(title)}`]),
    `collection: ${scalar(collection)}`,
    ...(key === '' ? [] : [`key: ${scalar(key)}`]),
    ...(tags.length === 0 ? [] : [`tags: [${tags.map(scalar).join(', ')}]`]),
    ...(source === '' ? [] : [`source: ${scalar(source)}`]),
    `created: ${preciseTime(times.createdAt)}`,
    `updated: ${preciseTime(times.updatedAt)}`,
  ];
  return `---\n${front.join('\n')}\n---\n\n${text}\n`;
}

const OWN_KEYS = ['magpie', 'id', 'title', 'collection', 'key', 'tags', 'source', 'created', 'updated'];

/** Parses an entry from a file that Magpie exported, else returns undefined. Unknown fields go above the text. */
export function parseExportedNote(
  fields: readonly FrontField[],
  body: string,
  newline: string,
): ImportedEntry | undefined {
  const find = (name: string) => fields.find(({ key }) => key === name)?.values;
  const first = (name: string) => asTrimmedText(find(name)?.[0]);
  const id = first('id');
  if (first('magpie') !== String(FORM) || id === undefined) return undefined;
  const begun = body.startsWith(newline) ? body.slice(newline.length) : body;
  const text = begun.endsWith(newline) ? begun.slice(0, -newline.length) : begun;
  const lines = fields
    .filter((field) => !isRead(field))
    .map(({ raw }) => raw)
    .join('')
    .trim();
  return {
    id,
    text: lines === '' ? text : `${lines}${newline}${newline}${text}`,
    title: first('title') ?? '',
    collection: first('collection'),
    key: first('key'),
    tags: find('tags') ?? [],
    source: first('source') ?? '',
    createdAt: microOf(first('created')),
    updatedAt: microOf(first('updated')),
  };
}

function isRead({ key, raw, values = [] }: FrontField): boolean {
  if (!OWN_KEYS.includes(key)) return false;
  const isTime = key === 'created' || key === 'updated';
  const one = isTime && !isWholeTime(values[0]) ? [] : values.slice(0, 1);
  const written = key === 'tags' ? `[${values.map(scalar).join(', ')}]` : scalar(one[0] ?? '');
  const given = raw.slice(raw.indexOf(':') + 1);
  if (given.replace(/\s/g, '') === written.replace(/\s/g, '')) return true;
  return hasAllWords(given, key === 'tags' ? values : one);
}

/** Quotes a text as JSON, which every YAML parser accepts. Escapes control characters and separators. */
function scalar(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a time as ISO 8601 with microseconds, because an entry's id contains microseconds. */
function preciseTime(micro: number): string {
  return new Date(Math.floor(micro / 1000))
    .toISOString()
    .replace('Z', `${String(micro % 1000).padStart(3, '0')}Z`);
}

function microOf(value: unknown): number | undefined {
  const [, whole, below] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(asTrimmedText(value) ?? '') ?? [];
  if (whole === undefined) return parseTimeMicros(value);
  return Date.parse(`${whole}Z`) * 1000 + Number(below);
}
