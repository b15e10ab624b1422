import { createHash } from 'node:crypto';
import type { ImportedEntry } from '../importing/import-kind.ts';
import { asTrimmedText, parseTags } from '../importing/import-values.ts';
import { findField, findTags, parseFieldTime } from '../importing/known-fields.ts';
import { readTextOrHtml } from '../importing/note-html.ts';
import { createUniqueNames } from '../importing/unique-names.ts';
import { type CsvRow, PREAMBLE_COLUMN } from './table.ts';

export function findRowFacts(
  values: Readonly<Record<string, string>>,
): Pick<ImportedEntry, 'source' | 'tags' | 'createdAt' | 'updatedAt'> {
  const fields = Object.entries(values);
  const isAddress = (given: unknown) => /^https?:\S{1,2000}$/.exec(asTrimmedText(given) ?? '')?.[0];
  return {
    source: findField('source', fields, isAddress)?.value,
    tags: [
      ...findTags(fields),
      ...fields.flatMap(([name, value]) => (/^folder$/i.test(name) ? parseTags([value]) : [])),
    ],
    createdAt: findField('made', fields, parseFieldTime)?.value,
    updatedAt: findField('changed', fields, parseFieldTime)?.value,
  };
}

export function rowLines(row: Readonly<Record<string, string>>): string {
  return Object.entries(row)
    .filter(([, value]) => value.trim() !== '')
    .map(([column, value]) => (column === PREAMBLE_COLUMN ? value : cellLine(column, value.trim())))
    .join('\n');
}

function cellLine(column: string, value: string): string {
  const text = readTextOrHtml(value);
  return `${column}:${text.includes('\n') && text !== value ? '\n' : ' '}${text}`;
}

/**
 * Names each row by its id. A further row with the same id also gets a digest of its values, so that a later
 * export with more rows gives the same names again. Only rows with equal values are numbered.
 */
export function nameRows(rows: readonly CsvRow[], idOf: (row: CsvRow) => string): string[] {
  const ids = rows.map(idOf);
  const first = new Map(ids.map((id, at) => [id, at] as const).reverse());
  const nameRow = createUniqueNames((name, number) => `${name}#${number}`);
  const digestOf = (row: CsvRow) =>
    createHash('sha256')
      .update(rowLines({ ...row, [PREAMBLE_COLUMN]: '' }))
      .digest('base64url');
  return rows.map((row, at) => {
    const id = ids[at] ?? '';
    return nameRow(first.get(id) === at ? id : `${id}#${digestOf(row).slice(0, 12)}`);
  });
}
