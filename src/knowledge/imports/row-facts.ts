import type { ImportedEntry } from '../importing/import-kind.ts';
import { parseTags, parseTimeMicros } from '../importing/import-values.ts';
import { PREAMBLE } from './table.ts';

const TAGS = /^(?:tags?|labels?|categor(?:y|ies)|topics?)$/i;
const MADE = /^(?:(?:date|time)[ _-]?)?(?:created|added|saved|highlighted)(?:[ _-]?(?:time|date|at|on))?$/i;
const CHANGED =
  /^(?:(?:date|time|last)[ _-]?)?(?:edited|updated|modified|changed)(?:[ _-]?(?:time|date|at|on))?$/i;
const ADDRESS = /^(?:url|link|source)$/i;

/** Finds the URL, tags and times among named values of a row or page. The text keeps the values too. */
export function findRowFacts(
  values: Readonly<Record<string, string>>,
): Pick<ImportedEntry, 'source' | 'tags' | 'createdAt' | 'updatedAt'> {
  const find = (pattern: RegExp) =>
    Object.entries(values)
      .find(([key]) => pattern.test(key))?.[1]
      .trim();
  const address = find(ADDRESS);
  return {
    source: address !== undefined && /^https?:/.test(address) ? address : undefined,
    tags: parseTags(find(TAGS)),
    createdAt: parseTimeMicros(find(MADE)?.replace(/^@/, '')),
    updatedAt: parseTimeMicros(find(CHANGED)?.replace(/^@/, '')),
  };
}

export function rowLines(row: Readonly<Record<string, string>>): string {
  return Object.entries(row)
    .filter(([, value]) => value.trim() !== '')
    .map(([column, value]) => (column === PREAMBLE ? value : `${column}: ${value.trim()}`))
    .join('\n');
}
