import type { PostgresMigration } from './migration.ts';
import { partitionsOf } from './partitions.ts';

/** Stores vectors as pgvector's `halfvec`, also from older nodes. `kb_half` reads IEEE 754 floats. */
export const POSTGRES_HALFVECS: PostgresMigration = {
  id: 11,
  name: 'vectors that the database compares',
  oldest: 1,
  sql: `
    CREATE EXTENSION IF NOT EXISTS vector;
    CREATE TABLE kb_halfvecs (
      owner bigint NOT NULL,
      id bigint NOT NULL,
      vector halfvec NOT NULL,
      PRIMARY KEY (owner, id)
    ) PARTITION BY HASH (owner);
    ALTER TABLE kb_halfvecs ALTER COLUMN vector SET STORAGE MAIN;
    ${partitionsOf('kb_halfvecs')}
    CREATE FUNCTION kb_half(bytes bytea) RETURNS halfvec LANGUAGE sql IMMUTABLE STRICT AS $$
      SELECT CAST(array_agg(CAST(
        CASE WHEN bits >= 32768 THEN -1 ELSE 1 END
        * CASE WHEN (bits >> 10) & 31 = 0 THEN (bits & 1023) * 2 ^ -24
          ELSE (1 + (bits & 1023) / 1024.0) * 2 ^ (((bits >> 10) & 31) - 15) END AS real) ORDER BY at) AS halfvec)
      FROM (SELECT at, get_byte(bytes, 2 * at) + 256 * get_byte(bytes, 2 * at + 1) AS bits
        FROM generate_series(0, length(bytes) / 2 - 1) AS at) AS halves
    $$;
    CREATE FUNCTION kb_move_vector() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO kb_halfvecs (owner, id, vector) VALUES (NEW.owner, NEW.id, kb_half(NEW.vector))
        ON CONFLICT (owner, id) DO UPDATE SET vector = excluded.vector;
        RETURN NULL;
      END
    $$;
    CREATE TRIGGER kb_vectors_move BEFORE INSERT ON kb_vectors FOR EACH ROW EXECUTE FUNCTION kb_move_vector();
    INSERT INTO kb_halfvecs (owner, id, vector) SELECT owner, id, kb_half(vector) FROM kb_vectors;
    DELETE FROM kb_vectors;
  `,
};
