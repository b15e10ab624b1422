import { isBlankText } from '../../lib/text/invisible.ts';
import { addExtensionToReason } from '../importing/add-extension-to-reason.ts';
import { dayOfNoteName } from '../importing/day-of-note-name.ts';
import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { titleFromFileName } from '../importing/note.ts';
import { readNoteHtml } from '../importing/note-html.ts';
import { hasAllWords } from '../importing/words.ts';
import { readImportFileHead, readImportFileText, yieldItemsOrProblem } from './file-text.ts';
import { findRowFacts, nameRows, rowLines } from './row-facts.ts';
import { type CsvRow, readTable } from './table.ts';

/** Pattern of the names of exported files. Notion appends an id: `Plans 0123456789abcdef0123456789abcdef.md`. */
const WITH_ID = / ?([0-9a-f]{32})(?:_all)?\.(?:md|csv|html)$/;
const MAX_SAME_TITLES = 20;

export const notion: ImportKind = {
  name: 'notion',
  title: 'Notion export (ZIP or folder of Markdown or HTML, with CSV databases)',
  recognises: async (files) => files.some(({ name }) => WITH_ID.test(name)),

  async *read(files) {
    const wholes = new Set(files.flatMap(({ name }) => (name.endsWith('_all.csv') ? [name] : [])));
    const pages = Map.groupBy(
      files.filter(({ name }) => /\.(?:md|html?)$/i.test(name)),
      ({ name }) => plainName(name),
    );
    for (const file of files) {
      const { name } = file;
      if (/\.md$/i.test(name)) yield* yieldItemsOrProblem(file, pageItems(file));
      else if (/\.html?$/i.test(name)) yield* yieldItemsOrProblem(file, htmlItems(file));
      else if (!/\.csv$/i.test(name))
        yield { at: name, skipped: addExtensionToReason('not a page or a database', name) };
      // `Plans_all.csv` has all rows of a database. `Plans.csv` has only the rows of a view, so it is skipped.
      else if (wholes.has(name.replace(/\.csv$/i, '_all.csv')))
        yield { at: name, skipped: 'a view of a database that is there as a whole' };
      else yield* yieldItemsOrProblem(file, rowItems(file, pages));
    }
  },
};

async function* pageItems(file: ImportFile): AsyncGenerator<ImportItem> {
  const text = await readImportFileText(file);
  const [, heading] = /^\s*# +(.+)/.exec(text.slice(0, 2000)) ?? [];
  const title = heading?.trim() || titleOfPage(file.name);
  const body = text.replace(/^\s*# .*(?:\r?\n)+/, '');
  if (isBlankText(body)) yield { at: file.name, skipped: 'a page without text' };
  else
    yield {
      at: file.name,
      entry: { ...about(propertiesOf(body), file.name, title), title, text: text.trim() },
    };
}

async function* htmlItems(file: ImportFile): AsyncGenerator<ImportItem> {
  if (/(?:^|\/)index\.html$/.test(file.name)) {
    yield { at: file.name, skipped: 'a list of pages' };
    return;
  }
  const page = readNoteHtml(await readImportFileText(file));
  const title = page.title || titleOfPage(file.name);
  if (page.isEmpty) yield { at: file.name, skipped: 'a page without text' };
  else
    yield {
      at: file.name,
      entry: { ...about(page.properties, file.name, title), title, text: page.markdown },
    };
}

async function* rowItems(file: ImportFile, pages: Map<string, ImportFile[]>): AsyncGenerator<ImportItem> {
  const folder = plainName(file.name);
  const database = titleOfPage(file.name);
  const rows = readTable(await readImportFileText(file), file.name, ',');
  const titleOf = (row: CsvRow) => Object.values(row).find((value) => value.trim() !== '');
  const names = nameRows(rows, (row) => titleOf(row) ?? '');
  for (const [at, row] of rows.entries()) {
    const title = titleOf(row);
    if (title === undefined) continue;
    if (await takePage(pages.get(`${folder}/${fileNameOf(title)}`) ?? [], row)) {
      yield { at: file.name, skipped: 'a row of a database whose page has all of it' };
      continue;
    }
    yield {
      at: `${file.name}, row ${at + 1}`,
      entry: {
        ...about(row, file.name, title),
        key: `notion:${idOf(file.name) ?? file.name}/${names[at]}`,
        title: `${database}: ${title}`,
        text: rowLines(row),
      },
    };
  }
}

async function takePage(pages: ImportFile[], row: CsvRow): Promise<boolean> {
  for (const [at, page] of pages.slice(0, MAX_SAME_TITLES).entries()) {
    if (!(await hasValues(page, row))) continue;
    pages.splice(at, 1);
    return true;
  }
  return false;
}

/** Returns true if a page begins with the row's values. Ignores Yes and No: in HTML, they are check boxes. */
async function hasValues(page: ImportFile, row: CsvRow): Promise<boolean> {
  const values = Object.values(row).filter((value) => !/^(?:Yes|No)$/.test(value));
  const words = values.join('\n').replace(/\([^()\n]{0,500}\.(?:md|csv|html)\)/g, '');
  return hasAllWords(words, [await readImportFileHead(page)]);
}

function about(properties: Readonly<Record<string, string>>, name: string, title: string) {
  const id = idOf(name);
  const facts = findRowFacts(properties);
  return {
    ...facts,
    createdAt: facts.createdAt ?? dayOfNoteName(title),
    source: facts.source ?? (id ? `https://www.notion.so/${id}` : name),
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

const idOf = (name: string): string | undefined => WITH_ID.exec(name)?.[1];
const titleOfPage = (name: string): string => titleFromFileName(name.replace(WITH_ID, '')) || 'Untitled';

/** Returns a path without Notion's ids and extension. A database row and its page have the same result. */
const plainName = (name: string): string => name.replace(WITH_ID, '').replace(/ [0-9a-f]{32}(?=\/|$)/g, '');

function fileNameOf(title: string): string {
  return title
    .normalize('NFC')
    .replace(/[/\\?%*:|"<>]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 50)
    .trim();
}
