import type { PostgresDatabase } from '../../src/storage/postgres/open.ts';

/**
 * From now on the server ends the connection on which a row of `table` is written, so many times. Resolves with how often it has
 * ended one.
 */
export async function loseConnections(
  db: PostgresDatabase,
  { table, on, times }: { table: string; on: string; times: number },
): Promise<() => Promise<number>> {
  const name = `lost_by_${table}`;
  // A sequence keeps its number where the step is rolled back.
  await db.ask(`CREATE SEQUENCE ${name};
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF nextval('${name}') <= ${times} THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER ${name} BEFORE ${on} ON ${table} FOR EACH ROW EXECUTE FUNCTION ${name}();`);
  return async () => {
    const { rows } = await db.ask(`SELECT last_value, is_called FROM ${name}`);
    const [{ last_value: last, is_called: isCalled } = {}] = rows;
    return isCalled ? Math.min(Number(last), times) : 0;
  };
}
