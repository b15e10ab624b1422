import { type AnyDatabase, jsonRowsSql } from '../../storage/any-database.ts';
import type { PostgresNotices } from '../../storage/postgres/notices.ts';
import type { McpSessionStore, StoredMcpSession } from '../session-store.ts';
import { createSessionEventStore } from './events.ts';
import { createNodeMessageStore } from './node-messages.ts';

interface SessionRow {
  readonly id: string;
  readonly owner: string;
  readonly credential: string | null;
  readonly expires_at: number | null;
  readonly initialize: string;
  readonly used_at: number;
}

const USE_MS = 60_000;

const INSERT = `INSERT INTO mcp_sessions (id, owner, credential, expires_at, initialize, used_at)
  VALUES (?, ?, ?, ?, ?, ?)`;
const DELETE_OLDEST = `DELETE FROM mcp_sessions WHERE id IN
  (SELECT id FROM mcp_sessions WHERE owner = ? ORDER BY used_at DESC, id DESC OFFSET ?)`;
const FIND = 'SELECT * FROM mcp_sessions WHERE id = ? AND owner = ?';
const USED = 'UPDATE mcp_sessions SET used_at = ?1 WHERE id = ?2 AND used_at < ?1';
const HAS_SESSION = 'SELECT 1 FROM mcp_sessions WHERE id = ? FOR SHARE';
const SUBSCRIBE =
  'INSERT INTO mcp_subscriptions (session, uri) VALUES (?, ?) ON CONFLICT (session, uri) DO NOTHING';
const COUNT_OTHERS = 'SELECT count(*) AS count FROM mcp_subscriptions WHERE session = ? AND uri <> ?';

export function createMcpSessionStore(
  db: AnyDatabase,
  notices: Pick<PostgresNotices, 'hear'>,
): McpSessionStore {
  const listed = `SELECT id FROM mcp_sessions WHERE id IN (SELECT value FROM ${jsonRowsSql(db)} AS given (value))`;
  const used = `UPDATE mcp_sessions SET used_at = ?2
    WHERE id IN (SELECT value FROM json_array_elements_text(CAST(?1 AS json)) AS given (value)) RETURNING id`;
  return {
    insertSession: ({ id, owner, credential, expiresAt, initialize }, at, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`sessions of ${owner}`);
        yield* sql.send(INSERT, id, owner, credential ?? null, expiresAt ?? null, initialize, at);
        yield* sql.send(DELETE_OLDEST, owner, most);
      }),
    async useSession(id, owner, at) {
      const row = await db.read((sql) => sql.get<SessionRow>(FIND, id, owner));
      if (row && at - row.used_at > USE_MS) await db.write((sql) => sql.run(USED, at, id));
      return row && sessionOf(row);
    },
    async deleteSession(id, owner) {
      await db.remove((sql) => sql.run`DELETE FROM mcp_sessions WHERE id = ${id} AND owner = ${owner}`);
    },
    async listSessions(ids, at) {
      const given = JSON.stringify(ids);
      const rows =
        at === undefined
          ? await db.read((sql) => sql.all<Pick<SessionRow, 'id'>>(listed, given))
          : await db.write((sql) => sql.all<Pick<SessionRow, 'id'>>(used, given, at));
      return rows.map(({ id }) => id);
    },
    async deleteIdle(before) {
      await db.remove((sql) => sql.run`DELETE FROM mcp_sessions WHERE used_at < ${before}`);
    },
    ...subscriptionsOn(db),
    ...createNodeMessageStore(db, notices),
    ...createSessionEventStore(db, notices),
  };
}

function subscriptionsOn(db: AnyDatabase) {
  return {
    subscribe: (session, uri, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`subscriptions of ${session}`);
        if (!(yield* sql.get(HAS_SESSION, session))) return false;
        const others = yield* sql.get<{ count: number }>(COUNT_OTHERS, session, uri);
        if ((others?.count ?? 0) >= most) return false;
        yield* sql.send(SUBSCRIBE, session, uri);
        return true;
      }),
    async unsubscribe(session, uri) {
      await db.remove(
        (sql) => sql.run`DELETE FROM mcp_subscriptions WHERE session = ${session} AND uri = ${uri}`,
      );
    },
    async listSubscriptions(session) {
      const rows = await db.read(
        (sql) =>
          sql.all<{ uri: string }>`SELECT uri FROM mcp_subscriptions WHERE session = ${session} ORDER BY uri`,
      );
      return rows.map(({ uri }) => uri);
    },
  } satisfies Partial<McpSessionStore>;
}

function sessionOf({ id, owner, credential, expires_at, initialize }: SessionRow): StoredMcpSession {
  return { id, owner, credential: credential ?? undefined, expiresAt: expires_at ?? undefined, initialize };
}
