import { ACCESS_SCOPES } from '../../caller.ts';
import {
  type AnyDatabase,
  type Sql,
  type SqlAnswer,
  type StepGenerator,
  type StoreDatabase,
  type TransactionWork,
  toAnyDatabase,
} from '../../storage/any-database.ts';
import { hasRow } from '../../storage/rows.ts';
import { fragment, raw } from '../../storage/sql-template.ts';
import type { KeyStore } from '../keys/key-store.ts';
import type { KeyRecord } from '../types.ts';

interface KeyRow extends Pick<KeyRecord, 'id' | 'user' | 'name' | 'prefix'> {
  readonly hash: Uint8Array;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly replaced_by: string | null;
  readonly used_at: number | null;
}

/** Do not create two stores on one SQLite connection: `readVersion` would miss the other store's changes. */
export function createKeyStore(of: StoreDatabase): KeyStore {
  const db = toAnyDatabase(of);
  const version = createVersion(db);
  const change = <T>(work: TransactionWork<T>): Promise<T> =>
    db.write(function* (sql) {
      yield* version.raise(sql);
      return yield* work(sql);
    });
  return {
    insertKey: (key, hash) => change((sql) => insert(sql, key, hash)),
    replaceKey: (key, hash, { id, at, expiresAt }) =>
      change(function* (sql) {
        const replaced = yield* sql.run`UPDATE access_keys SET replaced_by = ${key.id},
            expires_at = CASE WHEN expires_at < ${expiresAt} THEN expires_at ELSE ${expiresAt} END
          WHERE id = ${id} AND replaced_by IS NULL AND revoked_at IS NULL
          AND (expires_at IS NULL OR expires_at > ${at})`;
        if (replaced > 0) yield* insert(sql, key, hash);
        return replaced > 0;
      }),
    async findByHash(hash) {
      const row = await db.read((sql) => sql.get<KeyRow>`SELECT * FROM access_keys WHERE hash = ${hash}`);
      return row && { key: record(row), hash: row.hash };
    },
    async findById(id) {
      const row = await db.read((sql) => sql.get<KeyRow>`SELECT * FROM access_keys WHERE id = ${id}`);
      return row && record(row);
    },
    listKeys: (user) =>
      db.read(function* (sql) {
        const isOfUser = user === undefined ? raw('TRUE') : fragment`"user" = ${user}`;
        const rows = yield* sql.all<KeyRow>`SELECT * FROM access_keys WHERE ${isOfUser}
          ORDER BY created_at, id`;
        return rows.map(record);
      }),
    revokeKey: (id, at) =>
      change(function* (sql) {
        const row = yield* sql.get<KeyRow>`UPDATE access_keys SET revoked_at = coalesce(revoked_at, ${at})
          WHERE id = ${id} RETURNING *`;
        return row && record(row);
      }),
    revokeAllKeys: (at) =>
      change(function* (sql) {
        return yield* sql.run`UPDATE access_keys SET revoked_at = ${at} WHERE revoked_at IS NULL`;
      }),
    readVersion: () => db.read(version.read),
    hasKeys: () => hasRow(db, 'SELECT 1 FROM access_keys LIMIT 1'),
  };
}

/** PostgreSQL counts changes in a row. SQLite's `data_version` omits own changes, counted by `ownChanges`. */
function createVersion({ dialect }: AnyDatabase): {
  raise(sql: Sql): StepGenerator<void>;
  read(sql: Sql): StepGenerator<string>;
} {
  if (dialect === 'postgres') {
    return {
      *raise(sql) {
        yield* sql.send('UPDATE access_version SET changes = changes + 1');
      },
      *read(sql) {
        return String((yield* sql.get<{ changes: number }>('SELECT changes FROM access_version'))?.changes);
      },
    };
  }
  let ownChanges = 0;
  return {
    // biome-ignore lint/correctness/useYield: a step that asks nothing.
    *raise() {
      ownChanges++;
    },
    *read(sql) {
      const row = yield* sql.get<{ data_version: number }>('PRAGMA data_version');
      return `${row?.data_version} ${ownChanges}`;
    },
  };
}

function insert(sql: Sql, key: KeyRecord, hash: Buffer): SqlAnswer<void> {
  const { id, user, name, prefix, scopes, createdAt, expiresAt } = key;
  return sql.send`INSERT INTO access_keys (id, "user", name, prefix, hash, scopes, created_at, expires_at)
    VALUES (${id}, ${user}, ${name}, ${prefix}, ${hash}, ${scopes.join(',')}, ${createdAt}, ${expiresAt ?? null})`;
}

function record(row: KeyRow): KeyRecord {
  const scopes = row.scopes.split(',');
  return {
    id: row.id,
    user: row.user,
    name: row.name,
    prefix: row.prefix,
    scopes: ACCESS_SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    usedAt: row.used_at ?? undefined,
  };
}
