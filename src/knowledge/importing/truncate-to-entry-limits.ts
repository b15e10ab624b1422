import { ENTRY_LIMITS } from '../entries/new-entry.ts';
import type { ImportedEntry } from './import-kind.ts';

/** Shortens an imported record's title and tags to the limits of an entry. A source that is too long is left out. */
export function truncateToEntryLimits<Entry extends Omit<ImportedEntry, 'text'>>(entry: Entry): Entry {
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
