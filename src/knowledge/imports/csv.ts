import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asTrimmedText, isNoValue } from '../importing/import-values.ts';
import { findField, rankField } from '../importing/known-fields.ts';
import { titleFromFileName } from '../importing/note.ts';
import { readImportFileHead, readImportFileText, skipOtherFiles, yieldItemsOrProblem } from './file-text.ts';
import { findRowFacts, nameRows, rowLines } from './row-facts.ts';
import { type CsvRow, hasDirectives, PREAMBLE_COLUMN, readTable } from './table.ts';

const ID = /^(?:id|uuid|guid)$/i;

export const csv: ImportKind = {
  name: 'csv',
  title: 'Table of any program (CSV or TSV), an entry for each row',
  recognises: async (files) => files.some(isTable) || isAnkiTable(files),
  async *read(files) {
    const isRead = (file: ImportFile) => files.length === 1 || isTable(file);
    for (const file of files.filter(isRead)) yield* yieldItemsOrProblem(file, rowItems(file));
    yield* skipOtherFiles(files, isRead, 'not a table');
  },
};

/** Returns true for a single file of Anki, whose name is that of a note. */
export async function isAnkiTable(files: readonly ImportFile[]): Promise<boolean> {
  const [file] = files;
  return files.length === 1 && file !== undefined && hasDirectives(await readImportFileHead(file));
}

const isTable = ({ name }: ImportFile): boolean => /\.(?:csv|tsv)$/i.test(name);

async function* rowItems(file: ImportFile): AsyncGenerator<ImportItem> {
  const delimiter = /\.tsv$/i.test(file.name) ? '\t' : undefined;
  const rows = readTable(await readImportFileText(file), file.name, delimiter);
  if (rows.length === 0) yield { at: file.name, skipped: 'a table without rows' };
  const names = nameRows(rows, (row) => describeRow(row).id);
  for (const [at, row] of rows.entries()) {
    const { filled, given, first } = describeRow(row);
    if (filled.every(([column]) => column === PREAMBLE_COLUMN)) continue;
    const facts = findRowFacts(row);
    yield {
      at: `${file.name}, row ${at + 1}`,
      entry: {
        ...facts,
        source: facts.source ?? file.name,
        key: `csv:${file.name}/${names[at]}`,
        title: given ?? `${titleFromFileName(file.name)}: ${first}`,
        text: rowLines(row),
      },
    };
  }
}

function describeRow(row: CsvRow) {
  const filled = Object.entries(row).filter(([, value]) => value.trim() !== '');
  const title = findField('title', filled, asTrimmedText);
  const given = title?.value;
  // A column named `title` or `name` identifies a row, but many rows may have the same `Book Title`.
  const own = title && rankField('title', title.name) < 2 ? given : undefined;
  const isWords = ([column, value]: readonly string[]) =>
    !isNoValue(value) && !/^(?:deck|notetype)$/.test(column ?? '');
  const known = filled.find(isWords) ?? filled[0];
  const first = own ?? known?.[1] ?? '';
  return { filled, given, first, id: filled.find(([column]) => ID.test(column))?.[1] ?? first };
}
