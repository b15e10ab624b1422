import type { AnyDatabase, Sql } from '../../storage/any-database.ts';
import { GIVE_NOTICE, type PostgresNotices } from '../../storage/postgres/notices.ts';
import { type McpSessionStore, SERVER_NODE_TIMEOUT_MS, type ServerNodeMessage } from '../session-store.ts';

/** Unread messages are deleted after this time. A running node reads its messages much sooner. */
const MAIL_MS = 60_000;
/** SQL for the time in ms by the database's clock, which all nodes share. */
export const DATABASE_NOW_MS_SQL = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

const CHECK_IN = `INSERT INTO mcp_nodes (node, at) VALUES (?, ${DATABASE_NOW_MS_SQL}) ON CONFLICT (node) DO UPDATE SET at = excluded.at`;
const DELETE_GONE = `DELETE FROM mcp_nodes WHERE at < ${DATABASE_NOW_MS_SQL} - ${SERVER_NODE_TIMEOUT_MS}`;
const DELETE_OLD = `DELETE FROM mcp_answers WHERE at < ${DATABASE_NOW_MS_SQL} - ${MAIL_MS}`;
const IS_THERE = `SELECT 1 FROM mcp_nodes WHERE node = ? AND at >= ${DATABASE_NOW_MS_SQL} - ?`;
const CHECK_OUT = 'DELETE FROM mcp_nodes WHERE node = ?';
const OTHERS = `SELECT node FROM mcp_nodes WHERE node <> ? AND at >= ${DATABASE_NOW_MS_SQL} - ${SERVER_NODE_TIMEOUT_MS} ORDER BY node`;
const HAS_SESSION = 'SELECT 1 FROM mcp_sessions WHERE id = ? FOR SHARE';
const COUNT = 'SELECT count(*) AS count FROM mcp_answers WHERE session = ? AND node = ?';
const SEND = 'INSERT INTO mcp_answers (session, node, message) VALUES (?, ?, ?)';
const TAKE = `WITH taken AS (DELETE FROM mcp_answers WHERE node = ? RETURNING id, session, message)
  SELECT session, message FROM taken ORDER BY id`;

const topicOf = (node: string) => `mail ${node}`;

export function createNodeMessageStore(db: AnyDatabase, notices: Pick<PostgresNotices, 'hear'>) {
  return {
    checkIn: (node) =>
      db.write(function* (sql) {
        yield* sql.send(CHECK_IN, node);
        yield* sql.send(DELETE_GONE);
        yield* sql.send(DELETE_OLD);
      }),
    isThere: async (node, ms = SERVER_NODE_TIMEOUT_MS) =>
      (await db.read((sql) => sql.get(IS_THERE, node, ms))) !== undefined,
    async checkOut(node) {
      await db.remove((sql) => sql.run(CHECK_OUT, node));
    },
    sendMail: (mail, node, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`mail of ${mail.session}`);
        if (!(yield* sql.get(HAS_SESSION, mail.session))) return false;
        return yield* send(sql, mail, node, most);
      }),
    sendToOthers: (mail, own, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`mail of ${mail.session}`);
        if (!(yield* sql.get(HAS_SESSION, mail.session))) return;
        for (const { node } of yield* sql.all<{ node: string }>(OTHERS, own)) {
          yield* send(sql, mail, node, most);
        }
      }),
    takeMail: (node) => db.remove((sql) => sql.all<ServerNodeMessage>(TAKE, node)),
    onMail: async (node, listener) => notices.hear(topicOf(node), listener),
  } satisfies Partial<McpSessionStore>;
}

function* send(sql: Sql, { session, message }: ServerNodeMessage, node: string, most: number) {
  const waiting = yield* sql.get<{ count: number }>(COUNT, session, node);
  if ((waiting?.count ?? 0) >= most) return false;
  yield* sql.send(SEND, session, node, message);
  yield* sql.send(GIVE_NOTICE, topicOf(node));
  return true;
}
