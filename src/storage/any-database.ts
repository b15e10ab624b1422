import type { Database, Statements } from './database.ts';

/** A value that both database drivers accept. */
export type Value = string | number | bigint | null | Uint8Array;

/**
 * Result of a query in a step, which `yield*` waits for. The embedded database answers at once, so its steps stay synchronous. A
 * network database answers later.
 */
export interface Answer<T> {
  [Symbol.iterator](): Iterator<unknown, T, unknown>;
}

/**
 * SQL that both drivers understand, with `?` for values. Integers, counts and truth values (0 and 1) are returned as numbers,
 * bytes as Uint8Array. Names with capital letters need double quotes, since PostgreSQL folds other names to lower case.
 */
export interface Sql {
  readonly dialect: Dialect;
  all<Row>(text: string, ...values: readonly Value[]): Answer<Row[]>;
  get<Row>(text: string, ...values: readonly Value[]): Answer<Row | undefined>;
  /** Returns the number of changed rows. */
  run(text: string, ...values: readonly Value[]): Answer<number>;
  /**
   * Runs a statement whose result is not needed, in a step that writes. A network database gets the next statement and the commit
   * before it has answered. If the statement fails, the step fails.
   */
  send(text: string, ...values: readonly Value[]): Answer<void>;
  /** Runs a statement once for each list of values, without reading the results. */
  sendEach(text: string, lists: Iterable<readonly Value[]>): Answer<void>;
  /** Returns the rows of a statement for each list of values. All are sent together. */
  allEach<Row>(text: string, lists: Iterable<readonly Value[]>): Answer<Row[][]>;
  /**
   * Makes other steps that ask for the same name wait until this step ends. Used where something is counted before a write. It
   * does nothing in SQLite, where only one step writes at a time. Steps that take several names must take them in the same order.
   */
  alone(name: string): Answer<void>;
}

/** Value that means no `LIMIT`, for `OFFSET`, which needs one before it. */
export const NO_LIMIT = '9223372036854775807';

/** SQL for the values of a JSON array, given as one `?`, as rows with a column `value`. On PostgreSQL the values are texts. */
export function jsonRows({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? 'json_array_elements_text(CAST(? AS json))' : 'json_each(?)';
}

/** SQL that locks the selected rows until the step ends, and skips rows locked by others. SQLite has one writer at a time. */
export function passLocked({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
}

export type Dialect = 'sqlite' | 'postgres';

/**
 * The work of a step: a single query, or a generator that waits only by `yield*` for queries and other such generators. The
 * database may run it again from the start, so it must change nothing outside of the database. For a single query that every
 * request makes, use an arrow function, `(sql) => sql.get(...)`: V8 creates a prototype for each inner generator function, which
 * takes 1 µs.
 */
export type Work<T> = (sql: Sql) => Answer<T>;
export type Steps<T> = Generator<unknown, T, unknown>;

/** Database of the stores that run on every driver. Most methods are described at `Database`. */
export interface AnyDatabase {
  readonly dialect: Dialect;
  /** The embedded database, if that is the driver. */
  readonly embedded: Database | undefined;
  read<T>(work: Work<T>): Promise<T>;
  /** Runs a step in its own transaction. Other steps may change what it reads, unless it locks a name. */
  write<T>(work: Work<T>): Promise<T>;
  /** Runs a step whose statements are kept one by one: all, some or none. On PostgreSQL it does not wait for a commit. */
  writeApart<T>(work: Work<T>): Promise<T>;
  writeReplaceable<T>(work: Work<T>): Promise<T>;
  remove<T>(work: Work<T>): Promise<T>;
  giveBack(): Promise<void>;
  /** Runs a single statement of the query builder. */
  query<Row>(
    text: string,
    values: readonly Value[],
  ): Promise<{ readonly rows: Row[]; readonly changes: number }>;
  /** Runs several steps in one transaction. Others with the same `name` wait, so none of them changes what this one reads. */
  transaction<T>(name: string, work: (db: AnyDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** A result that is available already: `yield*` takes it without suspending the generator. */
class Ready<T> implements Answer<T>, Iterator<unknown, T, unknown> {
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
/** Result of no query, for steps that have nothing to ask. */
export const NOTHING: Answer<undefined> = new Ready(undefined);

function sqlOf(statements: Statements): Sql {
  return {
    dialect: 'sqlite',
    all: <Row>(text: string, ...values: readonly Value[]) => new Ready(statements.all<Row>(text, ...values)),
    get: <Row>(text: string, ...values: readonly Value[]): Answer<Row | undefined> =>
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
    allEach: <Row>(text: string, lists: Iterable<readonly Value[]>) =>
      new Ready(Array.from(lists, (values) => statements.all<Row>(text, ...values))),
    alone: () => DONE,
  };
}

const known = new WeakMap<Database, AnyDatabase>();
const sqls = new WeakMap<Statements, Sql>();

/** A database as stores get it: for any driver, or the embedded one directly. */
export type StoreDatabase = AnyDatabase | Database;

/** Wraps the embedded database for stores that run on every driver. Always returns the same wrapper for the same database. */
export function anyDatabase(db: StoreDatabase): AnyDatabase {
  if ('dialect' in db) return db;
  const made = known.get(db) ?? wrap(db);
  known.set(db, made);
  return made;
}

/** Statements of the last step, cached since nearly all steps use the same ones. */
let last: { readonly statements: Statements; readonly sql: Sql } | undefined;

function sqlFor(statements: Statements): Sql {
  if (last?.statements === statements) return last.sql;
  const sql = sqls.get(statements) ?? sqlOf(statements);
  sqls.set(statements, sql);
  last = { statements, sql };
  return sql;
}

/** Runs a step on the embedded database synchronously, within a step of its own. */
export function atOnce<T>(statements: Statements, work: Work<T>): T {
  const end = work(sqlFor(statements))[Symbol.iterator]().next();
  if (!end.done) throw new TypeError('a step waits for answers of the database only');
  return end.value;
}

function wrap(db: Database): AnyDatabase {
  return {
    dialect: 'sqlite',
    embedded: db,
    read: (work) => db.read((sql) => atOnce(sql, work)),
    write: (work) => db.write((sql) => atOnce(sql, work)),
    writeApart: (work) => db.write((sql) => atOnce(sql, work)),
    writeReplaceable: (work) => db.writeReplaceable((sql) => atOnce(sql, work)),
    remove: (work) => db.remove((sql) => atOnce(sql, work)),
    giveBack: () => db.giveBack(),
    query: () => Promise.reject(new TypeError('the query builder asks the embedded database itself')),
    transaction: (_, work) => db.transaction((part) => work(anyDatabase(part))),
    close: async () => db.close(),
  };
}

/** Runs a step for each item, one after the other, and returns their results. */
export function* mapSteps<Item, T>(items: Iterable<Item>, work: (item: Item) => Answer<T>): Steps<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}
