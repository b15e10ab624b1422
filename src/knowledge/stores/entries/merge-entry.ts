import type { Sql, Steps } from '../../../storage/any-database.ts';
import type { StoreParts } from '../parts.ts';
import { type EntryRow, packTags, unpackTags } from './rows.ts';

/** Tags of one entry; more come together only where the same text is inserted again and again. */
const MAX_TAGS = 50;

/** What else is said of a text that an entry has. */
export interface EntryFacts {
  readonly tags: readonly string[];
  readonly title: string;
  readonly source: string;
  /** Empty for none; another one than the entry's only where the entry has none. */
  readonly key: string;
}

/** Adds what the same text brings to the entry that has it; a new source replaces the old one. Within a transaction. */
export function* mergeEntry(
  { changes, now }: Pick<StoreParts, 'changes' | 'now'>,
  sql: Sql,
  row: EntryRow,
  facts: EntryFacts,
): Steps<void> {
  const tags = packTags([...new Set([...unpackTags(row.tags), ...facts.tags])].slice(0, MAX_TAGS));
  const title = row.title || facts.title;
  const source = facts.source || row.source;
  const key = row.own_key || facts.key;
  if (tags === row.tags && title === row.title && source === row.source && key === row.own_key) return;
  yield* sql.send(
    'UPDATE kb_entries SET tags = ?, title = ?, source = ?, own_key = ?, updated = ? WHERE owner = ? AND at = ?',
    tags,
    title,
    source,
    key,
    now(),
    row.owner,
    row.at,
  );
  yield* changes.recordChanges(sql, row.owner, [row.at]);
}
