import { type AnyDatabase, jsonRows } from '../../storage/any-database.ts';
import type { PostgresNotices } from '../../storage/postgres/notices.ts';
import { fragment } from '../../storage/sql-template.ts';
import type { McpSessionStore, StoredMcpSession } from '../session-store.ts';
import { createSessionEventStore } from './events.ts';
import { createNodeMessageStore, holdsSession } from './node-messages.ts';

interface SessionRow {
  readonly id: string;
  readonly owner: string;
  readonly credential: string | null;
  readonly expires_at: number | null;
  readonly initialize: string;
  readonly used_at: number;
}

const USE_MS = 60_000;

export function createMcpSessionStore(
  db: AnyDatabase,
  notices: Pick<PostgresNotices, 'hear'>,
): McpSessionStore {
  return {
    insertSession: ({ id, owner, credential, expiresAt, initialize }, at, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`sessions of ${owner}`);
        yield* sql.send`INSERT INTO mcp_sessions (id, owner, credential, expires_at, initialize, used_at)
          VALUES (${id}, ${owner}, ${credential ?? null}, ${expiresAt ?? null}, ${initialize}, ${at})`;
        yield* sql.send`DELETE FROM mcp_sessions WHERE id IN (SELECT id FROM mcp_sessions
          WHERE owner = ${owner} ORDER BY used_at DESC, id DESC OFFSET ${most})`;
      }),
    async useSession(id, owner, at) {
      const row = await db.read(
        (sql) => sql.get<SessionRow>`SELECT * FROM mcp_sessions WHERE id = ${id} AND owner = ${owner}`,
      );
      if (row && at - row.used_at > USE_MS) {
        await db.write(
          (sql) => sql.run`UPDATE mcp_sessions SET used_at = ${at} WHERE id = ${id} AND used_at < ${at}`,
        );
      }
      return row && sessionOf(row);
    },
    async deleteSession(id, owner) {
      await db.remove((sql) => sql.run`DELETE FROM mcp_sessions WHERE id = ${id} AND owner = ${owner}`);
    },
    async listSessions(ids, at) {
      const isGiven = fragment`id IN (SELECT value FROM ${jsonRows(db, ids)} AS given (value))`;
      const list = fragment`SELECT id FROM mcp_sessions WHERE ${isGiven}`;
      const use = fragment`UPDATE mcp_sessions SET used_at = ${at ?? 0} WHERE ${isGiven} RETURNING id`;
      const rows =
        at === undefined
          ? await db.read((sql) => sql.all<Pick<SessionRow, 'id'>>`${list}`)
          : await db.write((sql) => sql.all<Pick<SessionRow, 'id'>>`${use}`);
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
        if (!(yield* holdsSession(sql, session))) return false;
        const others = yield* sql.get<{ count: number }>`SELECT count(*) AS count FROM mcp_subscriptions
          WHERE session = ${session} AND uri <> ${uri}`;
        if ((others?.count ?? 0) >= most) return false;
        yield* sql.send`INSERT INTO mcp_subscriptions (session, uri) VALUES (${session}, ${uri})
          ON CONFLICT (session, uri) DO NOTHING`;
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
