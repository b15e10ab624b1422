import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { StoreParts } from '../parts.ts';
import { type EntryRow, packTags, unpackTags, updateEntryRow } from './rows.ts';

const MAX_TAGS = 50;

export interface EntryFacts {
  readonly tags: readonly string[];
  readonly title: string;
  readonly source: string;
  readonly key: string;
}

/** Merges an inserted text's title, source and tags into the entry with this text. A new source replaces the old one. */
export function* mergeEntry(
  { changes, now }: Pick<StoreParts, 'changes' | 'now'>,
  sql: Sql,
  row: EntryRow,
  facts: EntryFacts,
): StepGenerator<void> {
  const tags = packTags([...new Set([...unpackTags(row.tags), ...facts.tags])].slice(0, MAX_TAGS));
  const title = row.title || facts.title;
  const source = facts.source || row.source;
  const key = row.own_key || facts.key;
  if (tags === row.tags && title === row.title && source === row.source && key === row.own_key) return;
  yield* updateEntryRow(sql, row, { tags, title, source, own_key: key, updated: now() });
  yield* changes.recordChanges(sql, row.owner, [row.at]);
}
