import type { ImportedEntry } from '../importing/import-kind.ts';
import { asTrimmedText, parseTags } from '../importing/import-values.ts';
import { findField, findTags, parseFieldTime } from '../importing/known-fields.ts';
import { PREAMBLE_COLUMN } from './table.ts';

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
    .map(([column, value]) => (column === PREAMBLE_COLUMN ? value : `${column}: ${value.trim()}`))
    .join('\n');
}
