import type { AnyDatabase } from '../../storage/any-database.ts';
import { GIVE_NOTICE, type PostgresNotices } from '../../storage/postgres/notices.ts';
import type { McpSessionEvent, McpSessionStore, SessionStreamId } from '../session-store.ts';
import { DATABASE_NOW_MS_SQL } from './node-messages.ts';

const INSERT = `WITH there AS (SELECT owner, id FROM mcp_sessions WHERE owner = ? AND id = ? FOR KEY SHARE)
  INSERT INTO mcp_events (owner, session, stream, number, message, ends, at)
  SELECT there.owner, there.id, given.stream, given.number, given.message, given.ends, ${DATABASE_NOW_MS_SQL}
  FROM there, json_to_recordset(CAST(? AS json)) AS given (stream text, number bigint, message text, ends smallint)
  ON CONFLICT DO NOTHING`;
const TRIM = `DELETE FROM mcp_events WHERE owner = ?1 AND session = ?2 AND (stream, number) IN (
  SELECT stream, number FROM (
    SELECT stream, number, row_number() OVER newest AS place, sum(octet_length(message)) OVER newest AS bytes
    FROM mcp_events WHERE owner = ?1 AND session = ?2 WINDOW newest AS (ORDER BY at DESC, number DESC, stream)
  ) AS sized WHERE place > ?3 OR (bytes > ?4 AND place > 1))`;
const LIST = `SELECT number, message, ends FROM mcp_events
  WHERE owner = ? AND session = ? AND stream = ? AND number > ? ORDER BY number LIMIT ?`;
const DELETE_OLD = `DELETE FROM mcp_events WHERE at < ${DATABASE_NOW_MS_SQL} - ?`;

const topicOf = (session: string) => `events ${session}`;

export function createSessionEventStore(db: AnyDatabase, notices: Pick<PostgresNotices, 'hear'>) {
  return {
    writeEvents: (events, { count, bytes }) =>
      db.write(function* (sql) {
        for (const [{ owner, session }, own] of bySession(events)) {
          const rows = own.map(({ stream, number, message, ends }) => ({
            ...{ stream, number, message },
            ends: ends ? 1 : 0,
          }));
          yield* sql.send(INSERT, owner, session, JSON.stringify(rows));
          yield* sql.send(TRIM, owner, session, count, bytes);
          yield* sql.send(GIVE_NOTICE, topicOf(session));
        }
      }),
    async listEvents({ owner, session, stream }, after, most) {
      const rows = await db.read((sql) =>
        sql.all<Omit<McpSessionEvent, 'ends'> & { ends: number }>(LIST, owner, session, stream, after, most),
      );
      return rows.map((row) => ({ ...row, ends: row.ends === 1 }));
    },
    async deleteEvents(olderMs) {
      await db.remove((sql) => sql.run(DELETE_OLD, olderMs));
    },
    onEvents: async (session, listener) => notices.hear(topicOf(session), listener),
  } satisfies Partial<McpSessionStore>;
}

type Event = McpSessionEvent & SessionStreamId;

/** Groups events by session, in a fixed order, so that two nodes cannot deadlock. */
function bySession(events: readonly Event[]): [Pick<Event, 'owner' | 'session'>, Event[]][] {
  const grouped = Map.groupBy(events, ({ session }) => session);
  const own = [...grouped.values()].sort(([a], [b]) => ((a?.session ?? '') < (b?.session ?? '') ? -1 : 1));
  return own.flatMap((list) => (list[0] ? [[list[0], list]] : []));
}
