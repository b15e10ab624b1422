import type { Database, Statements } from './database.ts';

/** A value as both drivers take it. */
export type Value = string | number | bigint | null | Uint8Array;

/**
 * What `yield*` waits for in a step. The embedded database answers at once, so that its steps stay synchronous; a network
 * database answers when it has.
 */
export interface Answer<T> {
  [Symbol.iterator](): Iterator<unknown, T, unknown>;
}

/**
 * SQL that both drivers understand, with `?` for values. Rows have numbers for integers, counts and truth values (0 and 1)
 * alike, and bytes as Uint8Array. Names with capital letters stand in double quotes, since PostgreSQL folds them otherwise.
 */
export interface Sql {
  readonly dialect: Dialect;
  all<Row>(text: string, ...values: readonly Value[]): Answer<Row[]>;
  get<Row>(text: string, ...values: readonly Value[]): Answer<Row | undefined>;
  /** Gives the number of rows that it changed. */
  run(text: string, ...values: readonly Value[]): Answer<number>;
  /**
   * A statement whose answer no one reads. A network database is sent the next statement, and the commit, before it has answered;
   * the step fails where this one does. In a step that writes.
   */
  send(text: string, ...values: readonly Value[]): Answer<void>;
  /** The same of one statement for each list of values. */
  sendEach(text: string, lists: Iterable<readonly Value[]>): Answer<void>;
  /** The rows of one statement for each list of values, sent together. */
  allEach<Row>(text: string, lists: Iterable<readonly Value[]>): Answer<Row[][]>;
  /**
   * Until the step ends, other steps that ask for the same name wait. For what is counted before something is written; where
   * only one step writes at a time, as in SQLite, it does nothing. A step that takes several takes them in one order.
   */
  alone(name: string): Answer<void>;
}

/** `LIMIT` that is none, where `OFFSET` wants one before it. */
export const NO_LIMIT = '9223372036854775807';

/** The values of a JSON array, given as one `?`, as rows with a column `value`: texts on PostgreSQL. */
export function jsonRows({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? 'json_array_elements_text(CAST(? AS json))' : 'json_each(?)';
}

/** Locks the rows that are read until the step ends, without those that another step holds. SQLite has one writer at a time. */
export function passLocked({ dialect }: Pick<AnyDatabase, 'dialect'>): string {
  return dialect === 'postgres' ? ' FOR UPDATE SKIP LOCKED' : '';
}

export type Dialect = 'sqlite' | 'postgres';

/**
 * The work of a step: one answer, or a generator whose only waiting is `yield*` of answers and of other such generators. It
 * may run again from its start where the database asks for it, so it changes nothing outside of the database. V8 makes a
 * prototype for each generator function that is written inside another one, 1 µs each time: a single question that every
 * request asks is an arrow, `(sql) => sql.get(...)`.
 */
export type Work<T> = (sql: Sql) => Answer<T>;
export type Steps<T> = Generator<unknown, T, unknown>;

/** The database behind the stores that run on every driver; what its methods promise stands at `Database`. */
export interface AnyDatabase {
  readonly dialect: Dialect;
  /** The embedded database where it is that one. */
  readonly embedded: Database | undefined;
  read<T>(work: Work<T>): Promise<T>;
  /** A step in a transaction of its own. What it reads, others may change meanwhile, unless it is `alone`. */
  write<T>(work: Work<T>): Promise<T>;
  /** A step each of whose statements is kept by itself, all, some or none of them: on PostgreSQL it waits for no commit. */
  writeApart<T>(work: Work<T>): Promise<T>;
  writeReplaceable<T>(work: Work<T>): Promise<T>;
  remove<T>(work: Work<T>): Promise<T>;
  giveBack(): Promise<void>;
  /** One statement on its own, as the query builder makes it. */
  query<Row>(
    text: string,
    values: readonly Value[],
  ): Promise<{ readonly rows: Row[]; readonly changes: number }>;
  /** While it is open, others of the same `name` wait: what it reads, no other of them changes. */
  transaction<T>(name: string, work: (db: AnyDatabase) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** An answer that is there already: `yield*` takes it without stopping the generator. */
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
/** The answer to no question. */
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

/** What a store is handed: any database, or the embedded one as it is. */
export type StoreDatabase = AnyDatabase | Database;

/** The embedded database as stores take it that run on every driver. The same for the same database. */
export function anyDatabase(db: StoreDatabase): AnyDatabase {
  if ('dialect' in db) return db;
  const made = known.get(db) ?? wrap(db);
  known.set(db, made);
  return made;
}

/** Those of the last step: nearly always the same ones come again. */
let last: { readonly statements: Statements; readonly sql: Sql } | undefined;

function sqlFor(statements: Statements): Sql {
  if (last?.statements === statements) return last.sql;
  const sql = sqls.get(statements) ?? sqlOf(statements);
  sqls.set(statements, sql);
  last = { statements, sql };
  return sql;
}

/** A step on the embedded database, within one of its own. */
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

/** What a step gives for each of some items, one after the other. */
export function* mapSteps<Item, T>(items: Iterable<Item>, work: (item: Item) => Answer<T>): Steps<T[]> {
  const results: T[] = [];
  for (const item of items) results.push(yield* work(item));
  return results;
}
