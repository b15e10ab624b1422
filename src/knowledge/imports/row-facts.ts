import type { ImportedEntry } from '../importing/import-kind.ts';
import { parseTags, parseTimeMicros } from '../importing/import-values.ts';

const TAGS = /^(?:tags?|labels?|categor(?:y|ies)|topics?)$/i;
const MADE = /^(?:created(?: time| at)?|created_at|date created)$/i;
const CHANGED = /^(?:last edited(?: time)?|updated(?: at)?|updated_at)$/i;
const ADDRESS = /^(?:url|link|source)$/i;

/** Finds the URL, tags and times among the named values of a row or page. The values stay in its text as well. */
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
    .map(([column, value]) => `${column}: ${value.trim()}`)
    .join('\n');
}
