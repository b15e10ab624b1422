import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { AnyDatabase, SqlValue, StoreDatabase } from './any-database.ts';
import type { SqliteDatabase } from './database.ts';

const builders = new WeakMap<StoreDatabase, Kysely<unknown>>();

/** Returns the query builder. Building a query takes 6 to 12 microseconds (docs/choices.md). */
export function queryBuilder<Tables>(of: StoreDatabase): Kysely<Tables> {
  const db = 'dialect' in of ? (of.embedded ?? of) : of;
  const known =
    builders.get(db) ??
    new Kysely<unknown>({ dialect: 'dialect' in db ? networkDialect(db) : dialectOf(db) });
  builders.set(db, known);
  return known as Kysely<Tables>;
}

function stepOf(db: SqliteDatabase, kind: CompiledQuery['query']['kind']): SqliteDatabase['read'] {
  if (kind === 'DeleteQueryNode') return db.remove;
  return kind === 'InsertQueryNode' || kind === 'UpdateQueryNode' ? db.write : db.read;
}

function dialectOf(db: SqliteDatabase): Dialect {
  const connection: DatabaseConnection = {
    executeQuery: <Row>({ sql: text, parameters, query }: CompiledQuery) =>
      stepOf(
        db,
        query.kind,
      )((sql): QueryResult<Row> => {
        const statement = sql.prepare(text);
        const values = parameters as readonly SQLInputValue[];
        if (statement.columns().length > 0) return { rows: statement.all(...values) as Row[] };
        return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
      }),
    streamQuery: refuseStream,
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => driverOf(connection),
  };
}

function networkDialect(db: AnyDatabase): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
      const { rows, changes } = await db.query<Row>(sql, parameters as readonly SqlValue[]);
      return { rows, numAffectedRows: BigInt(changes) };
    },
    streamQuery: refuseStream,
  };
  return {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createDriver: () => driverOf(connection),
  };
}

// biome-ignore lint/correctness/useYield: it only says that it does not stream.
async function* refuseStream(): AsyncGenerator<never> {
  throw new Error('rows are not streamed: read them in pages');
}

function driverOf(connection: DatabaseConnection): Driver {
  const refuse = async () => {
    throw new Error('a transaction is begun by Database.transaction');
  };
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  };
}
