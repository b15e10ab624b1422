import { HALF_FLOAT_BYTES } from '../../../lib/half-floats.ts';
import { type Dialect, jsonRows, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import type { EmbeddingModelNames, EntryStore, OwnerCounters, UnembeddedPassage } from '../../store.ts';
import { fromVectors, isOfOwner, VECTOR_TABLES } from '../entries/owner-sql.ts';
import { findOwner, lockOwner, readOwner } from '../entries/owners.ts';
import type { StoreParts, VectorStoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { readRowsOutsideRuns } from '../trash/trashed-passages.ts';
import { ensureModelId, findModelId, firstUnembeddedPassage, renameModel } from './models.ts';
import { packVector, unpackVector } from './vector-bytes.ts';
import {
  countUnembedded,
  findOwnerWithUnusedVectors,
  fromKeptPassages,
  listOwnersToEmbed,
  readEmbeddingProgress,
} from './waiting-passages.ts';

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

/** A model is unused if no process has reported for this time that it uses the model. */
const UNUSED_MS = 300_000;
const NAMED_MS = 60_000;
const DROPPED_AT_ONCE = 2000;
const LISTED_OWNERS = 1000;

export function createEmbeddingProgress(parts: VectorStoreParts) {
  const { db, trash } = parts;
  return {
    readStanding: (owner, model) =>
      db.read(function* (sql) {
        const row = yield* sql.get<OwnerCounters>(STANDING, model, owner);
        return row ? { ...row, embedded: Math.max(1, row.embedded) } : NOTHING_KEPT;
      }),

    // CROSS JOIN makes SQLite read the models first. It would otherwise read the rows of all owners.
    listModels: (owner) =>
      db.read(function* (sql) {
        return yield* sql.all`SELECT m.name, e.below AS embedded FROM kb_models m
          CROSS JOIN kb_embedded e ON e.model = m.id
          WHERE e.owner = ${(yield* findOwner(sql, owner))?.id ?? null} ORDER BY e.below DESC`;
      }),

    numberOf: (owner) =>
      parts.db.read(function* (sql) {
        return (yield* findOwner(sql, owner))?.id;
      }),
    ownerOf: (number) =>
      parts.db.read(function* (sql) {
        return (yield* sql.get<{ name: string }>`SELECT name FROM kb_owners WHERE id = ${number}`)?.name;
      }),
    listWaitingOwners: (model, multilingual) => listOwnersToEmbed(parts, model, multilingual, LISTED_OWNERS),

    async listUnembedded(owner, model, limit) {
      const state = await trash.readState(owner);
      if (!state) return [];
      const { id } = state.row;
      return db.read(function* (sql) {
        const [base, end] = [computePassageKeyBase(id), computePassageKeyBase(id + 1)];
        const read = (start: number, most: number) =>
          sql.all<UnembeddedPassage>`SELECT p.id - ${base} AS place, p.title, p.text
            ${fromKeptPassages(sql, id, base + start, end)} ORDER BY p.id LIMIT ${most}`;
        return yield* readRowsOutsideRuns(
          state.trashed,
          yield* firstUnembeddedPassage(sql, model, id),
          limit,
          read,
        );
      });
    },

    countPending: (owner, model, most = Number.MAX_SAFE_INTEGER) =>
      countUnembedded(parts, owner, model, most),
    readProgress: (model, multilingual) => readEmbeddingProgress(parts, model, multilingual),
    tendModels: (models) => tendModels(parts, models),
    dropUnused: (models) => dropUnused(parts, models),
  } satisfies Partial<EntryStore>;
}

const NOTHING_KEPT: OwnerCounters = { searched: 0, next: 1, removals: 0, restores: 0, embedded: 1 };
const STANDING = `SELECT o.searched, o.next, o.removals, o.restores, coalesce(e.below, 1) AS embedded FROM kb_owners o
  LEFT JOIN kb_embedded e ON e.model = (SELECT id FROM kb_models WHERE name = ?) AND e.owner = o.id WHERE o.name = ?`;

async function tendModels(parts: VectorStoreParts, models: EmbeddingModelNames): Promise<boolean> {
  const unused = await parts.db.write((sql) => nameModels(sql, models));
  if (unused === undefined) return false;
  const { common, multilingual } = models;
  const lists =
    multilingual === undefined || multilingual === common
      ? [await listOwnersToEmbed(parts, common, undefined, 1)]
      : [
          await listOwnersToEmbed(parts, common, false, 1),
          await listOwnersToEmbed(parts, multilingual, true, 1),
        ];
  if (lists.flat().length > 0) return false;
  await parts.db.write(function* (sql) {
    if ((yield* findOutOfUse(sql, unused)) === undefined) return;
    for (let left = DROPPED_AT_ONCE; left > 0; left--) {
      const owner = yield* firstOwnerOf(sql, unused);
      if (owner === undefined) {
        yield* sql.send`DELETE FROM kb_models WHERE id = ${unused}`;
        return;
      }
      left -= yield* dropOf(sql, unused, owner, left);
    }
  });
  return true;
}

function* nameModels(sql: Sql, { common, multilingual }: EmbeddingModelNames) {
  const key = yield* ensureModelId(sql, common);
  const other = multilingual === undefined ? key : yield* ensureModelId(sql, multilingual);
  const now = Date.now();
  for (const id of new Set([key, other])) {
    yield* sql.send`UPDATE kb_models SET used_at = ${now} WHERE id = ${id} AND used_at < ${now - NAMED_MS}`;
  }
  if (key === other) {
    yield* sql.send`UPDATE kb_models SET all_at = ${now} WHERE id = ${key} AND all_at < ${now - NAMED_MS}`;
  }
  return (yield* sql.get<{ id: number }>`SELECT id FROM kb_models WHERE id NOT IN (${key}, ${other})
    AND used_at < ${now - UNUSED_MS} LIMIT 1`)?.id;
}

function* findOutOfUse(sql: Sql, id: number): StepGenerator<number | undefined> {
  return (yield* sql.get<{ id: number }>`SELECT id FROM kb_models
    WHERE id = ${id} AND used_at < ${Date.now() - UNUSED_MS}`)?.id;
}

function* firstOwnerOf(sql: Sql, model: number): StepGenerator<number | undefined> {
  return (yield* sql.get<{ owner: number }>`SELECT owner FROM kb_embedded WHERE model = ${model}
    ORDER BY owner LIMIT 1`)?.owner;
}

async function dropUnused(parts: VectorStoreParts, { common, multilingual }: Required<EmbeddingModelNames>) {
  for (const model of [common, multilingual]) {
    const isMultilingual = model === multilingual;
    const wanted = isMultilingual ? common : multilingual;
    const before = Date.now() - UNUSED_MS;
    const found = await findOwnerWithUnusedVectors(parts, model, {
      wanted,
      multilingual: !isMultilingual,
      before,
    });
    if (!found) continue;
    await parts.db.write(function* (sql) {
      yield* lockOwner(sql, found.id);
      if ((yield* readOwner(sql, found.id)).multilingual !== Number(!isMultilingual)) return;
      const id = yield* findModelId(sql, model);
      if (id !== undefined) yield* dropOf(sql, id, found.id, DROPPED_AT_ONCE);
    });
    return { owner: found.name, model };
  }
  return undefined;
}

function* dropOf(sql: Sql, model: number, owner: number, most: number): StepGenerator<number> {
  // The vectors count as missing before they are deleted, because the deletion may be interrupted.
  yield* sql.send`UPDATE kb_embedded SET below = 0 WHERE model = ${model} AND owner = ${owner}`;
  const all = [computePassageKeyBase(owner), computePassageKeyBase(owner + 1)] as const;
  const dropped = yield* sql.run`DELETE FROM ${raw(VECTOR_TABLES[sql.dialect])} WHERE ${isOfOwner(sql, owner)}
    AND id IN (SELECT id ${fromVectors(sql, owner, model, all)} LIMIT ${most})`;
  if (dropped < most) yield* sql.send`DELETE FROM kb_embedded WHERE model = ${model} AND owner = ${owner}`;
  return dropped;
}
