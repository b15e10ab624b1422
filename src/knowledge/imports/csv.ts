import type { ImportFile, ImportItem, ImportKind } from '../importing/import-kind.ts';
import { asTrimmedText } from '../importing/import-values.ts';
import { findField, rankField } from '../importing/known-fields.ts';
import { titleFromFileName } from '../importing/note.ts';
import { readImportFileText, skipOtherFiles, yieldItemsOrProblem } from './file-text.ts';
import { findRowFacts, rowLines } from './row-facts.ts';
import { PREAMBLE_COLUMN, readTable } from './table.ts';
import { createUniqueNames } from './unique-names.ts';

const ID = /^(?:id|uuid|guid)$/i;

export const csv: ImportKind = {
  name: 'csv',
  title: 'Table of any program (CSV or TSV), an entry for each row',
  recognises: async (files) => files.some(({ name }) => /\.(?:csv|tsv)$/i.test(name)),
  async *read(files) {
    for (const file of files.filter(isTable)) yield* yieldItemsOrProblem(file, rowItems(file));
    yield* skipOtherFiles(files, isTable, 'not a table');
  },
};

function isTable({ name }: ImportFile): boolean {
  return /\.(?:csv|tsv)$|^-$/i.test(name);
}

async function* rowItems(file: ImportFile): AsyncGenerator<ImportItem> {
  const delimiter = /\.tsv$/i.test(file.name) ? '\t' : undefined;
  const rows = readTable(await readImportFileText(file), file.name, delimiter);
  if (rows.length === 0) yield { at: file.name, skipped: 'a table without rows' };
  const nameRow = createUniqueNames((id, number) => `${id}#${number}`);
  for (const [at, row] of rows.entries()) {
    const filled = Object.entries(row).filter(([, value]) => value.trim() !== '');
    const title = findField('title', filled, asTrimmedText);
    const given = title?.value;
    // Rows about parts of one book have its title, which does not name one row.
    const own = title && rankField('title', title.name) < 2 ? given : undefined;
    const first = own ?? filled[0]?.[1] ?? '';
    if (filled.every(([column]) => column === PREAMBLE_COLUMN)) continue;
    const id = filled.find(([column]) => ID.test(column))?.[1] ?? first;
    const facts = findRowFacts(row);
    yield {
      at: `${file.name}, row ${at + 1}`,
      entry: {
        ...facts,
        source: facts.source ?? file.name,
        key: `csv:${file.name}/${nameRow(id)}`,
        title: given ?? `${titleFromFileName(file.name)}: ${first}`,
        text: rowLines(row),
      },
    };
  }
}
