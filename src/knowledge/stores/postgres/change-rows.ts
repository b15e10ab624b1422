import type { Sql, Steps } from '../../../storage/any-database.ts';
import type { ChangeRow, ReadChangeRows } from '../entries/change-row.ts';

/** What a reader knows of the transactions that had ended: `pg_snapshot` of the server as text. */
interface Position {
  /** All that it shows was read. */
  shown: string;
  /** While more is read than fits one step: the rows that this one shows too, up to and including a row. */
  partly: { readonly shown: string; readonly tx: string; readonly seq: number } | undefined;
}

const NOW = 'SELECT pg_current_snapshot() AS shown';

/**
 * Rows that the snapshot of the last call did not show, and that of this one does. Numbers of rows and of transactions do not rise in
 * the order of commits, so that a reader that remembered the highest would miss what was begun before and ended later. Numbers
 * of transactions beyond those that the server has given come from another server, by a dump.
 */
const ROWS = `
  SELECT s.shown, c.tx, c.seq, o.name, c.what, c.writer
  FROM (SELECT pg_current_snapshot() AS now, coalesce(CAST(? AS pg_snapshot), pg_current_snapshot()) AS shown) AS s
  LEFT JOIN (kb_changes AS c JOIN kb_owners AS o ON o.id = c.owner)
    ON c.tx >= pg_snapshot_xmin(CAST(? AS pg_snapshot)) AND c.tx < pg_snapshot_xmax(s.now)
    AND NOT pg_visible_in_snapshot(c.tx, CAST(? AS pg_snapshot)) AND pg_visible_in_snapshot(c.tx, s.shown)
    AND (c.tx, c.seq) > (CAST(? AS xid8), CAST(? AS bigint))
  ORDER BY c.tx, c.seq LIMIT ?`;

interface Row extends ChangeRow {
  readonly shown: string;
  /** Null in the one row where there is no change. */
  readonly tx: string | null;
}

/** How changes are read where transactions end in another order than they began; one question a call. */
export function* readFromNow(sql: Sql): Steps<ReadChangeRows> {
  const begun = yield* sql.get<{ shown: string }>(NOW);
  const position: Position = { shown: begun?.shown ?? '', partly: undefined };
  return function* (again, limit) {
    const { shown, partly } = position;
    const rows = yield* again.all<Row>(
      ROWS,
      partly?.shown ?? null,
      shown,
      shown,
      partly?.tx ?? '0',
      partly?.seq ?? 0,
      limit,
    );
    const found = rows.filter(({ tx }) => tx !== null);
    const last = found.at(-1);
    const until = rows[0]?.shown ?? shown;
    if (last?.tx && found.length === limit) {
      position.partly = { shown: until, tx: last.tx, seq: last.seq };
    } else {
      position.shown = until;
      position.partly = undefined;
    }
    return found;
  };
}
