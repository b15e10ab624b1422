import type { SQLInputValue } from 'node:sqlite';
import { SCOPES } from '../../caller.ts';
import type { Database, Statements } from '../../storage/sqlite.ts';
import type { KeyStore } from '../key-store.ts';
import type { KeyRecord } from '../types.ts';

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

const INSERT = `INSERT INTO access_keys (id, user, name, prefix, hash, scopes, created_at, expires_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const REPLACE = `UPDATE access_keys SET replaced_by = ?, expires_at = min(coalesce(expires_at, ?), ?)
  WHERE id = ? AND replaced_by IS NULL AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)`;
const REVOKE = 'UPDATE access_keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ? RETURNING *';
const LIST_ORDER = 'ORDER BY created_at, id';

/**
 * Keys in SQLite. Each look-up reads the database, so that a change by any process is seen at once. One of these stores
 * only for a connection: `readVersion` does not see what another one changes on it.
 */
export function createSqliteKeyStore(db: Database): KeyStore {
  /** Changes by this store; SQLite's `data_version` counts those of other connections alone. */
  let ownChanges = 0;
  const change = <T>(work: (sql: Statements) => T): Promise<T> =>
    db.write((sql) => {
      ownChanges++;
      return work(sql);
    });
  return {
    insertKey: (key, hash) => change((sql) => void sql.run(INSERT, ...values(key, hash))),
    replaceKey: (key, hash, { id, at, expiresAt }) =>
      change((sql) => {
        if (sql.run(REPLACE, key.id, expiresAt, expiresAt, id, at) === 0) return false;
        sql.run(INSERT, ...values(key, hash));
        return true;
      }),
    findByHash: (hash) =>
      db.read((sql) => {
        const row = sql.get<Row>('SELECT * FROM access_keys WHERE hash = ?', hash);
        return row && { key: record(row), hash: row.hash };
      }),
    findById: (id) =>
      db.read((sql) => {
        const row = sql.get<Row>('SELECT * FROM access_keys WHERE id = ?', id);
        return row && record(row);
      }),
    listKeys: (user) =>
      db.read((sql) => {
        const rows =
          user === undefined
            ? sql.all<Row>(`SELECT * FROM access_keys ${LIST_ORDER}`)
            : sql.all<Row>(`SELECT * FROM access_keys WHERE user = ? ${LIST_ORDER}`, user);
        return rows.map(record);
      }),
    revokeKey: (id, at) =>
      change((sql) => {
        const row = sql.get<Row>(REVOKE, at, id);
        return row && record(row);
      }),
    revokeAllKeys: (at) =>
      change((sql) => sql.run('UPDATE access_keys SET revoked_at = ? WHERE revoked_at IS NULL', at)),
    readVersion: () =>
      db.read((sql) => {
        const version = sql.get<{ data_version: number }>('PRAGMA data_version')?.data_version;
        return `${version} ${ownChanges}`;
      }),
    hasKeys: () => db.read((sql) => sql.get('SELECT 1 FROM access_keys LIMIT 1') !== undefined),
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
