import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { fragment, raw } from '../../../storage/sql-template.ts';
import type { ChunkedEntry } from '../../store.ts';
import { fromVectors } from '../entries/owner-sql.ts';
import { addToOwnerCounts, countRemoval, lockOwner, readOwner } from '../entries/owners.ts';
import {
  buildCollectionCondition,
  deleteRow,
  ENTRIES_BY_TRASH_SQL,
  type EntryRow,
  sumEntryRows,
  TRASH_STATE_DELETING,
  TRASH_STATE_KEPT,
  TRASH_STATE_RESTORED,
  takeRowsUpToPassages,
  updateEntryRow,
} from '../entries/rows.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase, indexPassage } from '../passages/indexed-passage.ts';
import { dropPassages, type PassageRun, readPassagesOfRun, writePassages } from '../passages/passages.ts';

const ENTRIES_AT_ONCE = 200;
export const TRASH_PASSAGES_AT_ONCE = 500;
/** After this time, a step begins no further entry. Moving a passage takes about 1 ms. */
const MOVING_MS = 15;
const IN_USE_MS = 300_000;

export function* findTrashed(
  sql: Sql,
  owner: number,
  at: number,
  { digest, collection, key }: ChunkedEntry,
): StepGenerator<EntryRow | undefined> {
  return yield* sql.get<EntryRow>`SELECT * FROM kb_entries WHERE owner = ${owner} AND at = ${at}
    AND digest = ${digest} AND collection = ${collection} AND own_key IN ('', ${key})
    AND trash > ${TRASH_STATE_DELETING} AND version_of IS NULL`;
}

export function* restoreEntryRow(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  row: EntryRow,
): StepGenerator<void> {
  const { owner, at } = row;
  yield* addToOwnerCounts(sql, owner, sumEntryRows([row], 1));
  yield* sql.send`UPDATE kb_owners SET restores = restores + 1 WHERE id = ${owner}`;
  yield* parts.changes.recordChanges(sql, owner, [at]);
  yield* settleRow(parts, sql, yield* modelsInUse(sql, owner), row);
}

/** Notes that a text was said again: it has a new time of change, and its passage follows those of other texts. */
export function* renewEntry(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  row: EntryRow,
  updated: number,
): StepGenerator<void> {
  const { next } = yield* readOwner(sql, row.owner);
  // Long texts are not compared with others, so only a text of one passage takes a new place.
  if (row.passages === 1 && row.first + 1 < next) yield* moveBehind(parts, sql, row);
  yield* updateEntryRow(sql, row, { updated });
  yield* parts.changes.recordChanges(sql, row.owner, [row.at]);
}

/** Removes rows trashed by `until`, up to `most` passages but at least one row. Returns the rows. */
export function* removeSomeTrashed(
  sql: Sql,
  owner: number,
  until: number,
  most: number,
  collection?: string,
): StepGenerator<EntryRow[]> {
  yield* lockOwner(sql, owner);
  const rows = yield* sql.all<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_TRASH_SQL)} WHERE owner = ${owner}
    AND trash <> 0 AND trash BETWEEN ${TRASH_STATE_DELETING} AND ${Math.max(TRASH_STATE_DELETING, until)}
    ${buildCollectionCondition(collection)} LIMIT ${ENTRIES_AT_ONCE}`;
  const removed = takeRowsUpToPassages(rows, most);
  for (const row of removed) yield* deleteRow(sql, row);
  return removed;
}

/** Renumbers restored passages without vectors, so that they are embedded. Returns false if none are left. */
export function* renumberRestoredRows(
  parts: Omit<StoreParts, 'db'>,
  sql: Sql,
  owner: number,
): StepGenerator<boolean> {
  yield* lockOwner(sql, owner);
  const rows = yield* sql.all<EntryRow>`SELECT * FROM ${raw(ENTRIES_BY_TRASH_SQL)}
    WHERE owner = ${owner} AND trash <> 0 AND trash = ${TRASH_STATE_RESTORED} LIMIT ${ENTRIES_AT_ONCE}`;
  const models = yield* modelsInUse(sql, owner);
  const end = performance.now() + MOVING_MS;
  for (const row of takeRowsUpToPassages(rows, TRASH_PASSAGES_AT_ONCE)) {
    yield* settleRow(parts, sql, models, row);
    if (performance.now() > end) break;
  }
  return rows.length > 0;
}

function* settleRow(parts: Omit<StoreParts, 'db'>, sql: Sql, models: readonly number[], row: EntryRow) {
  if (!(yield* hasVectors(sql, models, row))) yield* moveBehind(parts, sql, row);
  yield* updateEntryRow(sql, row, { trash: TRASH_STATE_KEPT });
}

function* modelsInUse(sql: Sql, owner: number): StepGenerator<number[]> {
  return (yield* sql.all<{ id: number }>`SELECT m.id FROM kb_models m
    CROSS JOIN kb_embedded e ON e.model = m.id
    WHERE e.owner = ${owner} AND e.below > 0 AND m.used_at >= (SELECT max(used_at)
    FROM kb_models) - ${IN_USE_MS}`).map(({ id }) => id);
}

function* hasVectors(
  sql: Sql,
  models: readonly number[],
  { owner, first, passages }: PassageRun & { owner: number },
): StepGenerator<boolean> {
  const from = computePassageKeyBase(owner) + first;
  const counts = yield* sql.allEach<{ n: number }>(
    models.map((model) => {
      return fragment`SELECT count(*) AS n ${fromVectors(sql, owner, model, [from, from + passages])}`;
    }),
  );
  return counts.length > 0 && counts.flat().every(({ n }) => n === passages);
}

function* moveBehind({ words }: Omit<StoreParts, 'db'>, sql: Sql, row: EntryRow): StepGenerator<void> {
  const { owner, at } = row;
  const passages = (yield* readPassagesOfRun(sql, owner, row)).map(indexPassage);
  const { next } = yield* readOwner(sql, owner);
  yield* dropPassages(sql, owner, row);
  yield* updateEntryRow(sql, { owner, at }, { first: next });
  yield* writePassages(sql, words, { owner, first: next, entry: at, ordinal: 0 }, passages);
  yield* sql.send`UPDATE kb_owners SET next = next + ${passages.length} WHERE id = ${owner}`;
  yield* countRemoval(sql, owner);
}
