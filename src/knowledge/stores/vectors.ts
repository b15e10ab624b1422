/// <reference lib="esnext.float16" />
import { AppError } from '../../errors.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { EntryStore, Unembedded } from '../store.ts';
import type { Owners } from './owners.ts';
import { baseOf } from './passages.ts';

/** Milliseconds after which a model that no process has named counts as out of use. */
const UNUSED_MS = 300_000;
/** Milliseconds after which a model in use is named again. */
const NAMED_MS = 60_000;
/** Vectors that are dropped in one step. */
const DROPPED_AT_ONCE = 2000;
/** Owners that are named at once as waiting. */
const WAITING = 1000;
/** Models kept beside each other; their numbers are the upper bits of the vectors' keys. */
const MODELS = 120;

type VectorPart = Pick<
  EntryStore,
  | 'readStanding'
  | 'listModels'
  | 'listVectors'
  | 'readVectors'
  | 'listWaitingOwners'
  | 'listUnembedded'
  | 'putVectors'
  | 'countPending'
  | 'readProgress'
  | 'tendModels'
>;

/**
 * Vectors as 16-bit floats: half the bytes, and the same neighbours. How far each owner's passages have theirs is
 * kept as the number of the first that has not, by model, so that an insert writes nothing of it.
 */
export function createVectors(db: Database, owners: Owners): VectorPart {
  const find = (name: string) => db.get<{ id: number }>('SELECT id FROM kb_models WHERE name = ?', name)?.id;

  /** Within a transaction. */
  const number = (name: string): number => {
    const known = find(name);
    if (known !== undefined) return known;
    const taken = new Set(db.all<{ id: number }>('SELECT id FROM kb_models').map(({ id }) => id));
    let id = 1;
    while (taken.has(id)) id++;
    if (id > MODELS) {
      throw new AppError(
        'unavailable',
        'the database has vectors of too many models; try again in 5 minutes',
      );
    }
    db.run('INSERT INTO kb_models (id, name, used_at) VALUES (?, ?, ?)', id, name, Date.now());
    return id;
  };

  const below = (model: number | undefined, owner: number): number =>
    db.get<{ below: number }>(
      'SELECT below FROM kb_embedded WHERE model = ? AND owner = ?',
      model ?? null,
      owner,
    )?.below ?? 1;

  const waiting = (model: number | undefined, limit: number): string[] =>
    db
      .all<{ name: string }>(
        `SELECT o.name FROM kb_owners o LEFT JOIN kb_embedded e ON e.model = ? AND e.owner = o.id
         WHERE o.next > coalesce(e.below, 1) AND EXISTS (
           SELECT 1 FROM kb_passages p
           WHERE p.id >= (o.id << 31) + coalesce(e.below, 1) AND p.id < (o.id + 1) << 31)
         LIMIT ?`,
        model ?? null,
        limit,
      )
      .map(({ name }) => name);

  return {
    async readStanding(owner, model) {
      const row = owners.findOwner(owner);
      if (!row) return { searched: 0, next: 1, removals: 0, embedded: 1 };
      const { searched, next, removals } = row;
      return { searched, next, removals, embedded: below(find(model), row.id) };
    },

    async listModels(owner) {
      // Models first (CROSS JOIN keeps the order): the other way round it walks the rows of all owners.
      return db.all(
        `SELECT m.name, e.below AS embedded FROM kb_models m CROSS JOIN kb_embedded e ON e.model = m.id
         WHERE e.owner = ? ORDER BY e.below DESC`,
        owners.findOwner(owner)?.id ?? null,
      );
    },

    async listVectors(owner, model, from, limit) {
      const id = owners.findOwner(owner)?.id;
      const key = find(model);
      if (id === undefined || key === undefined) return [];
      return db
        .all<{ place: number; vector: Uint8Array }>(
          `SELECT id - ((? << 55) | ?) AS place, vector FROM kb_vectors
           WHERE id >= ((? << 55) | ?) AND id < ((? << 55) | ?) ORDER BY id LIMIT ?`,
          key,
          baseOf(id),
          key,
          baseOf(id) + from,
          key,
          baseOf(id + 1),
          limit,
        )
        .map(({ place, vector }) => ({ place, vector: unpack(vector) }));
    },

    async readVectors(owner, model, places) {
      const id = owners.findOwner(owner)?.id;
      const key = find(model);
      if (id === undefined || key === undefined) return new Map();
      const rows = db.all<{ place: number; vector: Uint8Array }>(
        `SELECT j.value AS place, v.vector FROM json_each(?) j JOIN kb_vectors v ON v.id = (? << 55) | (? + j.value)`,
        JSON.stringify(places),
        key,
        baseOf(id),
      );
      return new Map(rows.map(({ place, vector }) => [place, unpack(vector)]));
    },

    async listWaitingOwners(model) {
      return waiting(find(model), WAITING);
    },

    async listUnembedded(owner, model, limit) {
      const id = owners.findOwner(owner)?.id;
      if (id === undefined) return [];
      const base = baseOf(id);
      return db
        .all<{ id: number; title: string; text: string }>(
          'SELECT id, title, text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
          base + below(find(model), id),
          baseOf(id + 1),
          limit,
        )
        .map((row): Unembedded => ({ place: row.id - base, title: row.title, text: row.text }));
    },

    async putVectors(owner, model, reached, vectors) {
      const id = owners.findOwner(owner)?.id;
      if (id === undefined) return;
      const packed = vectors.map(({ place, vector }) => ({ place, bytes: pack(vector) }));
      db.transactionSync(() => {
        const key = number(model);
        for (const { place, bytes } of packed) {
          // A passage that went meanwhile gets no vector: nothing would ever remove it.
          db.run(
            `INSERT OR REPLACE INTO kb_vectors (id, vector)
             SELECT (? << 55) | id, ? FROM kb_passages WHERE id = ?`,
            key,
            bytes,
            baseOf(id) + place,
          );
        }
        db.run(
          `INSERT INTO kb_embedded (model, owner, below) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET below = max(below, excluded.below)`,
          key,
          id,
          reached,
        );
      });
    },

    async countPending(owner, model, most = Number.MAX_SAFE_INTEGER) {
      const id = owners.findOwner(owner)?.id;
      if (id === undefined) return 0;
      const row = db.get<{ n: number }>(
        'SELECT count(*) AS n FROM (SELECT 1 FROM kb_passages WHERE id >= ? AND id < ? LIMIT ?)',
        baseOf(id) + below(find(model), id),
        baseOf(id + 1),
        most,
      );
      return row?.n ?? 0;
    },

    async readProgress(model) {
      const key = find(model) ?? null;
      const total = db.get<{ n: number }>('SELECT total(searched) AS n FROM kb_owners')?.n ?? 0;
      const waiting =
        db.get<{ n: number }>(
          `SELECT count(*) AS n FROM kb_owners o LEFT JOIN kb_embedded e ON e.model = ? AND e.owner = o.id
             JOIN kb_passages p ON p.id >= (o.id << 31) + coalesce(e.below, 1) AND p.id < (o.id + 1) << 31
           WHERE o.next > coalesce(e.below, 1)`,
          key,
        )?.n ?? 0;
      return { done: Math.max(0, total - waiting), total };
    },

    async tendModels(model) {
      return db.transactionSync(() => {
        const key = number(model);
        const now = Date.now();
        db.run('UPDATE kb_models SET used_at = ? WHERE id = ? AND used_at < ?', now, key, now - NAMED_MS);
        const unused = db.get<{ id: number }>(
          'SELECT id FROM kb_models WHERE id <> ? AND used_at < ? LIMIT 1',
          key,
          now - UNUSED_MS,
        )?.id;
        if (unused === undefined || waiting(key, 1).length > 0) return false;
        const gone = db.run(
          `DELETE FROM kb_vectors WHERE id IN (
             SELECT id FROM kb_vectors WHERE id >= (? << 55) AND id < ((? + 1) << 55) LIMIT ?)`,
          unused,
          unused,
          DROPPED_AT_ONCE,
        );
        if (gone === 0) db.run('DELETE FROM kb_models WHERE id = ?', unused);
        return true;
      });
    },
  };
}

function pack(vector: Float32Array): Uint8Array {
  return new Uint8Array(new Float16Array(vector).buffer);
}

function unpack(bytes: Uint8Array): Float32Array {
  // The bytes may begin at an odd place of a larger buffer.
  return new Float32Array(new Float16Array(bytes.slice().buffer));
}
