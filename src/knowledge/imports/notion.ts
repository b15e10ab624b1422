import { isBlankText } from '../../lib/text/invisible.ts';
import type { ImportedEntry, ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { titleFromFileName } from '../importing/note.ts';
import { readImportFileBytes, readImportFileText, yieldItemsOrProblem } from './file-text.ts';
import { readTable } from './table.ts';

/** Pattern of names of exported files. Notion appends an id to them: `Plans 0123456789abcdef0123456789abcdef.md`. */
const WITH_ID = / ?([0-9a-f]{32})(?:_all)?\.(?:md|csv|html)$/;
const LIST = /^(?:tags?|labels?|categor(?:y|ies)|topics?)$/i;
const MADE = /^(?:created(?: time| at)?|date created)$/i;
const CHANGED = /^(?:last edited(?: time)?|updated(?: at)?)$/i;
const ADDRESS = /^(?:url|link|source)$/i;

export const notion: ImportKind = {
  name: 'notion',
  title: 'Notion export (ZIP or folder of Markdown or HTML, with CSV databases)',
  recognises: async (files) => files.some(({ name }) => WITH_ID.test(name)),

  async *read(files) {
    const wholes = new Set(files.flatMap(({ name }) => (name.endsWith('_all.csv') ? [name] : [])));
    const rowPages = new Set(files.map(({ name }) => plainName(name)));
    for (const file of files) {
      const { name } = file;
      if (/\.md$/i.test(name)) yield* yieldItemsOrProblem(file, pageItems(file));
      else if (/\.html?$/i.test(name)) yield* yieldItemsOrProblem(file, htmlItems(file));
      // Skips the CSV file of a database if the export also has `..._all.csv`, which contains all rows.
      else if (/\.csv$/i.test(name) && !wholes.has(name.replace(/\.csv$/i, '_all.csv')))
        yield* yieldItemsOrProblem(file, rowItems(file, rowPages));
      else if (!/\.csv$/i.test(name)) yield { at: name, skipped: 'not a page or a database' };
    }
  },
};

async function* pageItems(file: ImportFile): AsyncGenerator<ImportItem> {
  const text = await readImportFileText(file);
  const [, heading] = /^\s*# +(.+)/.exec(text.slice(0, 2000)) ?? [];
  const title = heading?.trim() || titleOfPage(file.name);
  const body = text.replace(/^\s*# .*(?:\r?\n)+/, '');
  if (isBlankText(body)) yield { at: file.name, skipped: 'a page without text' };
  else yield { at: file.name, entry: { ...about(propertiesOf(body), file.name), title, text: text.trim() } };
}

async function* htmlItems(file: ImportFile): AsyncGenerator<ImportItem> {
  if (/(?:^|\/)index\.html$/.test(file.name)) yield { at: file.name, skipped: 'a list of pages' };
  else
    yield {
      at: file.name,
      page: await readImportFileBytes(file),
      entry: { ...about({}, file.name), title: titleOfPage(file.name) },
    };
}

/** Yields the rows of a Notion database. A row that has a page of its own is skipped, since the page has its values too. */
async function* rowItems(file: ImportFile, pages: ReadonlySet<string>): AsyncGenerator<ImportItem> {
  const folder = plainName(file.name);
  const database = titleOfPage(file.name);
  let number = 0;
  const titles = new Map<string, number>();
  for (const row of readTable(await readImportFileText(file), file.name)) {
    number++;
    const filled = Object.entries(row).filter(([column, value]) => column !== '' && value.trim() !== '');
    const [title = ''] = filled.map(([, value]) => value);
    if (filled.length === 0 || pages.has(`${folder}/${fileNameOf(title)}`)) continue;
    const turn = (titles.get(title) ?? 0) + 1;
    titles.set(title, turn);
    yield {
      at: `${file.name}, row ${number}`,
      entry: {
        ...about(row, file.name),
        key: `notion:${idOf(file.name) ?? file.name}/${title}${turn === 1 ? '' : `#${turn}`}`,
        title: `${database}: ${title}`,
        text: filled.map(([column, value]) => `${column}: ${value.trim()}`).join('\n'),
      },
    };
  }
}

function about(
  properties: Readonly<Record<string, string>>,
  name: string,
): Omit<ImportedEntry, 'text' | 'title'> {
  const find = (pattern: RegExp) => Object.entries(properties).find(([key]) => pattern.test(key))?.[1];
  const id = idOf(name);
  const address = find(ADDRESS)?.trim();
  return {
    source: address && /^https?:/.test(address) ? address : id ? `https://www.notion.so/${id}` : name,
    tags: parseTags(find(LIST)),
    createdAt: parseTimeMicros(find(MADE)),
    updatedAt: parseTimeMicros(find(CHANGED)),
    key: `notion:${id ?? name}`,
  };
}

function propertiesOf(body: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  for (const line of body.slice(0, 20_000).split(/\r?\n/)) {
    const [, key, value] = /^([^:#|`[\]]{1,60}): (.+)$/.exec(line) ?? [];
    if (key === undefined || value === undefined) break;
    found[key.trim()] = value;
  }
  return found;
}

function idOf(name: string): string | undefined {
  return WITH_ID.exec(name)?.[1];
}

function titleOfPage(name: string): string {
  return titleFromFileName(name.replace(WITH_ID, '')) || 'Untitled';
}

/** Returns a file's path without Notion's ids and without extension, by which a database row and its page are matched. */
function plainName(name: string): string {
  return name.replace(WITH_ID, '').replace(/ [0-9a-f]{32}(?=\/|$)/g, '');
}

function fileNameOf(title: string): string {
  return title
    .replace(/[/\\?%*:|"<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 50)
    .trim();
}
