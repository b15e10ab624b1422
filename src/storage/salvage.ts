import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { sqliteResultCode } from './full-disk.ts';
import { inTransaction, SQLITE_DAMAGED } from './sqlite.ts';

export interface TaskControl {
  readonly signal: AbortSignal;
  progress(message: string): void;
}

/** SQL that finds keys of lost rows of `table`. It reads other tables, which were copied before. */
export interface RowKeyHint {
  readonly table: string;
  readonly sql: string;
}

type SalvageKey = readonly SQLInputValue[];
type SalvagedRow = Record<string, SQLInputValue>;

interface TableInfo {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that order the rows: the rowid or, in tables without one, the primary key. */
  readonly key: readonly string[];
}

const MAX_PROBES = 4000;
const ROWS_A_TURN = 2000;
const SQLITE_CONSTRAINT = 19;
const SQLITE_MISMATCH = 20;
const END = Symbol('end');

/** Copies the readable rows. Reads tables from both ends, because reading stops at a damaged page. */
export async function copyReadable(
  source: DatabaseSync,
  target: DatabaseSync,
  hints: readonly RowKeyHint[],
  watch: TaskControl,
): Promise<string[]> {
  const triggers = target
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as unknown as { name: string; sql: string }[];
  for (const { name } of triggers) target.exec(`DROP TRIGGER "${name}"`);
  const damaged: string[] = [];
  const tables = listTables(target);
  for (const table of tables) {
    watch.progress(`copying ${table.name}`);
    await setImmediate();
    watch.signal.throwIfAborted();
    if (!(await copyTable(source, target, table, watch))) damaged.push(table.name);
  }
  for (const { table: name, sql } of hints) {
    const table = tables.find((one) => one.name === name);
    if (table && damaged.includes(name)) copyByKeys(source, target, table, sql);
  }
  copySequences(source, target);
  for (const { sql } of triggers) target.exec(sql);
  dropStrays(target);
  return damaged;
}

export function isDamage(error: unknown): boolean {
  return SQLITE_DAMAGED.includes(sqliteResultCode(error));
}

function listTables(target: DatabaseSync): TableInfo[] {
  const tables = target.prepare('PRAGMA main.table_list').all() as unknown as {
    name: string;
    type: string;
    wr: number;
  }[];
  return tables
    .filter(({ name, type }) => type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name, wr }) => {
      const facts = target.prepare(`PRAGMA table_info("${name}")`).all() as unknown as {
        name: string;
        type: string;
        pk: number;
      }[];
      const columns = facts.map((column) => column.name);
      const keys = facts.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      if (wr === 1) return { name, columns, key: keys.map((column) => column.name) };
      const [only] = keys;
      const alias = keys.length === 1 && only?.type === 'INTEGER' ? only.name : undefined;
      return alias
        ? { name, columns, key: [alias] }
        : { name, columns: ['rowid', ...columns], key: ['rowid'] };
    })
    .sort((a, b) => a.name.localeCompare(b.name));
}

function createReader(source: DatabaseSync, target: DatabaseSync, { name, columns, key }: TableInfo) {
  const list = (names: readonly string[]) => names.map((one) => `"${one}"`).join(', ');
  const marks = (names: readonly string[]) => names.map(() => '?').join(', ');
  const prepare = (what: readonly string[], rest: string): StatementSync => {
    const statement = source.prepare(`SELECT ${list(what)} FROM "${name}" NOT INDEXED ${rest}`);
    statement.setReadBigInts(true);
    return statement;
  };
  const order = (way: 'ASC' | 'DESC') => `ORDER BY ${key.map((one) => `"${one}" ${way}`).join(', ')}`;
  const beyond = (way: 'ASC' | 'DESC') =>
    `WHERE (${list(key)}) ${way === 'ASC' ? '>' : '<'} (${marks(key)}) ${order(way)}`;
  const insert = target.prepare(
    `INSERT OR IGNORE INTO "${name}" (${list(columns)}) VALUES (${marks(columns)})`,
  );
  return {
    walk: (way: 'ASC' | 'DESC', from: SalvageKey | undefined) =>
      (from === undefined ? prepare(columns, order(way)) : prepare(columns, beyond(way))).iterate(
        ...(from ?? []),
      ) as IterableIterator<SalvagedRow>,
    nextKey(way: 'ASC' | 'DESC', from: SalvageKey | undefined): SalvageKey | typeof END {
      const rest = `${from === undefined ? order(way) : beyond(way)} LIMIT 1`;
      const row = prepare(key, rest).get(...(from ?? [])) as SalvagedRow | undefined;
      return row === undefined ? END : keyOf(row, key);
    },
    one(at: SalvageKey): SalvagedRow | undefined {
      return prepare(columns, `WHERE (${list(key)}) = (${marks(key)})`).get(...at) as SalvagedRow | undefined;
    },
    /** Writes a row. Returns false for an invalid row, because damaged bytes may look like a row. */
    put(row: SalvagedRow): boolean {
      try {
        insert.run(...columns.map((column) => row[column] ?? null));
        return true;
      } catch (error) {
        if ([SQLITE_CONSTRAINT, SQLITE_MISMATCH].includes(sqliteResultCode(error))) return false;
        throw error;
      }
    },
  };
}

type TableReader = ReturnType<typeof createReader>;

function keyOf(row: SalvagedRow, key: readonly string[]): SalvageKey {
  return key.map((column) => row[column] ?? null);
}

async function copyTable(source: DatabaseSync, target: DatabaseSync, table: TableInfo, watch: TaskControl) {
  target.exec('BEGIN');
  try {
    const reader = createReader(source, target, table);
    const up = await walkFrom(reader, table, 'ASC', watch);
    if (!up.whole) {
      const down = await walkFrom(reader, table, 'DESC', watch);
      probeBetween(reader, table, up.last?.[0], down.last?.[0]);
    }
    return up.whole && up.skipped === 0;
  } catch (error) {
    if (!isDamage(error)) throw error;
    // If the table's first page is damaged, the rows that were read may belong to another table.
    return false;
  } finally {
    target.exec('COMMIT');
  }
}

async function walkFrom(
  reader: TableReader,
  table: TableInfo,
  way: 'ASC' | 'DESC',
  { signal, progress }: TaskControl,
) {
  let last: SalvageKey | undefined;
  let skipped = 0;
  let count = 0;
  for (;;) {
    try {
      for (const row of reader.walk(way, last)) {
        if (!reader.put(row)) skipped++;
        last = keyOf(row, table.key);
        if (++count % ROWS_A_TURN !== 0) continue;
        progress(`copying ${table.name}: ${count} rows`);
        await setImmediate();
        signal.throwIfAborted();
      }
      return { whole: true, last, skipped };
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
    const next = attempt(() => reader.nextKey(way, last));
    if (next === undefined) return { whole: false, last, skipped };
    if (next === END) return { whole: true, last, skipped };
    if (!copyOne(reader, next)) skipped++;
    last = next;
  }
}

function copyOne(reader: TableReader, at: SalvageKey): boolean {
  const row = attempt(() => reader.one(at));
  return row !== undefined && reader.put(row);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (isDamage(error)) return undefined;
    throw error;
  }
}

function probeBetween(reader: TableReader, table: TableInfo, low: unknown, high: unknown): void {
  if (table.key.length > 1 || typeof low !== 'bigint' || typeof high !== 'bigint') return;
  const stretches: [bigint, bigint][] = [[low, high]];
  for (let probes = 0; probes < MAX_PROBES; probes++) {
    const stretch = stretches.shift();
    if (!stretch) return;
    const [from, to] = stretch;
    if (to - from < 2n) continue;
    const middle = (from + to) / 2n;
    const reached = readUntil(reader, table, middle, to);
    stretches.push([from, middle]);
    if (reached < to) stretches.push([reached, to]);
  }
}

function readUntil(reader: TableReader, { key }: TableInfo, from: bigint, to: bigint): bigint {
  let reached = from;
  try {
    for (const row of reader.walk('ASC', [from - 1n])) {
      const [number] = keyOf(row, key);
      if (typeof number !== 'bigint' || number >= to) return to;
      reader.put(row);
      reached = number;
    }
    return to;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return reached;
  }
}

function copyByKeys(source: DatabaseSync, target: DatabaseSync, table: TableInfo, sql: string): void {
  const reader = createReader(source, target, table);
  const wanted = target.prepare(sql);
  wanted.setReadBigInts(true);
  const keys = wanted.all() as unknown as SalvagedRow[];
  inTransaction(target, () => {
    for (const one of keys) copyOne(reader, Object.values(one));
  });
}

/** Copies the counters of ids, because ids of deleted rows must not be used again. */
function copySequences(source: DatabaseSync, target: DatabaseSync): void {
  const rows = attempt(() => source.prepare('SELECT name, seq FROM sqlite_sequence').all()) ?? [];
  for (const { name, seq } of rows as unknown as { name: string; seq: number }[]) {
    const changed = target
      .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
      .run(seq, name).changes;
    if (Number(changed) === 0) {
      target.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, seq);
    }
  }
}

/** Deletes rows whose parent row is lost, except in tables of the knowledge module (`kb_`). */
function dropStrays(target: DatabaseSync): void {
  const tables = listTables(target).filter(({ name }) => !name.startsWith('kb_'));
  const deletions = tables.flatMap(({ name }) => {
    const links = target.prepare(`PRAGMA foreign_key_list("${name}")`).all() as unknown as {
      table: string;
      from: string;
      to: string;
    }[];
    return links.map(
      ({ table, from, to }) =>
        `DELETE FROM "${name}" WHERE "${from}" IS NOT NULL AND "${from}" NOT IN (SELECT "${to}" FROM "${table}")`,
    );
  });
  for (let more = true; more; ) {
    more = false;
    for (const sql of deletions) more = Number(target.prepare(sql).run().changes) > 0 || more;
  }
}
