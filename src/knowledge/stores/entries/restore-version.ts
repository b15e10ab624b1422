import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { StoreParts } from '../parts.ts';
import { restoreEntryRow } from '../trash/trash-rows.ts';
import { findDuplicateEntryRow, findEntryRowByKey } from './find-entry.ts';
import { readOwner } from './owners.ts';
import { changeEntryRowTime, moveToTrashAsVersion } from './replace-entry.ts';
import {
  ENTRIES_BY_TRASH_SQL,
  type EntryRow,
  packTags,
  TRASH_STATE_DELETING,
  TRASH_STATE_KEPT,
  unpackTags,
  updateEntryRow,
} from './rows.ts';

/** Entries that a step restored, `unkeyed` of them without their key, and how many were kept under another id. */
export interface RestoredRows {
  readonly times: readonly number[];
  readonly known: number;
  readonly unkeyed?: number;
}

export type WantedVersion = { readonly batch: number } | { readonly time: number | null };

export function* restoreVersion(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  owner: number,
  wanted: WantedVersion,
): StepGenerator<RestoredRows | undefined> {
  const version = yield* findVersion(sql, owner, wanted);
  if (!version) return undefined;
  const at = version.version_of ?? version.at;
  const holder = yield* readRow(sql, owner, at);
  const namesake = yield* findEntryRowByKey(sql, owner, version.collection, version.own_key);
  const own_key = namesake && namesake.at !== at ? '' : version.own_key;
  const same = yield* findDuplicateEntryRow(sql, { ...version, own_key });
  if (same && same.at !== at) {
    yield* mergeEntry(parts, sql, same, {
      ...{ title: version.title, tags: unpackTags(version.tags), key: '' },
      source: same.source ? '' : version.source,
    });
    yield* updateEntryRow(sql, { owner, at: version.at }, { trash: TRASH_STATE_DELETING });
    return { times: [], known: 1 };
  }
  if (holder && holder.trash <= TRASH_STATE_KEPT) yield* moveToTrashAsVersion(parts, sql, holder);
  else if (holder) yield* stepAside(parts, sql, holder);
  yield* changeEntryRowTime(sql, version, at);
  yield* sql.send(
    'UPDATE kb_entries SET own_key = ?, version_of = NULL, updated = ? WHERE owner = ? AND at = ?',
    own_key,
    Math.max(parts.now(), at + 1),
    owner,
    at,
  );
  yield* restoreEntryRow(parts, sql, { ...version, at, own_key });
  return { times: [at], known: 0, unkeyed: own_key === version.own_key ? 0 : 1 };
}

function* findVersion(sql: Sql, owner: number, wanted: WantedVersion): StepGenerator<EntryRow | undefined> {
  if ('batch' in wanted) {
    return yield* sql.get<EntryRow>(
      `SELECT * FROM ${ENTRIES_BY_TRASH_SQL} WHERE owner = ? AND trash <> 0 AND trash = ? AND trash > ? AND version_of IS NOT NULL`,
      owner,
      wanted.batch,
      TRASH_STATE_DELETING,
    );
  }
  const row = wanted.time === null ? undefined : yield* readRow(sql, owner, wanted.time);
  if (!row || row.digest === null || row.trash === TRASH_STATE_DELETING) return undefined;
  if (row.trash <= TRASH_STATE_KEPT) {
    return yield* sql.get<EntryRow>(
      `SELECT * FROM kb_entries INDEXED BY kb_entries_by_version
       WHERE owner = ? AND version_of = ? AND trash > ? ORDER BY trash DESC LIMIT 1`,
      owner,
      row.at,
      TRASH_STATE_DELETING,
    );
  }
  return row.version_of === null ? undefined : row;
}

function* stepAside({ now }: Pick<StoreParts, 'now'>, sql: Sql, row: EntryRow): StepGenerator<void> {
  const at = Math.max((yield* readOwner(sql, row.owner)).last + 1, now());
  yield* sql.send('UPDATE kb_owners SET last = ? WHERE id = ?', at, row.owner);
  yield* changeEntryRowTime(sql, row, at);
  if (row.trash === TRASH_STATE_DELETING) return;
  yield* updateEntryRow(sql, { owner: row.owner, at }, { version_of: row.at });
}

function* readRow(sql: Sql, owner: number, at: number): StepGenerator<EntryRow | undefined> {
  return yield* sql.get<EntryRow>('SELECT * FROM kb_entries WHERE owner = ? AND at = ?', owner, at);
}

const MAX_TAGS = 50;

interface EntryFacts {
  readonly tags: readonly string[];
  readonly title: string;
  readonly source: string;
  readonly key: string;
}

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
