import type { SQLInputValue } from 'node:sqlite';
import { SCOPES } from '../../caller.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { KeyChange, KeyRecord, KeyStore } from '../key-store.ts';

interface Row {
  readonly id: string;
  readonly user: string;
  readonly name: string;
  readonly prefix: string;
  readonly hash: Uint8Array;
  readonly scopes: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
  readonly replaced_by: string | null;
  readonly used_at: number | null;
}

const CHANGE = `UPDATE access_keys SET
    expires_at = coalesce(?, expires_at), revoked_at = coalesce(?, revoked_at),
    replaced_by = coalesce(?, replaced_by)
  WHERE id = ?`;

/**
 * Keys in SQLite. Each look-up reads the database, so that a change by any process is seen at once. One of
 * them only for a connection: what another one on it changes is not told by `version`.
 */
export function createSqliteKeyStore(db: Database): KeyStore {
  /** Changes by this store; SQLite's `data_version` counts those of other connections alone. */
  let own = 0;
  const change = (id: string, { expiresAt, revokedAt, replacedBy }: KeyChange) => {
    own++;
    return db.run(CHANGE, expiresAt ?? null, revokedAt ?? null, replacedBy ?? null, id) > 0;
  };
  return {
    add(key, hash, replaces) {
      own++;
      db.transactionSync(() => {
        db.run(
          `INSERT INTO access_keys (id, user, name, prefix, hash, scopes, created_at, expires_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          ...values(key, hash),
        );
        if (replaces) change(replaces.id, replaces.change);
      });
    },
    byHash(hash) {
      const row = db.get<Row>('SELECT * FROM access_keys WHERE hash = ?', hash);
      return row && { key: record(row), hash: row.hash };
    },
    byId(id) {
      const row = db.get<Row>('SELECT * FROM access_keys WHERE id = ?', id);
      return row && record(row);
    },
    list(user) {
      const order = 'ORDER BY created_at, id';
      const rows =
        user === undefined
          ? db.all<Row>(`SELECT * FROM access_keys ${order}`)
          : db.all<Row>(`SELECT * FROM access_keys WHERE user = ? ${order}`, user);
      return rows.map(record);
    },
    change,
    revokeAll(at) {
      own++;
      return db.run('UPDATE access_keys SET revoked_at = ? WHERE revoked_at IS NULL', at);
    },
    version: () => `${db.get<{ data_version: number }>('PRAGMA data_version')?.data_version} ${own}`,
    any: () => db.get('SELECT 1 FROM access_keys LIMIT 1') !== undefined,
  };
}

function values(key: KeyRecord, hash: Buffer): SQLInputValue[] {
  const { id, user, name, prefix, scopes, createdAt, expiresAt } = key;
  return [id, user, name, prefix, hash, scopes.join(','), createdAt, expiresAt ?? null];
}

function record(row: Row): KeyRecord {
  const scopes = row.scopes.split(',');
  return {
    id: row.id,
    user: row.user,
    name: row.name,
    prefix: row.prefix,
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    createdAt: row.created_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    replacedBy: row.replaced_by ?? undefined,
    usedAt: row.used_at ?? undefined,
  };
}
