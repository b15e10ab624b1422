import { type AppError, badRequestError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { AnyDatabase } from '../any-database.ts';
import type { TaskControl } from '../salvage.ts';
import { type DeriveData, insertRows, keyOf, missingRows, readRows } from './rows.ts';
import type { TableShape } from './shape.ts';
import type { MoveState } from './state.ts';
import { tableNameIn } from './tables.ts';

export interface MoveContext {
  readonly source: AnyDatabase;
  readonly target: AnyDatabase;
  readonly state: MoveState;
  save(): void;
  readonly complete: Readonly<Record<string, DeriveData>>;
  readonly watch: TaskControl;
}

export async function copyTable(move: MoveContext, shape: TableShape): Promise<void> {
  const { source, target, state, complete, watch } = move;
  const { name } = shape.table;
  const reached = state.tables[name];
  if (reached === null) return;
  // After an interrupted move, the first batch may contain rows that are already copied. They are skipped.
  let isFirst = true;
  let count = 0;
  for await (const rows of readRows(source, shape, reached)) {
    watch.signal.throwIfAborted();
    const first = isFirst;
    isFirst = false;
    const missing = first ? await target.read((sql) => missingRows(sql, shape, rows)) : rows;
    if (missing.length > 0) {
      const { made, after } = (await complete[name]?.(missing, target.dialect)) ?? {};
      await target.write(function* (sql) {
        yield* insertRows(sql, shape, missing, made);
        if (after) yield* after(sql);
      });
    }
    const last = rows.at(-1);
    if (last) state.tables[name] = keyOf(source, shape, last);
    move.save();
    count += rows.length;
    watch.progress(`${name}: ${formatCount(count, 'row')}`);
  }
  state.tables[name] = null;
  move.save();
}

export async function filledTable(
  target: AnyDatabase,
  shapes: readonly TableShape[],
): Promise<string | undefined> {
  for (const { table } of shapes) {
    const row = await target.read((sql) =>
      sql.get(`SELECT 1 FROM ${tableNameIn(table, target.dialect)} LIMIT 1`),
    );
    if (row !== undefined) return table.name;
  }
  return undefined;
}

export function targetNotEmptyError(table: string): AppError {
  return badRequestError(
    `the target is not empty (${table} has rows): name an empty one, or delete it and make it again`,
  );
}
