import { parseExportedNote } from './exported-note.ts';
import { type FrontField, splitFrontMatter } from './front-matter.ts';
import type { ImportedEntry } from './import-kind.ts';
import { asTrimmedText, parseTimeMicros } from './import-values.ts';
import { readPageProperties } from './page-properties.ts';
import { hasAllWords } from './words.ts';

const TAGGED_CHARS = 200_000;
const MAX_TAGS = 50;
const TAGS = new Set(['tags', 'tag']);
const ALIASES = new Set(['aliases', 'alias']);
const KNOWN = new Set([
  'title',
  ...TAGS,
  ...ALIASES,
  'source',
  'url',
  'created',
  'date',
  'updated',
  'modified',
]);

export interface ReadNote extends ImportedEntry {
  readonly warning?: { readonly line: number; readonly why: string };
}

/** Parses a note. Front matter and `#tags` give title, tags, times and source. All other lines stay in the text. */
export function readNote(raw: string, name: string): ReadNote {
  const { fields, body, newline, broken } = splitFrontMatter(raw.replace(/^\uFEFF/, ''), KNOWN);
  const own = broken ? undefined : parseExportedNote(fields, body, newline);
  if (own) return own;
  const find = (key: string) =>
    asTrimmedText(fields.find((field) => field.key === key && field.values)?.values?.[0]);
  const properties = readPageProperties(body);
  const titleField = fields.find(
    ({ key, values, isList }) => key === 'title' && values?.length === 1 && !isList,
  );
  const given = titleField?.values?.[0] ?? properties.title;
  const rest = fields.map((field) => lineOf(field, field === titleField)).join('');
  const frontTags = [...fields.filter(({ key }) => TAGS.has(key)).flatMap(tagsOf), ...properties.tags];
  const tags = [...new Set([...frontTags, ...hashTags(body).slice(0, MAX_TAGS)])];
  const lines = rest.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const prose = body.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd();
  const title = given ?? headingOf(body) ?? titleOfNoteFile(name);
  const source = find('source') ?? find('url');
  const said = [given, tags.length > 0 && `tags: ${tags.join(', ')}`].filter(Boolean);
  const facts = said.length === 0 ? '' : [...new Set([title, ...said])].join('\n');
  return {
    text: [lines, prose].filter((part) => part.trim() !== '').join(`${newline}${newline}`) || facts,
    title,
    tags: tags.slice(0, Math.max(MAX_TAGS, new Set(frontTags).size)),
    source,
    createdAt: parseTimeMicros(find('created')) ?? parseTimeMicros(find('date')),
    updatedAt: parseTimeMicros(find('updated')) ?? parseTimeMicros(find('modified')),
    ...(broken && { warning: warningOf(broken) }),
  };
}

function warningOf({ line, why }: { readonly line: number; readonly why: string }): ReadNote['warning'] {
  const done = 'title and tags are read line by line, and all other lines stay as text';
  return { line, why: `the front matter is not valid YAML (${why}): ${done}` };
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

export function titleFromFileName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1).replace(/\.[^.]{1,8}$/, '');
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

function tagsOf({ raw, values = [], isList }: FrontField): string[] {
  // Also reads `tags: #one #two`, although `#` begins a comment in YAML.
  if (values.length === 0) return hashTags(raw);
  const list = isList ? values : values.flatMap((value) => splitTags(value));
  return list.map((tag) => tag.replace(/^#/, '').trim()).filter(Boolean);
}

function splitTags(value: string): string[] {
  const flow = /^\[(.*)\]?$/.exec(value)?.[1]?.replace(/\]$/, '');
  return flow === undefined ? value.split(/[\s,]+/) : flow.split(',').map((tag) => tag.trim());
}

function hashTags(body: string): string[] {
  const prose = body
    .slice(0, TAGGED_CHARS)
    .replace(/^(```|~~~)[\s\S]*?(?:^\1|$(?![\s\S]))/gm, '')
    .replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?<=^|\s)#([\p{L}\p{N}_/-]*[\p{L}_][\p{L}\p{N}_/-]*)/gu)].map(
    ([, tag = '']) => tag,
  );
}

function headingOf(body: string): string | undefined {
  return asTrimmedText(/^(?:\s|---)*# +(.+)/.exec(body.slice(0, 2000))?.[1]?.trim().replace(/ #+$/, ''));
}
