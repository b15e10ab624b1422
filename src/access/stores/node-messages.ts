import type { AnyDatabase, Sql, StepGenerator } from '../../storage/any-database.ts';
import { GIVE_NOTICE, type PostgresNotices } from '../../storage/postgres/notices.ts';
import { raw } from '../../storage/sql-template.ts';
import { type McpSessionStore, SERVER_NODE_TIMEOUT_MS, type ServerNodeMessage } from '../session-store.ts';

/** Unread messages are deleted after this time. A running node reads its messages much sooner. */
const MAIL_MS = 60_000;
/** SQL for the time in ms by the database's clock, which all nodes share. */
export const DATABASE_NOW_MS_SQL = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)';

const DELETE_GONE = `DELETE FROM mcp_nodes WHERE at < ${DATABASE_NOW_MS_SQL} - ${SERVER_NODE_TIMEOUT_MS}`;
const DELETE_OLD = `DELETE FROM mcp_answers WHERE at < ${DATABASE_NOW_MS_SQL} - ${MAIL_MS}`;
const NOW = raw(DATABASE_NOW_MS_SQL);

const topicOf = (node: string) => `mail ${node}`;

export function createNodeMessageStore(db: AnyDatabase, notices: Pick<PostgresNotices, 'hear'>) {
  return {
    checkIn: (node) =>
      db.write(function* (sql) {
        yield* sql.send`INSERT INTO mcp_nodes (node, at) VALUES (${node}, ${NOW})
          ON CONFLICT (node) DO UPDATE SET at = excluded.at`;
        yield* sql.send(DELETE_GONE);
        yield* sql.send(DELETE_OLD);
      }),
    isThere: async (node, ms = SERVER_NODE_TIMEOUT_MS) =>
      (await db.read(
        (sql) => sql.get`SELECT 1 FROM mcp_nodes WHERE node = ${node} AND at >= ${NOW} - ${ms}`,
      )) !== undefined,
    async checkOut(node) {
      await db.remove((sql) => sql.run`DELETE FROM mcp_nodes WHERE node = ${node}`);
    },
    sendMail: (mail, node, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`mail of ${mail.session}`);
        if (!(yield* holdsSession(sql, mail.session))) return false;
        return yield* send(sql, mail, node, most);
      }),
    sendToOthers: (mail, own, most) =>
      db.write(function* (sql) {
        yield* sql.lockName(`mail of ${mail.session}`);
        if (!(yield* holdsSession(sql, mail.session))) return;
        const others = yield* sql.all<{ node: string }>`SELECT node FROM mcp_nodes
          WHERE node <> ${own} AND at >= ${NOW} - ${SERVER_NODE_TIMEOUT_MS} ORDER BY node`;
        for (const { node } of others) yield* send(sql, mail, node, most);
      }),
    takeMail: (node) =>
      db.remove(
        (sql) => sql.all<ServerNodeMessage>`WITH taken AS (
            DELETE FROM mcp_answers WHERE node = ${node} RETURNING id, session, message)
          SELECT session, message FROM taken ORDER BY id`,
      ),
    onMail: async (node, listener) => notices.hear(topicOf(node), listener),
  } satisfies Partial<McpSessionStore>;
}

export function* holdsSession(sql: Sql, session: string): StepGenerator<boolean> {
  return (yield* sql.get`SELECT 1 FROM mcp_sessions WHERE id = ${session} FOR SHARE`) !== undefined;
}

function* send(sql: Sql, { session, message }: ServerNodeMessage, node: string, most: number) {
  const waiting = yield* sql.get<{ count: number }>`SELECT count(*) AS count FROM mcp_answers
    WHERE session = ${session} AND node = ${node}`;
  if ((waiting?.count ?? 0) >= most) return false;
  yield* sql.send`INSERT INTO mcp_answers (session, node, message) VALUES (${session}, ${node}, ${message})`;
  yield* sql.send(GIVE_NOTICE, topicOf(node));
  return true;
}
