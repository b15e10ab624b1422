import type { Statements } from '../../storage/sqlite.ts';
import type { DroppedVectors, EntryStore, ModelNames, Unembedded } from '../store.ts';
import { baseOf } from './indexed-passage.ts';
import { bothOf, ensureModel, findModel, firstUnembedded, listWaitingOwners } from './models.ts';
import { findOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { countFrom, readOutside } from './trash-places.ts';

/** Milliseconds after which a model that no process has named counts as out of use. */
const UNUSED_MS = 300_000;
/** Milliseconds after which a model in use is named again. */
const NAMED_MS = 60_000;
/** Vectors that are dropped in one step. */
const DROPPED_AT_ONCE = 2000;
/** Owners with waiting passages that are listed at once. */
const LISTED_OWNERS = 1000;
/** Waiting passages of an owner that are counted one by one; of more, their number follows from places and counters. */
const MAX_COUNTED = 10_000;

/** Passages of an owner that are not in the trash. What lies there is many rows, which `readOutside` skips. */
const KEPT_PASSAGES = `FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
  WHERE p.id >= ? AND p.id < ? AND e.trash <= 0`;

type Progress = Pick<
  EntryStore,
  | 'readStanding'
  | 'listModels'
  | 'listWaitingOwners'
  | 'listUnembedded'
  | 'countPending'
  | 'readProgress'
  | 'tendModels'
  | 'dropUnused'
>;

/** Which passages have their vectors, of which model. */
export function createEmbeddingProgress({ db, trash }: Pick<StoreParts, 'db' | 'trash'>): Progress {
  return {
    readStanding: (owner, model) =>
      db.read((sql) => {
        const row = findOwner(sql, owner);
        if (!row) return { searched: 0, next: 1, removals: 0, restores: 0, embedded: 1 };
        const { searched, next, removals, restores } = row;
        return {
          searched,
          next,
          removals,
          restores,
          embedded: firstUnembedded(sql, findModel(sql, model), row.id),
        };
      }),

    // Models first (CROSS JOIN keeps the order): the other way round it walks the rows of all owners.
    listModels: (owner) =>
      db.read((sql) =>
        sql.all(
          `SELECT m.name, e.below AS embedded FROM kb_models m CROSS JOIN kb_embedded e ON e.model = m.id
           WHERE e.owner = ? ORDER BY e.below DESC`,
          findOwner(sql, owner)?.id ?? null,
        ),
      ),

    listWaitingOwners: (model, multilingual) =>
      db.read((sql) => listWaitingOwners(sql, findModel(sql, model), multilingual, LISTED_OWNERS)),

    async listUnembedded(owner, model, limit) {
      const state = await trash.readState(owner);
      if (!state) return [];
      const { id } = state.row;
      return db.read((sql) => {
        const read = (start: number, most: number) =>
          sql.all<Unembedded>(
            `SELECT p.id - ? AS place, p.title, p.text ${KEPT_PASSAGES} ORDER BY p.id LIMIT ?`,
            baseOf(id),
            id,
            baseOf(id) + start,
            baseOf(id + 1),
            most,
          );
        return readOutside(state.trashed, firstUnembedded(sql, findModel(sql, model), id), limit, read);
      });
    },

    async countPending(owner, model, most = Number.MAX_SAFE_INTEGER) {
      const state = await trash.readState(owner);
      if (!state) return 0;
      const { id, next, searched } = state.row;
      const [below, count] = await db.read((sql) => {
        const from = firstUnembedded(sql, findModel(sql, model), id);
        const read = (start: number, limit: number) =>
          sql.all<{ place: number }>(
            `SELECT p.id - ? AS place ${KEPT_PASSAGES} ORDER BY p.id LIMIT ?`,
            baseOf(id),
            id,
            baseOf(id) + start,
            baseOf(id + 1),
            limit,
          );
        return [from, readOutside(state.trashed, from, Math.min(most, MAX_COUNTED), read).length];
      });
      if (count < MAX_COUNTED) return count;
      const places = next - below - countFrom(state.trashed, below);
      return Math.min(most, Math.max(count, Math.min(searched, places)));
    },

    readProgress: (model, multilingual) =>
      db.read((sql) => readProgress(sql, findModel(sql, model), multilingual)),
    tendModels: (models) => db.write((sql) => tendModels(sql, models)),
    dropUnused: (models) => db.write((sql) => dropUnused(sql, models)),
  };
}

function readProgress(
  sql: Statements,
  model: number | undefined,
  multilingual: boolean | undefined,
): { done: number; total: number } {
  const total =
    sql.get<{ n: number }>(
      'SELECT total(searched) AS n FROM kb_owners WHERE ? IS NULL OR multilingual = ?',
      ...bothOf(multilingual),
    )?.n ?? 0;
  // CROSS JOIN keeps the order: the other way round it walks all passages of all owners.
  const owners = `FROM kb_owners o LEFT JOIN kb_embedded e ON e.model = ? AND e.owner = o.id`;
  const asked = [model ?? null, ...bothOf(multilingual), MAX_COUNTED];
  const few = sql.get<{ n: number }>(
    `SELECT count(*) AS n ${owners}
       CROSS JOIN kb_passages p ON p.id >= (o.id << 31) + coalesce(e.below, 1) AND p.id < (o.id + 1) << 31
       CROSS JOIN kb_entries t ON t.owner = o.id AND t.at = p.entry AND t.trash <= 0
     WHERE o.next > coalesce(e.below, 1) AND (? IS NULL OR o.multilingual = ?) AND o.next - coalesce(e.below, 1) < ?`,
    ...asked,
  );
  const many = sql.get<{ n: number }>(
    `SELECT total(min(o.searched, o.next - coalesce(e.below, 1))) AS n ${owners}
     WHERE (? IS NULL OR o.multilingual = ?) AND o.next - coalesce(e.below, 1) >= ?`,
    ...asked,
  );
  return { done: Math.max(0, total - (few?.n ?? 0) - (many?.n ?? 0)), total };
}

/** Within a transaction; false when nothing is left to drop. */
function tendModels(sql: Statements, { common, multilingual }: ModelNames): boolean {
  const key = ensureModel(sql, common);
  const other = multilingual === undefined ? key : ensureModel(sql, multilingual);
  const now = Date.now();
  for (const id of new Set([key, other])) {
    sql.run('UPDATE kb_models SET used_at = ? WHERE id = ? AND used_at < ?', now, id, now - NAMED_MS);
  }
  if (key === other) {
    sql.run('UPDATE kb_models SET all_at = ? WHERE id = ? AND all_at < ?', now, key, now - NAMED_MS);
  }
  const unused = sql.get<{ id: number }>(
    'SELECT id FROM kb_models WHERE id NOT IN (?, ?) AND used_at < ? LIMIT 1',
    key,
    other,
    now - UNUSED_MS,
  )?.id;
  if (unused === undefined) return false;
  const waiting =
    key === other
      ? listWaitingOwners(sql, key, undefined, 1)
      : [...listWaitingOwners(sql, key, false, 1), ...listWaitingOwners(sql, other, true, 1)];
  if (waiting.length > 0) return false;
  const dropped = dropVectors(sql, [unused, 0], [unused + 1, 0]);
  if (dropped === 0) sql.run('DELETE FROM kb_models WHERE id = ?', unused);
  return true;
}

/** Some vectors whose keys lie from one model and passage to another; gives their number. */
function dropVectors(
  sql: Statements,
  from: readonly [model: number, passage: number],
  to: readonly [model: number, passage: number],
): number {
  return sql.run(
    `DELETE FROM kb_vectors WHERE id IN (
       SELECT id FROM kb_vectors WHERE id >= ((? << 55) | ?) AND id < ((? << 55) | ?) LIMIT ?)`,
    ...from,
    ...to,
    DROPPED_AT_ONCE,
  );
}

/** Within a transaction: some vectors of the next owner that has vectors of a model that is another owner's. */
function dropUnused(
  sql: Statements,
  { common, multilingual }: Required<ModelNames>,
): DroppedVectors | undefined {
  const pair = [ensureModel(sql, common), ensureModel(sql, multilingual)] as const;
  for (const [at, model] of pair.entries()) {
    const isMultilingual = model === pair[1];
    const owners = pair[1 - at] ?? model;
    const found = sql.get<{ id: number; name: string }>(
      `SELECT o.id, o.name FROM kb_embedded e JOIN kb_owners o ON o.id = e.owner
         LEFT JOIN kb_embedded w ON w.model = ? AND w.owner = o.id
       WHERE e.model = ? AND o.multilingual = ?
         AND (SELECT all_at FROM kb_models WHERE id = e.model) < ?
         AND NOT EXISTS (
           SELECT 1 FROM kb_passages p JOIN kb_entries t ON t.owner = o.id AND t.at = p.entry AND t.trash <= 0
           WHERE p.id >= (o.id << 31) + coalesce(w.below, 1) AND p.id < (o.id + 1) << 31)
       LIMIT 1`,
      owners,
      model,
      Number(!isMultilingual),
      Date.now() - UNUSED_MS,
    );
    if (!found) continue;
    // From here on they count as not there, whatever ends this before all have gone.
    sql.run('UPDATE kb_embedded SET below = 0 WHERE model = ? AND owner = ?', model, found.id);
    if (dropVectors(sql, [model, baseOf(found.id)], [model, baseOf(found.id + 1)]) === 0) {
      sql.run('DELETE FROM kb_embedded WHERE model = ? AND owner = ?', model, found.id);
    }
    return { owner: found.name, model: isMultilingual ? multilingual : common };
  }
  return undefined;
}
