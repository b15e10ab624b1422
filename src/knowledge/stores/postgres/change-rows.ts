import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import type { ChangeRow, ReadChangeRows } from '../entries/change-row.ts';

/** Position of a reader: a `pg_snapshot` as text. The reader has seen its transactions. */
interface Position {
  shown: string;
  partly: { readonly shown: string; readonly tx: string; readonly seq: number } | undefined;
}

const NOW = 'SELECT pg_current_snapshot() AS shown';

/** Selects rows that the previous snapshot does not show. A transaction with a lower number may commit later. */
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
  readonly tx: string | null;
}

export function* createPostgresChangeReader(sql: Sql): StepGenerator<ReadChangeRows> {
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
