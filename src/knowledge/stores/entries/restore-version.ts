import type { Sql, Steps } from '../../../storage/any-database.ts';
import type { StoreParts } from '../parts.ts';
import { keepAgain } from '../trash/trash-rows.ts';
import { findByKey, findSame } from './find-entry.ts';
import { mergeEntry } from './merge-entry.ts';
import { readOwner } from './owners.ts';
import { keepAsVersion, moveRow } from './replace-entry.ts';
import { type EntryRow, GOING, KEPT, TRASHED, unpackTags } from './rows.ts';

export type WantedVersion = { readonly batch: number } | { readonly time: number | null };

/** Restores a replaced text in exchange for the current one, in a transaction. Undefined if there is no such text. */
export function* restoreVersion(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  owner: number,
  wanted: WantedVersion,
): Steps<{ readonly times: readonly number[]; readonly known: number } | undefined> {
  const version = yield* findVersion(sql, owner, wanted);
  if (!version) return undefined;
  const at = version.version_of ?? version.at;
  const holder = yield* readRow(sql, owner, at);
  const namesake = yield* findByKey(sql, owner, version.collection, version.own_key);
  // The entry may have another key now, and another entry may have this key.
  const own_key = namesake && namesake.at !== at ? '' : version.own_key;
  const same = yield* findSame(sql, { ...version, own_key });
  if (same && same.at !== at) {
    yield* mergeEntry(parts, sql, same, {
      ...{ title: version.title, tags: unpackTags(version.tags), key: '' },
      source: same.source ? '' : version.source,
    });
    yield* sql.send('UPDATE kb_entries SET trash = ? WHERE owner = ? AND at = ?', GOING, owner, version.at);
    return { times: [], known: 1 };
  }
  if (holder && holder.trash <= KEPT) yield* keepAsVersion(parts, sql, holder);
  else if (holder) yield* stepAside(parts, sql, holder);
  yield* moveRow(sql, version, at);
  yield* sql.send(
    'UPDATE kb_entries SET own_key = ?, version_of = NULL, updated = ? WHERE owner = ? AND at = ?',
    own_key,
    Math.max(parts.now(), at + 1),
    owner,
    at,
  );
  yield* keepAgain(parts, sql, { ...version, at, own_key });
  return { times: [at], known: 0 };
}

function* findVersion(sql: Sql, owner: number, wanted: WantedVersion): Steps<EntryRow | undefined> {
  if ('batch' in wanted) {
    return yield* sql.get<EntryRow>(
      `SELECT * FROM ${TRASHED} WHERE owner = ? AND trash <> 0 AND trash = ? AND trash > ? AND version_of IS NOT NULL`,
      owner,
      wanted.batch,
      GOING,
    );
  }
  const row = wanted.time === null ? undefined : yield* readRow(sql, owner, wanted.time);
  if (!row || row.digest === null || row.trash === GOING) return undefined;
  if (row.trash <= KEPT) {
    return yield* sql.get<EntryRow>(
      `SELECT * FROM kb_entries INDEXED BY kb_entries_by_version
       WHERE owner = ? AND version_of = ? AND trash > ? ORDER BY trash DESC LIMIT 1`,
      owner,
      row.at,
      GOING,
    );
  }
  if (row.version_of !== null) return row;
  // Another entry has taken this entry's key, so the restored text replaces that entry's text.
  const namesake = yield* findByKey(sql, owner, row.collection, row.own_key);
  if (!namesake || (yield* findSame(sql, row))) return undefined;
  return { ...row, version_of: namesake.at };
}

/** Gives an entry in the trash another time, so that it becomes a replaced text there. */
function* stepAside({ now }: Pick<StoreParts, 'now'>, sql: Sql, row: EntryRow): Steps<void> {
  const at = Math.max((yield* readOwner(sql, row.owner)).last + 1, now());
  yield* sql.send('UPDATE kb_owners SET last = ? WHERE id = ?', at, row.owner);
  yield* moveRow(sql, row, at);
  if (row.trash === GOING) return;
  yield* sql.send('UPDATE kb_entries SET version_of = ? WHERE owner = ? AND at = ?', row.at, row.owner, at);
}

function* readRow(sql: Sql, owner: number, at: number): Steps<EntryRow | undefined> {
  return yield* sql.get<EntryRow>('SELECT * FROM kb_entries WHERE owner = ? AND at = ?', owner, at);
}
