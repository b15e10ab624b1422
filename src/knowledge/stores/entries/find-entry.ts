import type { Sql, Steps } from '../../../storage/any-database.ts';
import { BY_DIGEST, type EntryRow } from './rows.ts';

/** Which kept entry has a text or a key. Every function here runs within a step of the database. */

/** The entry of a collection that has the key; none for an empty one. */
export function* findByKey(
  sql: Sql,
  owner: number | null,
  collection: string,
  key: string,
): Steps<EntryRow | undefined> {
  if (key === '') return undefined;
  return yield* sql.get<EntryRow>(
    `SELECT * FROM kb_entries INDEXED BY kb_entries_by_key
     WHERE owner = ? AND collection = ? AND own_key <> '' AND own_key = ? AND trash <= 0`,
    owner,
    collection,
    key,
  );
}

type Named = Pick<EntryRow, 'owner' | 'digest' | 'collection' | 'own_key'>;

/** The one that keeps a row with this text and key from being kept beside it. */
export function* findSame(
  sql: Sql,
  { owner, digest, collection, own_key }: Named,
): Steps<EntryRow | undefined> {
  return yield* sql.get<EntryRow>(
    `SELECT * FROM ${BY_DIGEST}
     WHERE owner = ? AND digest = ? AND collection = ? AND own_key = ? AND trash <= 0`,
    owner,
    digest,
    collection,
    own_key,
  );
}

/** The one that a text joins when it is inserted: without a key any of its collection, with a key one that has none. */
export function* findByText(sql: Sql, given: Named): Steps<EntryRow | undefined> {
  if (given.own_key !== '') return yield* findSame(sql, { ...given, own_key: '' });
  const all = yield* sql.all<EntryRow>(
    `SELECT * FROM ${BY_DIGEST} WHERE owner = ? AND digest = ? AND collection = ? AND trash <= 0`,
    given.owner,
    given.digest,
    given.collection,
  );
  return all.find(({ own_key }) => own_key === '') ?? all.sort((a, b) => a.at - b.at)[0];
}
