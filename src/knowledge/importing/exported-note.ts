import type { Entry } from '../types.ts';
import type { ImportedEntry } from './import-kind.ts';
import { asList, asTrimmedText, parseTimeMicros } from './import-values.ts';

/** Version of the export format. It is in the first line of a file's front matter, by which exported files are recognised. */
const FORM = 1;

/** Formats an entry. Adds a blank line before the text and a line end after it, which parsing removes again. */
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

/** Parses an entry from the front matter and text of a file that Magpie exported. Returns undefined for other files. */
export function parseExportedNote(
  front: Readonly<Record<string, unknown>>,
  body: string,
  newline: string,
): ImportedEntry | undefined {
  const id = asTrimmedText(front.id);
  if (front.magpie !== FORM || id === undefined) return undefined;
  const begun = body.startsWith(newline) ? body.slice(newline.length) : body;
  return {
    id,
    text: begun.endsWith(newline) ? begun.slice(0, -newline.length) : begun,
    title: asTrimmedText(front.title) ?? '',
    collection: asTrimmedText(front.collection),
    key: asTrimmedText(front.key),
    tags: asList(front.tags).flatMap((tag) => asTrimmedText(tag) ?? []),
    source: asTrimmedText(front.source) ?? '',
    createdAt: microOf(front.created),
    updatedAt: microOf(front.updated),
  };
}

/** Quotes a text as JSON, which every YAML parser accepts. Control characters and separators are escaped. */
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
