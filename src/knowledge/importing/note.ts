import { withoutMarkdownCode } from '../../lib/language/markdown-code.ts';
import type { KnowledgeEntry } from '../types.ts';
import { dayOfNoteName } from './day-of-note-name.ts';
import { type FrontField, type SplitNote, splitFrontMatter } from './front-matter.ts';
import type { ImportedEntry } from './import-kind.ts';
import { asTrimmedText, isPossible, isWholeTime, parseTimeMicros } from './import-values.ts';
import { findField, parseFieldTime, rankField } from './known-fields.ts';
import { readJsonCanvas } from './notes/canvas.ts';
import { plainTag, readLogseqProperties } from './page-properties.ts';
import { readRichText } from './rich-text/rich-text.ts';
import { hasAllWords } from './words.ts';

const TAGGED_CHARS = 200_000;
const MAX_TAGS = 50;
const TAGS = new Set(['tags', 'tag']);
const ALIASES = new Set(['aliases', 'alias']);

function isKnown(key: string): boolean {
  const kinds = ['tags', 'source', 'made', 'changed'] as const;
  return key === 'title' || ALIASES.has(key) || kinds.some((kind) => rankField(kind, key) >= 0);
}

export interface ReadNote extends ImportedEntry {
  readonly warning?: { readonly line: number; readonly why: string };
  /** How many parts were left out of the text, by their kind in words for the user. */
  readonly leftOut?: Readonly<Record<string, number>>;
}

export function readNote(raw: string, name: string): ReadNote {
  if (/\.(?:canvas|excalidraw)$/i.test(name)) return canvasNote(raw.replace(/^\uFEFF/, ''), name);
  const { fields, body: written, newline, broken } = splitFrontMatter(raw.replace(/^\uFEFF/, ''), isKnown);
  const own = broken ? undefined : parseExportedNote(fields, written, newline);
  if (own) return own;
  const body = readRichText(written) ?? written;
  const find = (key: string) =>
    asTrimmedText(fields.find((field) => field.key === key && field.values)?.values?.[0]);
  const properties = readLogseqProperties(body);
  const titleField = fields.find(
    ({ key, values, isList }) => key === 'title' && values?.length === 1 && !isList,
  );
  const given = titleField?.values?.[0] ?? properties.title;
  const rest = fields.map((field) => lineOf(field, field === titleField)).join('');
  const frontTags = [
    ...fields.filter(({ key }) => rankField('tags', key) >= 0).flatMap(tagsOf),
    ...properties.tags,
  ];
  const tags = [...new Set([...frontTags, ...hashTags(body).slice(0, MAX_TAGS)])];
  const lines = rest.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const prose = body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const title = given ?? headingOf(body) ?? titleOfNoteFile(name);
  const source = find('source') ?? find('url');
  const times = fields.map(({ key, values }) => [key, values?.[0]] as const);
  const said = [given, tags.length > 0 && `tags: ${tags.join(', ')}`].filter(Boolean);
  const facts = said.length === 0 ? '' : [...new Set([title, ...said])].join('\n');
  return {
    text: [lines, prose].filter((part) => part.trim() !== '').join(`${newline}${newline}`) || facts,
    title,
    tags: tags.slice(0, Math.max(MAX_TAGS, new Set(frontTags).size)),
    source,
    createdAt: findField('made', times, parseFieldTime)?.value ?? dayOfNoteName(titleFromFileName(name)),
    updatedAt: findField('changed', times, parseFieldTime)?.value,
    ...(broken && { warning: warningOf(broken) }),
  };
}

function canvasNote(raw: string, name: string): ReadNote {
  const words = readJsonCanvas(raw);
  const text = words ?? raw;
  const warning = { line: 1, why: 'the file is not the JSON of a canvas: it is kept as it is' };
  const tags = [...new Set(hashTags(text))].slice(0, MAX_TAGS);
  return { text, title: titleFromFileName(name), tags, ...(words === undefined && { warning }) };
}

function warningOf({ line, why, language = 'YAML' }: NonNullable<SplitNote['broken']>): ReadNote['warning'] {
  const done = 'title and tags are read line by line, and all other lines stay as text';
  return { line, why: `the front matter is not valid ${language} (${why}): ${done}` };
}

/** Logseq writes the page `a/b` as `pages/a___b.md` or `pages/a%2Fb.md`, and a day as `journals/2026_03_14.md`. */
function titleOfNoteFile(name: string): string {
  const title = titleFromFileName(name);
  const [, folder] = /(?:^|\/)(pages|journals)\/[^/]*$/.exec(name) ?? [];
  if (folder === 'journals') return title.replace(/^(\d{4})_(\d\d)_(\d\d)$/, '$1-$2-$3');
  if (folder === undefined) return title;
  return title
    .replaceAll('___', '/')
    .replace(/%([2-7][\da-f])/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** Makes a note of the page in a file. Readers call a page without a title by the name of its file. */
export function pageNote(page: Readonly<Record<'title' | 'markdown', string>>, file: string): ReadNote {
  const { title, markdown: text } = page;
  const name = titleFromFileName(file);
  const own = file.endsWith(title) ? headingOf(text) : title;
  return { text, title: own ?? name, tags: [], createdAt: dayOfNoteName(name) };
}

export function titleFromFileName(name: string): string {
  const [, bundle] = /(?:^|\/)([^/]{1,255})(?:\.textbundle\/text|\/index)\.[^./]{1,8}$/i.exec(name) ?? [];
  return (bundle ?? name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]{1,9}$/, '')).normalize('NFC');
}

function lineOf(field: FrontField, isTitle: boolean): string {
  const { key, raw, values } = field;
  if (values === undefined || raw === '') return raw;
  if (isTitle || TAGS.has(key)) {
    return hasAllWords(raw.replace(/:/, ' '), [key, ...(isTitle ? values : tagsOf(field))]) ? '' : raw;
  }
  if (!ALIASES.has(key)) return raw;
  const [name = key] = raw.split(':', 1);
  const line = `${name}: ${values.join(', ')}\n`;
  if (!hasAllWords(raw, [line])) return raw;
  return values.length === 0 ? '' : line;
}

function tagsOf({ key, raw, values = [], isList }: FrontField): string[] {
  // Also reads `tags: #one #two`, although `#` begins a comment in YAML.
  if (values.length === 0) return hashTags(raw);
  const list = isList ? values : values.flatMap((value) => splitTags(value, TAGS.has(key)));
  return list.map(plainTag).filter(Boolean);
}

function splitTags(value: string, hasBlanks: boolean): string[] {
  const flow = /^\[(.*)\]?$/.exec(value)?.[1]?.replace(/\]$/, '');
  // Blanks separate tags only in a value without commas: `one, two words` has two tags.
  return (flow ?? value)
    .split(flow !== undefined || value.includes(',') || !hasBlanks ? ',' : /\s+/)
    .map((tag) => tag.trim());
}

function hashTags(body: string): string[] {
  const prose = withoutMarkdownCode(body.slice(0, TAGGED_CHARS));
  return [
    ...prose.matchAll(/(?<=^|\s)#(?:\[\[([^[\]\n]{1,200})\]\]|([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*))/gu),
  ].map(([, page, tag = '']) => page?.trim() ?? tag);
}

function headingOf(body: string): string | undefined {
  return asTrimmedText(/^(?:\s|---)*# +(.+)/.exec(body.slice(0, 2000))?.[1]?.trim().replace(/ #+$/, ''));
}

const FORM = 1;

export function formatExportedNote(entry: KnowledgeEntry): string {
  const { id, title, collection, key, tags, source, text, ...times } = entry;
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
    ...(times.validUntil === undefined ? [] : [`until: ${preciseTime(times.validUntil)}`]),
  ];
  return `---\n${front.join('\n')}\n---\n\n${text}\n`;
}

const OWN_KEYS = 'magpie id title collection key tags source created updated until'.split(' ');
const TIME_KEYS = ['created', 'updated', 'until'];

function parseExportedNote(fields: readonly FrontField[], body: string, newline: string) {
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
    // A deleted line removes the end.
    validUntil: first('until') === undefined ? 0 : microOf(first('until'), Number.MAX_SAFE_INTEGER),
  };
}

function isRead({ key, raw, values = [] }: FrontField): boolean {
  if (!OWN_KEYS.includes(key)) return false;
  const isTime = TIME_KEYS.includes(key);
  const most = key === 'until' ? Number.MAX_SAFE_INTEGER : undefined;
  const one = isTime && !isWholeTime(values[0], most) ? [] : values.slice(0, 1);
  const written = key === 'tags' ? `[${values.map(scalar).join(', ')}]` : scalar(one[0] ?? '');
  const given = raw.slice(raw.indexOf(':') + 1);
  if (given.replace(/\s/g, '') === written.replace(/\s/g, '')) return true;
  return hasAllWords(given, key === 'tags' ? values : one);
}

/** Quotes a text as JSON, which every YAML parser accepts. Also escapes special characters such as U+2028. */
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

function microOf(value: unknown, most?: number): number | undefined {
  const [, whole, below] =
    /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3})(\d{3})Z$/.exec(asTrimmedText(value) ?? '') ?? [];
  if (whole === undefined) return parseTimeMicros(value, most);
  const micro = Date.parse(`${whole}Z`) * 1000 + Number(below);
  return isPossible(micro, most) ? micro : undefined;
}
