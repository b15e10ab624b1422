import { setImmediate } from 'node:timers/promises';
import type { AnyDatabase, Dialect, Sql, StepGenerator } from '../../../storage/any-database.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';
import type { EntryStore } from '../../store.ts';
import type { RestoreTarget, TrashBatch } from '../../types.ts';
import { findDuplicateEntryRow, findEntryRowByKey } from '../entries/find-entry.ts';
import { isOfOwner } from '../entries/owner-sql.ts';
import {
  addToOwnerCounts,
  countRemoval,
  findOwner,
  lockOwner,
  type OwnerCountsChange,
  type OwnerRow,
  readOwner,
} from '../entries/owners.ts';
import { createRemovalSteps } from '../entries/removal-steps.ts';
import {
  mergeEntry,
  NOTHING_RESTORED,
  type RestoredRows,
  restoreVersion,
} from '../entries/restore-version.ts';
import {
  buildCollectionCondition,
  buildEntryId,
  ENTRIES_BY_TRASH_SQL,
  type EntryRow,
  FROM_KEPT_ENTRIES_SQL,
  parseEntryIdTime,
  readEntryRowsByIdTimes,
  sumEntryRows,
  TRASH_STATE_DELETING,
  TRASH_STATE_RESTORED,
  unpackTags,
  updateEntryRow,
} from '../entries/rows.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { findBatchToPurge, readBatches, sumOfBatches, type TrashBatchSummary } from './trash-batches.ts';
import {
  removeSomeTrashed,
  renumberRestoredRows,
  restoreEntryRow,
  TRASH_PASSAGES_AT_ONCE,
} from './trash-rows.ts';

const MOVED_AT_ONCE = 1000;
const RESTORED_AT_ONCE = 500;
const SHOWN_CHARS = 100;
/** What to restore. `time` is null if the entry's id is not one of the owner's. */
type TrashSelection = Exclude<RestoreTarget, { readonly entry: string }> | { readonly time: number | null };

/** Creates the trash: the entries whose `trash` is set. `wipe` overwrites removed data on disk. */
export function createTrashStore(parts: StoreParts, wipe: () => Promise<void>) {
  const { db } = parts;

  const settle = async (owner: number, signal?: AbortSignal) => {
    const step = () => db.write((sql) => renumberRestoredRows(parts, sql, owner));
    while (!signal?.aborted && (await step())) await setImmediate();
  };

  const purge = async (owner: number, until: number, signal?: AbortSignal, collection?: string) => {
    let [removed, listed] = [0, 0];
    const inSteps = createRemovalSteps(db, TRASH_PASSAGES_AT_ONCE);
    for (let more = true; more && !signal?.aborted; await setImmediate()) {
      const rows = await inSteps((sql, most) => removeSomeTrashed(sql, owner, until, most, collection));
      removed += rows.length;
      listed += rows.filter(({ trash }) => trash > TRASH_STATE_DELETING).length;
      more = rows.length > 0;
    }
    if (removed > 0) await wipe();
    return listed;
  };

  return {
    async moveToTrash(owner, which, moved, into) {
      const state = await db.read((sql) => findOwner(sql, owner));
      if (!state) return { records: 0 };
      let records = 0;
      let batch = into === undefined ? undefined : numberOf(into) || undefined;
      const named = namedIn(which);
      let [after, done] = [-1, 0];
      for (let more = true; more; await setImmediate()) {
        const lot = named?.slice(done, done + MOVED_AT_ONCE);
        const rows = await db.remove(function* (sql) {
          yield* lockOwner(sql, state.id);
          const some = lot
            ? yield* rowsOf(sql, owner, state, lot)
            : yield* rowsAfter(sql, state, after, collectionIn(which));
          if (some.length > 0) batch = yield* moveRows(parts, sql, { owner: state.id, rows: some, batch });
          return some;
        });
        records += rows.length;
        done += MOVED_AT_ONCE;
        if (rows.length > 0) moved?.(rows.map(({ at }) => buildEntryId(owner, at)));
        after = rows.at(-1)?.at ?? after;
        more = named ? done < named.length : rows.length > 0;
      }
      return { records, batch: records === 0 || batch === undefined ? undefined : String(batch) };
    },

    async restoreFromTrash(owner, which, back, collection) {
      const isEntry = typeof which === 'object' && 'entry' in which;
      const wanted = isEntry ? { time: parseEntryIdTime(owner, which.entry) } : which;
      let [records, known, unkeyed] = [0, 0, 0];
      let range: Range | undefined;
      for (let more = true; more; await setImmediate()) {
        const step = await db.write(function* (sql) {
          yield* lockOwner(sql, owner);
          const state = yield* findOwner(sql, owner);
          const version = range ? undefined : yield* versionOf(parts, sql, state, wanted);
          range ??= yield* rangeOf(sql, state, wanted, collection);
          return version ?? (range && (yield* restoreSome(parts, sql, range)));
        });
        const { times, ...counts } = step ?? NOTHING_RESTORED;
        records += times.length;
        if (times.length > 0) back?.(times.map((at) => buildEntryId(owner, at)));
        [known, unkeyed] = [known + counts.known, unkeyed + counts.unkeyed];
        more = times.length + counts.known > 0;
      }
      try {
        if (range) await settle(range.owner);
        if (range && known > 0) await purge(range.owner, TRASH_STATE_DELETING);
      } catch (unfinished) {
        return { records, known, unkeyed, unfinished };
      }
      return { records, known, unkeyed };
    },

    async listTrash(owner, limit, collection, before) {
      const id = (await db.read((sql) => findOwner(sql, owner)))?.id;
      const all = id === undefined ? [] : await readBatches(db, id, collection);
      const below = before === undefined ? Number.MAX_SAFE_INTEGER : numberOf(before);
      const shown = all.filter(({ trash }) => trash < below).slice(0, limit);
      const batches = id === undefined ? [] : await db.read((sql) => showBatches(sql, owner, id, shown));
      return { batches, ...sumOfBatches(all) };
    },

    async purgeTrash(until, signal, owner, collection) {
      let removed = 0;
      const last = Math.max(TRASH_STATE_DELETING, until);
      for (const id of await listOwners(db, TRASH_STATE_DELETING, last, owner)) {
        if (!signal.aborted) removed += await purge(id, until, signal, collection);
      }
      return removed;
    },

    async trimTrash(owner, most, signal) {
      const id = (await db.read((sql) => findOwner(sql, owner)))?.id;
      if (id === undefined) return 0;
      const until = findBatchToPurge(await readBatches(db, id), most);
      return until > TRASH_STATE_DELETING ? purge(id, until, signal) : 0;
    },

    async settleRestored(signal: AbortSignal) {
      for (const id of await listOwners(db, TRASH_STATE_RESTORED, TRASH_STATE_RESTORED))
        await settle(id, signal);
    },
  } satisfies Partial<EntryStore> & { settleRestored: unknown };
}

function* rowsAfter(
  sql: Sql,
  { id, next }: OwnerRow,
  after: number,
  collection: string | undefined,
): StepGenerator<EntryRow[]> {
  return yield* sql.all`SELECT * ${raw(FROM_KEPT_ENTRIES_SQL, id)}${buildCollectionCondition(collection)}
    AND at > ${after} AND first < ${next} ORDER BY at LIMIT ${MOVED_AT_ONCE}`;
}

type ToMove = string | readonly string[] | { readonly collection: string } | undefined;

function namedIn(which: ToMove): readonly string[] | undefined {
  if (typeof which === 'string') return [which];
  return typeof which === 'object' && !('collection' in which) ? which : undefined;
}

function collectionIn(which: ToMove): string | undefined {
  return typeof which === 'object' && 'collection' in which ? which.collection : undefined;
}

function rowsOf(
  sql: Sql,
  owner: string,
  { id }: OwnerRow,
  ids: readonly string[],
): StepGenerator<EntryRow[]> {
  return readEntryRowsByIdTimes(
    sql,
    id,
    ids.map((one) => parseEntryIdTime(owner, one)),
  );
}

interface MovedEntries {
  readonly owner: number;
  readonly rows: readonly EntryRow[];
  readonly batch: number | undefined;
}

function* moveRows(
  { changes, now }: StoreParts,
  sql: Sql,
  { owner, rows, batch }: MovedEntries,
): StepGenerator<number> {
  const number =
    batch ?? Math.max(now(), (yield* readOwner(sql, owner)).trashed + 1, TRASH_STATE_DELETING + 1);
  for (const { at } of rows) yield* updateEntryRow(sql, { owner, at }, { trash: number });
  yield* sql.send`UPDATE kb_owners SET trashed = CASE WHEN trashed < ${number} THEN ${number} ELSE trashed END
    WHERE id = ${owner}`;
  yield* addToOwnerCounts(sql, owner, sumEntryRows(rows, -1));
  yield* countRemoval(sql, owner);
  yield* changes.recordChanges(
    sql,
    owner,
    rows.map(({ at }) => at),
  );
  return number;
}

/** Restores the next entries of a range in a transaction. At the end, `times` is empty and `known` is 0. */
function* restoreSome(
  parts: StoreParts,
  sql: Sql,
  { owner: id, least, most, at: only, collection }: Range,
): StepGenerator<RestoredRows> {
  const others = fragment`AND version_of IS NULL ${only === undefined ? raw('') : fragment`AND at = ${only}`}
    ${buildCollectionCondition(collection)}`;
  const rows = yield* sql.all<{ at: number; trash: number; first: number }>`SELECT at, trash, first
    FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE owner = ${id} AND trash <> 0 AND trash BETWEEN ${least} AND ${most}
    ${others} ORDER BY trash, first LIMIT ${RESTORED_AT_ONCE}`;
  const last = rows.at(-1);
  if (!last) return NOTHING_RESTORED;
  const where = fragment`owner = ${id} AND trash <> 0 AND trash >= ${least}
    AND (trash, first) <= (${last.trash}, ${last.first}) ${others}`;
  const before = yield* sumTrashed(sql, where);
  // A row is not restored if a kept entry has its text: digests outside the trash are unique.
  yield* sql.send`${restoring(sql.dialect, where)}`;
  const after = yield* sumTrashed(sql, where);
  const known = yield* sql.all<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE ${where}`;
  const unkeyed: number[] = [];
  for (const row of known) if (yield* giveToKept(parts, sql, row)) unkeyed.push(row.at);
  const left = new Set(known.map(({ at }) => at));
  const times = rows.map(({ at }) => at).filter((at) => !left.has(at));
  if (times.length > 0) yield* countRestored(parts, sql, { owner: id, before, after, times });
  return { times: [...times, ...unkeyed], known: known.length - unkeyed.length, unkeyed: unkeyed.length };
}

function restoring(dialect: Dialect, where: SqlFragment): SqlFragment {
  if (dialect === 'sqlite')
    return fragment`UPDATE OR IGNORE ${raw(ENTRIES_BY_TRASH_SQL)} SET trash = ${TRASH_STATE_RESTORED}
      WHERE ${where}`;
  return fragment`UPDATE kb_entries SET trash = ${TRASH_STATE_RESTORED} WHERE (owner, at) IN (
    SELECT c.owner, c.at FROM (
      SELECT owner, at, digest, collection, own_key,
        row_number() OVER (PARTITION BY digest, collection, own_key ORDER BY trash, first) AS same_text,
        row_number() OVER (PARTITION BY collection, own_key ORDER BY trash, first) AS same_key
      FROM kb_entries WHERE ${where}
    ) AS c
    WHERE c.same_text = 1 AND (c.own_key = '' OR c.same_key = 1) AND NOT EXISTS (
      SELECT 1 FROM kb_entries AS kept WHERE kept.owner = c.owner AND kept.trash <= 0 AND kept.collection = c.collection
      AND kept.own_key = c.own_key AND (kept.digest = c.digest OR kept.own_key <> '')
    )
  )`;
}

/** Gives tags and source to the kept entry of the same text. Restores a row without its key if another text has it. */
function* giveToKept(parts: StoreParts, sql: Sql, row: EntryRow): StepGenerator<boolean> {
  const { owner, at, title, tags, source, valid_until: validUntil } = row;
  const bare = { ...row, own_key: '' };
  const kept = (yield* findDuplicateEntryRow(sql, row)) ?? (yield* findDuplicateEntryRow(sql, bare));
  if (!kept && (yield* findEntryRowByKey(sql, owner, row.collection, row.own_key))) {
    yield* updateEntryRow(sql, { owner, at }, { own_key: '' });
    yield* restoreEntryRow(parts, sql, bare);
    return true;
  }
  if (kept) {
    const given = { title, tags: unpackTags(tags), source: kept.source ? '' : source };
    const facts = { ...given, key: '', validUntil };
    yield* mergeEntry(parts, sql, kept, facts);
  }
  yield* updateEntryRow(sql, { owner, at }, { trash: TRASH_STATE_DELETING });
  return false;
}

function* sumTrashed(sql: Sql, where: SqlFragment): StepGenerator<CountsSum> {
  const sum = yield* sql.get<CountsSum>`SELECT count(*) AS records, coalesce(sum(passages), 0) AS passages,
      coalesce(sum(bytes), 0) AS bytes, coalesce(sum(words), 0) AS words,
      coalesce(sum(CASE WHEN nonenglish > 0 THEN nonenglish ELSE 0 END), 0) AS nonenglish
    FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE ${where}`;
  return sum ?? { records: 0, passages: 0, bytes: 0, words: 0, nonenglish: 0 };
}

type CountsSum = Omit<Required<OwnerCountsChange>, 'searched'>;

interface RestoredCounts {
  readonly owner: number;
  readonly before: CountsSum;
  readonly after: CountsSum;
  readonly times: readonly number[];
}

function* countRestored(
  { changes }: StoreParts,
  sql: Sql,
  { owner, before, after, times }: RestoredCounts,
): StepGenerator<void> {
  const passages = before.passages - after.passages;
  yield* addToOwnerCounts(sql, owner, {
    records: before.records - after.records,
    passages,
    bytes: before.bytes - after.bytes,
    searched: passages,
    words: before.words - after.words,
    nonenglish: before.nonenglish - after.nonenglish,
  });
  yield* sql.send`UPDATE kb_owners SET restores = restores + 1 WHERE id = ${owner}`;
  yield* changes.recordChanges(sql, owner, times);
}

interface Range {
  readonly owner: number;
  readonly least: number;
  readonly most: number;
  readonly at?: number | null;
  readonly collection: string | undefined;
}

function* versionOf(
  parts: StoreParts,
  sql: Sql,
  state: OwnerRow | undefined,
  which: TrashSelection,
): StepGenerator<RestoredRows | undefined> {
  if (!state || typeof which === 'string') return undefined;
  return yield* restoreVersion(
    parts,
    sql,
    state.id,
    'time' in which ? which : { batch: numberOf(which.batch) },
  );
}

function numberOf(batch: string): number {
  return /^[1-9]\d{0,15}$/.test(batch) ? Number(batch) : 0;
}

function* rangeOf(
  sql: Sql,
  state: OwnerRow | undefined,
  which: TrashSelection,
  collection: string | undefined,
): StepGenerator<Range | undefined> {
  if (!state) return undefined;
  const owner = state.id;
  const newest = yield* newestBatch(sql, owner, collection);
  const all = { owner, least: TRASH_STATE_DELETING + 1, most: newest, collection };
  if (which === 'all') return all;
  if (which === 'latest') return { ...all, least: Math.max(newest, TRASH_STATE_DELETING + 1) };
  if ('time' in which) return { ...all, at: which.time };
  const number = numberOf(which.batch);
  return { ...all, least: Math.max(number, TRASH_STATE_DELETING + 1), most: number };
}

function* newestBatch(sql: Sql, owner: number, collection: string | undefined): StepGenerator<number> {
  const row = yield* sql.get<{ trash: number }>`SELECT trash FROM ${raw(ENTRIES_BY_TRASH_SQL)}
    WHERE owner = ${owner} AND trash <> 0 AND trash > ${TRASH_STATE_DELETING} AND version_of IS NULL
    ${buildCollectionCondition(collection)} ORDER BY trash DESC LIMIT 1`;
  return row?.trash ?? 0;
}

function* showBatches(
  sql: Sql,
  owner: string,
  id: number,
  batches: readonly TrashBatchSummary[],
): StepGenerator<TrashBatch[]> {
  const texts = yield* sql.allEach<{ text: string }>(
    batches.map(
      ({ first }) => fragment`SELECT substr(text, 1, ${SHOWN_CHARS}) AS text FROM kb_passages
        WHERE ${isOfOwner(sql, id)} AND id = ${computePassageKeyBase(id) + first}`,
    ),
  );
  const rows = yield* sql.allEach<Pick<EntryRow, 'version_of'>>(
    batches.map(({ at }) => fragment`SELECT version_of FROM kb_entries WHERE owner = ${id} AND at = ${at}`),
  );
  return batches.map(({ trash, records, bytes, at }, index) => {
    const version = rows[index]?.[0]?.version_of ?? null;
    return {
      id: String(trash),
      removedAt: trash,
      records,
      bytes,
      entry: buildEntryId(owner, at),
      text: texts[index]?.[0]?.text.trim() ?? '',
      ...(version !== null && { versionOf: buildEntryId(owner, version) }),
    };
  });
}

function listOwners(db: AnyDatabase, least: number, most: number, owner?: string): Promise<number[]> {
  return db.read(function* (sql) {
    return (yield* sql.all<{ id: number }>`SELECT id FROM kb_owners o
      WHERE (CAST(${owner ?? null} AS text) IS NULL OR name = ${owner ?? null}) AND EXISTS (
      SELECT 1 FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE owner = o.id AND trash <> 0 AND trash BETWEEN ${least}
      AND ${most})`).map(({ id }) => id);
  });
}
