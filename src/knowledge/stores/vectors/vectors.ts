import { HALF_FLOAT_BYTES } from '../../../lib/half-floats.ts';
import { type Dialect, jsonRows, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import type { EntryStore } from '../../store.ts';
import { fromVectors, isOfOwner, VECTOR_TABLES } from '../entries/owner-sql.ts';
import { findOwner, lockOwner } from '../entries/owners.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { readRowsOutsideRuns } from '../trash/trashed-passages.ts';
import { ensureModelId, findModelId, renameModel } from './models.ts';
import { packVector, unpackVector } from './vector-bytes.ts';

interface VectorRow {
  readonly place: number;
  readonly vector: Uint8Array;
}

const BYTES: Readonly<Record<Dialect, string>> = { sqlite: 'vector', postgres: 'halfvec_send(vector)' };
const LENGTHS: Readonly<Record<Dialect, string>> = {
  sqlite: 'length(vector)',
  postgres: '2 * vector_dims(vector)',
};
const PUT: Readonly<Record<Dialect, string>> = {
  sqlite: `INSERT INTO kb_vectors (id, vector) SELECT (?1 << 55) | id, ?2 FROM kb_passages WHERE ?3 IS NOT NULL AND id = ?4
    ON CONFLICT (id) DO UPDATE SET vector = excluded.vector`,
  postgres: `INSERT INTO kb_halfvecs (owner, id, vector)
    SELECT owner, (CAST(?1 AS bigint) << 55) | id, CAST(?2 AS halfvec) FROM kb_passages WHERE owner = ?3 AND id = ?4
    ON CONFLICT (owner, id) DO UPDATE SET vector = excluded.vector`,
};

export function createVectors({ db, trash }: Pick<StoreParts, 'db' | 'trash'>) {
  return {
    async listVectors(owner, model, from, limit) {
      const state = await trash.readState(owner);
      if (!state) return [];
      const { row, trashed } = state;
      return db.read(function* (sql) {
        const key = yield* findModelId(sql, model);
        if (key === undefined) return [];
        const [base, end] = [computePassageKeyBase(row.id), computePassageKeyBase(row.id + 1)];
        const read = (start: number, most: number) =>
          sql.all<VectorRow>`SELECT id - ((CAST(${key} AS bigint) << 55) | ${base}) AS place,
            ${raw(BYTES[sql.dialect])} AS vector ${fromVectors(sql, row.id, key, [base + start, end])}
            ORDER BY id LIMIT ${most}`;
        const rows = yield* readRowsOutsideRuns(trashed, from, limit, read);
        return rows.map(({ place, vector }) => ({ place, vector: unpackVector(vector, sql.dialect) }));
      });
    },

    async readVectors(owner, model, places) {
      const rows = await db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        const key = yield* findModelId(sql, model);
        if (id === undefined || key === undefined) return [];
        return yield* sql.all<VectorRow>`SELECT CAST(j.value AS bigint) AS place,
          ${raw(BYTES[sql.dialect])} AS vector FROM ${jsonRows(sql, places)} j
          JOIN ${raw(VECTOR_TABLES[sql.dialect])} v ON ${isOfOwner(sql, id, 'v.')} AND v.id =
            (CAST(${key} AS bigint) << 55) | (CAST(${computePassageKeyBase(id)} AS bigint) + CAST(j.value AS bigint))`;
      });
      return new Map(rows.map(({ place, vector }) => [place, unpackVector(vector, db.dialect)]));
    },

    async putVectors(owner, model, reached, vectors) {
      const packed = vectors.map(({ place, vector }) => ({ place, bytes: packVector(vector, db.dialect) }));
      await db.write(function* (sql) {
        yield* lockOwner(sql, owner);
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return;
        const key = yield* ensureModelId(sql, model);
        // Skips removed passages, because nothing would ever delete their vectors.
        yield* sql.sendEach(
          PUT[sql.dialect],
          packed.map(({ place, bytes }) => [key, bytes, id, computePassageKeyBase(id) + place]),
        );
        yield* sql.send`INSERT INTO kb_embedded (model, owner, below) VALUES (${key}, ${id}, ${reached})
          ON CONFLICT (model, owner) DO UPDATE SET below =
            CASE WHEN kb_embedded.below < excluded.below THEN excluded.below ELSE kb_embedded.below END`;
      });
    },

    setAsideVectors: (model, dimensions) =>
      db.write(function* (sql) {
        const key = yield* findModelId(sql, model);
        if (key === undefined) return false;
        const bytes = yield* lengthOfOne(sql, key);
        if (bytes === undefined || bytes === dimensions * HALF_FLOAT_BYTES) return false;
        yield* renameModel(sql, key, `${model} until ${new Date().toISOString()}`);
        return true;
      }),
  } satisfies Partial<EntryStore>;
}

function* lengthOfOne(sql: Sql, model: number): StepGenerator<number | undefined> {
  const owners = 'SELECT owner FROM kb_embedded WHERE model = ? AND owner > ? ORDER BY owner LIMIT 1';
  for (let after = 0; ; ) {
    const owner: number | undefined = (yield* sql.get<{ owner: number }>(owners, model, after))?.owner;
    if (owner === undefined) return undefined;
    const all = [computePassageKeyBase(owner), computePassageKeyBase(owner + 1)] as const;
    const found = yield* sql.get<{ n: number }>`SELECT ${raw(LENGTHS[sql.dialect])} AS n
      ${fromVectors(sql, owner, model, all)} LIMIT 1`;
    if (found) return found.n;
    after = owner;
  }
}
