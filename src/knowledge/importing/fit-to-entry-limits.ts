import { takeCharacters } from '../../lib/text/text.ts';
import { ENTRY_LIMITS } from '../entries/new-entry.ts';
import type { ImportedEntry } from './import-kind.ts';

export function fitToEntryLimits<Entry extends Omit<ImportedEntry, 'text'> & { readonly text?: string }>(
  entry: Entry,
): Entry {
  const { text, title = '', source = '', tags = [] } = entry;
  const plain = title.replace(/\s+/g, ' ');
  const given = [...new Set(tags.map((tag) => tag.replace(/\s+/g, ' ').trim()))].filter(Boolean);
  const cut = given.filter((tag, at) => at >= ENTRY_LIMITS.tags || tag.length > ENTRY_LIMITS.tag);
  const facts = {
    title: takeCharacters(plain, ENTRY_LIMITS.title),
    source: source.length > ENTRY_LIMITS.source ? '' : source,
    tags: [...new Set(given.map((tag) => takeCharacters(tag, ENTRY_LIMITS.tag)))].slice(0, ENTRY_LIMITS.tags),
  };
  if (text === undefined) return { ...entry, ...facts };
  const above = [
    plain.length > ENTRY_LIMITS.title && !text.includes(title) && title,
    cut.length > 0 && `tags: ${cut.join(', ')}`,
    facts.source !== source && !text.includes(source) && `source: ${source}`,
  ].filter((line) => line !== false);
  return { ...entry, ...facts, ...(above.length > 0 && { text: [...above, text].join('\n\n') }) };
}
