import type { PostgresMigration } from './migration.ts';

/** PostgreSQL uses a partial index only for literals, so a function writes the query. The first SELECT loads pgvector. */
export const POSTGRES_GRAPHS: PostgresMigration = {
  id: 15,
  name: 'nearest vectors by an index',
  oldest: 1,
  sql: `
    SELECT CAST('[1]' AS vector);
    CREATE FUNCTION kb_near_sql(owner bigint, first bigint, dimensions integer, by_graph boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
      SELECT format($sql$
        SELECT array_agg(place ORDER BY score DESC, place DESC), array_agg(score ORDER BY score DESC, place DESC) FROM (
          SELECT id - %2$s AS place, -(vector <#> $1) AS score FROM kb_halfvecs
          WHERE owner = %1$s AND id >= %2$s AND id < %3$s AND vector_dims(vector) = %4$s
            AND ($2 IS NULL OR id - %2$s >= 8 * octet_length($2) OR get_bit($2, id - %2$s) = 0)
            AND ($3 IS NULL OR id - %2$s < 8 * octet_length($3) AND get_bit($3, id - %2$s) = 1)
            AND ($4 IS NULL OR NOT $4 @> (id - %2$s))
          ORDER BY %5$s LIMIT $5
        ) AS near $sql$,
        owner, first, first + (CAST(1 AS bigint) << 31), dimensions,
        CASE WHEN by_graph THEN format('CAST(vector AS halfvec(%1$s)) <#> CAST($1 AS halfvec(%1$s))', dimensions)
          ELSE 'vector <#> $1, id DESC' END)
    $$;
    CREATE FUNCTION kb_near(owner bigint, first bigint, dimensions integer, question halfvec, trashed bytea, within bytea,
      hidden int8multirange, most bigint) RETURNS TABLE (place bigint, score double precision) LANGUAGE plpgsql STABLE ROWS 100
    SET hnsw.iterative_scan = 'relaxed_order' SET hnsw.ef_search = 200 SET hnsw.max_scan_tuples = 20000
    AS $$
      DECLARE
        places bigint[];
        scores double precision[];
      BEGIN
        EXECUTE kb_near_sql(owner, first, dimensions, true) INTO places, scores USING question, trashed, within, hidden, most;
        IF coalesce(cardinality(places), 0) < most THEN
          EXECUTE kb_near_sql(owner, first, dimensions, false) INTO places, scores USING question, trashed, within, hidden, most;
        END IF;
        RETURN QUERY SELECT * FROM unnest(places, scores);
      END
    $$;
  `,
};
