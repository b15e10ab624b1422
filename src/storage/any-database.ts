import type { Database, Statements } from './database.ts';

/** A value that both database drivers accept. */
export type Value = string | number | bigint | null | Uint8Array;

/** Result of a query in a step, which `yield*` waits for. Only a network database answers later. */
export interface Answer<T> {
  [Symbol.iterator](): Iterator<unknown, T, unknown>;
}

/** SQL for both drivers, with `?` for values. Names with capitals need double quotes: PostgreSQL folds them to lower case. */
export interface Sql {
  readonly dialect: Dialect;
  all<Row>(text: string, ...values: readonly Value[]): Answer<Row[]>;
  get<Row>(text: string, ...values: readonly Value[]): Answer<Row | undefined>;
  run(text: string, ...values: readonly Value[]): Answer<number>;
  /** Runs a statement without waiting for its result, in a step that writes. If it fails, the step fails. */
  send(text: string, ...values: readonly Value[]): Answer<void>;
  sendEach(text: string, lists: Iterable<readonly Value[]>): Answer<void>;
  allEach<Row>(text: string, lists: Iterable<readonly Value[]>): Answer<Row[][]>;
  /** Makes steps with the same name wait until this one ends. Names must be taken in the same order. No effect in SQLite. */
  alone(name: string): Answer<void>;
}

/** Value that means no `LIMIT`, for `OFFSET`, which needs one before it. */
export const NO_LIMIT = '9223372036854775807';

/** SQL that turns a JSON array, given as one `?`, into rows with a column `value` (texts on PostgreSQL). */
export function jsonRows({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? 'json_array_elements_text(CAST(? AS json))' : 'json_each(?)';
}

/** SQL that locks the selected rows until the step ends, and skips rows that others have locked. */
export function passLocked({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
}

export type Dialect = 'sqlite' | 'postgres';

/** Work of a step: a query, or a generator that waits only by `yield*`. It may run twice, so it changes only the database. */
export type Work<T> = (sql: Sql) => Answer<T>;
export type Steps<T> = Generator<unknown, T, unknown>;

export interface AnyDatabase {
  readonly dialect: Dialect;
  readonly embedded: Database | undefined;
  read<T>(work: Work<T>): Promise<T>;
  write<T>(work: Work<T>): Promise<T>;
  writeApart<T>(work: Work<T>): Promise<T>;
  writeReplaceable<T>(work: Work<T>): Promise<T>;
  remove<T>(work: Work<T>): Promise<T>;
  giveBack(): Promise<void>;
  query<Row>(
    text: string,
    values: readonly Value[],
  ): Promise<{ readonly rows: Row[]; readonly changes: number }>;
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

export type StoreDatabase = AnyDatabase | Database;

/** Wraps the embedded database for stores that run on every driver. */
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

export function* mapSteps<Item, T>(items: Iterable<Item>, work: (item: Item) => Answer<T>): Steps<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}
