import { jsonRows } from '../../storage/any-database.ts';
/// <reference lib="esnext.float16" />
import type { EntryStore, PlacedVector } from '../store.ts';
import { baseOf } from './indexed-passage.ts';
import { ensureModel, findModel, renameModel } from './models.ts';
import { findOwner, holdOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { readOutside } from './trash-places.ts';

interface VectorRow {
  readonly place: number;
  readonly vector: Uint8Array;
}

/**
 * Vectors as 16-bit floats: half the bytes, and the same neighbours. How far each owner's passages have theirs is
 * kept as the number of the first that has not, by model, so that an insert writes nothing of it.
 */
export function createVectors({
  db,
  trash,
}: Pick<StoreParts, 'db' | 'trash'>): Pick<
  EntryStore,
  'listVectors' | 'readVectors' | 'putVectors' | 'setAsideVectors'
> {
  return {
    async listVectors(owner, model, from, limit) {
      const state = await trash.readState(owner);
      if (!state) return [];
      const { row, trashed } = state;
      return db.read(function* (sql) {
        const key = yield* findModel(sql, model);
        if (key === undefined) return [];
        const read = (start: number, most: number) =>
          sql.all<VectorRow>(
            `SELECT id - ((CAST(? AS bigint) << 55) | ?) AS place, vector FROM kb_vectors
             WHERE id >= ((CAST(? AS bigint) << 55) | ?) AND id < ((CAST(? AS bigint) << 55) | ?) ORDER BY id LIMIT ?`,
            key,
            baseOf(row.id),
            key,
            baseOf(row.id) + start,
            key,
            baseOf(row.id + 1),
            most,
          );
        return (yield* readOutside(trashed, from, limit, read)).map(unpackRow);
      });
    },

    async readVectors(owner, model, places) {
      const rows = await db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        const key = yield* findModel(sql, model);
        if (id === undefined || key === undefined) return [];
        return yield* sql.all<VectorRow>(
          `SELECT CAST(j.value AS bigint) AS place, v.vector FROM ${jsonRows(db)} j
           JOIN kb_vectors v ON v.id = (CAST(? AS bigint) << 55) | (CAST(? AS bigint) + CAST(j.value AS bigint))`,
          JSON.stringify(places),
          key,
          baseOf(id),
        );
      });
      return new Map(rows.map(({ place, vector }) => [place, unpack(vector)]));
    },

    async putVectors(owner, model, reached, vectors) {
      const packed = vectors.map(({ place, vector }) => ({ place, bytes: pack(vector) }));
      await db.write(function* (sql) {
        yield* holdOwner(sql, owner);
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return;
        const key = yield* ensureModel(sql, model);
        for (const { place, bytes } of packed) {
          // A passage that was removed gets no vector: nothing would ever remove it.
          yield* sql.run(
            `INSERT INTO kb_vectors (id, vector)
             SELECT (CAST(? AS bigint) << 55) | id, ? FROM kb_passages WHERE id = ?
             ON CONFLICT (id) DO UPDATE SET vector = excluded.vector`,
            key,
            bytes,
            baseOf(id) + place,
          );
        }
        yield* sql.run(
          `INSERT INTO kb_embedded (model, owner, below) VALUES (?, ?, ?)
           ON CONFLICT (model, owner) DO UPDATE
           SET below = CASE WHEN kb_embedded.below < excluded.below THEN excluded.below ELSE kb_embedded.below END`,
          key,
          id,
          reached,
        );
      });
    },

    setAsideVectors: (model, dimensions) =>
      db.write(function* (sql) {
        const key = yield* findModel(sql, model);
        if (key === undefined) return false;
        const bytes = (yield* sql.get<{ n: number }>(
          'SELECT length(vector) AS n FROM kb_vectors WHERE id >= (CAST(? AS bigint) << 55) AND id < ((CAST(? AS bigint) + 1) << 55) LIMIT 1',
          key,
          key,
        ))?.n;
        if (bytes === undefined || bytes === dimensions * Float16Array.BYTES_PER_ELEMENT) return false;
        yield* renameModel(sql, key, `${model} until ${new Date().toISOString()}`);
        return true;
      }),
  };
}

function pack(vector: Float32Array): Uint8Array {
  return new Uint8Array(new Float16Array(vector).buffer);
}

function unpackRow({ place, vector }: VectorRow): PlacedVector {
  return { place, vector: unpack(vector) };
}

function unpack(bytes: Uint8Array): Float32Array {
  // The bytes may begin at an odd place of a larger buffer.
  return new Float32Array(new Float16Array(new Uint8Array(bytes).buffer));
}
