import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
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
  readonly unkeyed: number;
}
export const NOTHING_RESTORED: RestoredRows = { times: [], known: 0, unkeyed: 0 };

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
      validUntil: version.valid_until,
    });
    yield* updateEntryRow(sql, { owner, at: version.at }, { trash: TRASH_STATE_DELETING });
    return { ...NOTHING_RESTORED, known: 1 };
  }
  if (holder && holder.trash <= TRASH_STATE_KEPT) yield* moveToTrashAsVersion(parts, sql, holder);
  else if (holder) yield* stepAside(parts, sql, holder);
  yield* changeEntryRowTime(sql, version, at);
  yield* sql.send`UPDATE kb_entries SET own_key = ${own_key}, version_of = NULL,
    updated = ${Math.max(parts.now(), at + 1)} WHERE owner = ${owner} AND at = ${at}`;
  yield* restoreEntryRow(parts, sql, { ...version, at, own_key });
  return { times: [at], known: 0, unkeyed: own_key === version.own_key ? 0 : 1 };
}

function* findVersion(sql: Sql, owner: number, wanted: WantedVersion): StepGenerator<EntryRow | undefined> {
  if ('batch' in wanted) {
    return yield* sql.get<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_TRASH_SQL)}
      WHERE owner = ${owner} AND trash <> 0 AND trash = ${wanted.batch} AND trash > ${TRASH_STATE_DELETING}
      AND version_of IS NOT NULL`;
  }
  const row = wanted.time === null ? undefined : yield* readRow(sql, owner, wanted.time);
  if (!row || row.digest === null || row.trash === TRASH_STATE_DELETING) return undefined;
  if (row.trash <= TRASH_STATE_KEPT) {
    return yield* sql.get<EntryRow>`SELECT * FROM kb_entries INDEXED BY kb_entries_by_version
      WHERE owner = ${owner} AND version_of = ${row.at} AND trash > ${TRASH_STATE_DELETING}
      ORDER BY trash DESC LIMIT 1`;
  }
  return row.version_of === null ? undefined : row;
}

function* stepAside({ now }: Pick<StoreParts, 'now'>, sql: Sql, row: EntryRow): StepGenerator<void> {
  const at = Math.max((yield* readOwner(sql, row.owner)).last + 1, now());
  yield* sql.send`UPDATE kb_owners SET last = ${at} WHERE id = ${row.owner}`;
  yield* changeEntryRowTime(sql, row, at);
  if (row.trash === TRASH_STATE_DELETING) return;
  yield* updateEntryRow(sql, { owner: row.owner, at }, { version_of: row.at });
}

function* readRow(sql: Sql, owner: number, at: number): StepGenerator<EntryRow | undefined> {
  return yield* sql.get<EntryRow>`SELECT * FROM kb_entries WHERE owner = ${owner} AND at = ${at}`;
}

const MAX_TAGS = 50;

interface EntryFacts {
  readonly tags: readonly string[];
  readonly title: string;
  readonly source: string;
  readonly key: string;
  readonly validUntil?: number;
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
  const merged = { tags, title, source, own_key: row.own_key || facts.key };
  const valid_until = facts.validUntil || row.valid_until;
  const isSame = Object.entries({ ...merged, valid_until }).every(
    ([name, value]) => row[name as keyof EntryRow] === value,
  );
  if (isSame) return;
  yield* updateEntryRow(sql, row, { ...merged, valid_until, updated: now() });
  yield* changes.recordChanges(sql, row.owner, [row.at]);
}
