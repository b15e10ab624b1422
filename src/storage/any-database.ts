import type { SqliteDatabase, Statements } from './database.ts';
import { raw, type SqlFragment, type SqlPart, type SqlStatement, type SqlValue } from './sql-template.ts';

export type { SqlValue } from './sql-template.ts';

/** Result of a query, read with `yield*`. SQLite has the result at once, PostgreSQL later. */
export interface SqlAnswer<T> {
  [Symbol.iterator](): Iterator<unknown, T, unknown>;
}

/** SQL for both databases. PostgreSQL converts unquoted names to lower case. */
export interface Sql {
  readonly dialect: Dialect;
  all<Row>(text: SqlStatement, ...values: readonly SqlPart[]): SqlAnswer<Row[]>;
  get<Row>(text: SqlStatement, ...values: readonly SqlPart[]): SqlAnswer<Row | undefined>;
  run(text: SqlStatement, ...values: readonly SqlPart[]): SqlAnswer<number>;
  /** Sends a statement without awaiting its result. If the statement fails, the transaction fails. */
  send(text: SqlStatement, ...values: readonly SqlPart[]): SqlAnswer<void>;
  sendEach(text: string, lists: Iterable<readonly SqlValue[]>): SqlAnswer<void>;
  allEach<Row>(statements: Iterable<SqlFragment>): SqlAnswer<Row[][]>;
  /** Locks a name until the transaction ends. Transactions must lock several names in a fixed order. */
  lockName(name: string): SqlAnswer<void>;
}

/** `LIMIT` for all rows, because SQLite requires a `LIMIT` before an `OFFSET`. */
export const NO_ROW_LIMIT = '9223372036854775807';

/** Returns SQL that makes rows from a list. Their column `value` is text in PostgreSQL. */
export function jsonRows(
  { dialect }: Pick<AnyDatabase, 'dialect'>,
  list: readonly (number | string)[],
): SqlFragment {
  const rows = dialect === 'postgres' ? 'json_array_elements_text(CAST(? AS json))' : 'json_each(?)';
  return raw(rows, JSON.stringify(list));
}

export function skipLockedSql({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
}

export type Dialect = 'sqlite' | 'postgres';

/** Work of a transaction. The work may run twice. It must wait only by `yield*`, never by `await`. */
export type TransactionWork<T> = (sql: Sql) => SqlAnswer<T>;
export type StepGenerator<T> = Generator<unknown, T, unknown>;

export interface AnyDatabase {
  readonly dialect: Dialect;
  readonly embedded: SqliteDatabase | undefined;
  read<T>(work: TransactionWork<T>): Promise<T>;
  write<T>(work: TransactionWork<T>): Promise<T>;
  writeAutocommit<T>(work: TransactionWork<T>): Promise<T>;
  writeReplaceable<T>(work: TransactionWork<T>): Promise<T>;
  remove<T>(work: TransactionWork<T>): Promise<T>;
  releaseFreePages(): Promise<void>;
  transaction<T>(name: string, work: (db: AnyDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A result that is available at once, so that `yield*` does not suspend the generator. */
class Ready<T> implements SqlAnswer<T>, Iterator<unknown, T, unknown> {
  readonly done = true as const;
  readonly value: T;
  constructor(value: T) {
    this.value = value;
  }
  [Symbol.iterator](): this {
    return this;
  }
  next(): this {
    return this;
  }
}

const DONE = new Ready<void>(undefined);
export const NO_ANSWER: SqlAnswer<undefined> = new Ready(undefined);

function sqlOf(statements: Statements): Sql {
  return {
    dialect: 'sqlite',
    all: <Row>(text: SqlStatement, ...values: readonly SqlPart[]) =>
      new Ready(statements.all<Row>(text, ...values)),
    get: <Row>(text: SqlStatement, ...values: readonly SqlPart[]): SqlAnswer<Row | undefined> =>
      new Ready(statements.get<Row>(text, ...values)),
    run: (text, ...values) => new Ready(statements.run(text, ...values)),
    send: (text, ...values) => {
      statements.run(text, ...values);
      return DONE;
    },
    sendEach: (text, lists) => {
      const statement = statements.prepare(text);
      for (const values of lists) statement.run(...values);
      return DONE;
    },
    allEach: <Row>(all: Iterable<SqlFragment>) =>
      new Ready(Array.from(all, ({ text, values }) => statements.all<Row>(text, ...values))),
    lockName: () => DONE,
  };
}

const known = new WeakMap<SqliteDatabase, AnyDatabase>();
const sqls = new WeakMap<Statements, Sql>();
export type StoreDatabase = AnyDatabase | SqliteDatabase;

export function toAnyDatabase(db: StoreDatabase): AnyDatabase {
  if ('dialect' in db) return db;
  const made = known.get(db) ?? wrap(db);
  known.set(db, made);
  return made;
}

/** Last `Sql` object, reused because nearly all transactions have the same `statements`. */
let last: { readonly statements: Statements; readonly sql: Sql } | undefined;

function sqlFor(statements: Statements): Sql {
  if (last?.statements === statements) return last.sql;
  const sql = sqls.get(statements) ?? sqlOf(statements);
  sqls.set(statements, sql);
  last = { statements, sql };
  return sql;
}

export function runStepSync<T>(statements: Statements, work: TransactionWork<T>): T {
  const end = work(sqlFor(statements))[Symbol.iterator]().next();
  if (!end.done) throw new TypeError('a step waits for answers of the database only');
  return end.value;
}

function wrap(db: SqliteDatabase): AnyDatabase {
  return {
    dialect: 'sqlite',
    embedded: db,
    read: (work) => db.read((sql) => runStepSync(sql, work)),
    write: (work) => db.write((sql) => runStepSync(sql, work)),
    writeAutocommit: (work) => db.write((sql) => runStepSync(sql, work)),
    writeReplaceable: (work) => db.writeReplaceable((sql) => runStepSync(sql, work)),
    remove: (work) => db.remove((sql) => runStepSync(sql, work)),
    releaseFreePages: () => db.releaseFreePages(),
    transaction: (_, work) => db.transaction((part) => work(toAnyDatabase(part))),
    close: async () => db.close(),
  };
}

export function* mapSteps<Item, T>(
  items: Iterable<Item>,
  work: (item: Item) => SqlAnswer<T>,
): StepGenerator<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}
