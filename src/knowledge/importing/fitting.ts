import { ENTRY_LIMITS } from '../entries/new-entry.ts';
import type { ImportedEntry } from './import-kind.ts';

/** What is too long in the words of another program is cut; a source that is, left out. */
export function fitting<Entry extends Omit<ImportedEntry, 'text'>>(entry: Entry): Entry {
  const { title = '', source = '', tags = [] } = entry;
  return {
    ...entry,
    title: title.replace(/\s+/g, ' ').slice(0, ENTRY_LIMITS.title).toWellFormed(),
    source: source.length > ENTRY_LIMITS.source ? '' : source,
    tags: [...new Set(tags.map((tag) => tag.replace(/\s+/g, ' ').trim().slice(0, ENTRY_LIMITS.tag)))]
      .filter(Boolean)
      .slice(0, ENTRY_LIMITS.tags),
  };
}
