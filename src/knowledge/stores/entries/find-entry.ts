import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import { ENTRIES_BY_DIGEST_SQL, type EntryRow } from './rows.ts';

export function* findEntryRowByKey(
  sql: Sql,
  owner: number | null,
  collection: string,
  key: string,
): StepGenerator<EntryRow | undefined> {
  if (key === '') return undefined;
  return yield* sql.get<EntryRow>`SELECT * FROM kb_entries INDEXED BY kb_entries_by_key
    WHERE owner = ${owner} AND collection = ${collection} AND own_key <> '' AND own_key = ${key}
    AND trash <= 0`;
}

type EntryName = Pick<EntryRow, 'owner' | 'digest' | 'collection' | 'own_key'>;

export function* findDuplicateEntryRow(
  sql: Sql,
  { owner, digest, collection, own_key }: EntryName,
): StepGenerator<EntryRow | undefined> {
  return yield* sql.get<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_DIGEST_SQL)}
    WHERE owner = ${owner} AND digest = ${digest} AND collection = ${collection} AND own_key = ${own_key}
    AND trash <= 0`;
}

export function* findEntryRowByText(sql: Sql, given: EntryName): StepGenerator<EntryRow | undefined> {
  if (given.own_key !== '') return yield* findDuplicateEntryRow(sql, { ...given, own_key: '' });
  const all = yield* sql.all<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_DIGEST_SQL)}
    WHERE owner = ${given.owner} AND digest = ${given.digest} AND collection = ${given.collection}
    AND trash <= 0`;
  return all.find(({ own_key }) => own_key === '') ?? all.sort((a, b) => a.at - b.at)[0];
}
