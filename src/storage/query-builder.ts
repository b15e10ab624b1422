import type { SQLInputValue } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Database } from './sqlite.ts';

/** One a database: making it costs more than a query. */
const builders = new WeakMap<Database, Kysely<unknown>>();

/**
 * The query builder for SQL that runs on every driver; `Tables` are the tables of the store that asks. A call costs some
 * 6 to 12 microseconds more than hand-written SQL (docs/choices.md), so hot paths do without. Its own transactions are
 * not for use: `Database.transaction` goes over several stores.
 */
export function queryBuilder<Tables>(db: Database): Kysely<Tables> {
  const known = builders.get(db) ?? new Kysely<unknown>({ dialect: dialectOf(db) });
  builders.set(db, known);
  return known as Kysely<Tables>;
}

/** What deletes gets the reserve of a full disk, and nothing is written to a damaged database. */
function stepOf(db: Database, kind: CompiledQuery['query']['kind']): Database['read'] {
  if (kind === 'DeleteQueryNode') return db.remove;
  return kind === 'InsertQueryNode' || kind === 'UpdateQueryNode' ? db.write : db.read;
}

function dialectOf(db: Database): Dialect {
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
    // biome-ignore lint/correctness/useYield: it only says that it does not stream.
    async *streamQuery() {
      throw new Error('rows are not streamed: read them in pages');
    },
  };
  const refuse = async () => {
    throw new Error('a transaction is begun by Database.transaction');
  };
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (kysely) => new SqliteIntrospector(kysely),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: async () => {},
      acquireConnection: async () => connection,
      releaseConnection: async () => {},
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
      destroy: async () => {},
    }),
  };
}
