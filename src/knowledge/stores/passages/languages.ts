import { setImmediate } from 'node:timers/promises';
import { detectNonEnglish } from '../../../lib/language/detect-language.ts';
import { mapSteps, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import { raw } from '../../../storage/sql-template.ts';
import { MAX_QUESTION_WEIGHT_SUM, QUESTION_WEIGHT_HALF_LIFE_MS } from '../../embedding/languages.ts';
import type { EntryStore } from '../../store.ts';
import {
  addToOwnerCounts,
  findOwner,
  lockOwner,
  lockOwners,
  type OwnerRow,
  updateOwnerModel,
} from '../entries/owners.ts';
import {
  ENTRIES_BY_FILE_SQL,
  type EntryRow,
  LANGUAGE_UNKNOWN,
  REMOVING_FILE_NAME,
  TRASH_STATE_KEPT,
  takeRowsUpToPassages,
  UNFINISHED_FILE_NAMES,
  UPLOADING_FILE_NAME,
  updateEntryRow,
} from '../entries/rows.ts';
import type { StoreParts } from '../parts.ts';
import { readPassagesOfRun } from './passages.ts';

const PASSAGES_AT_ONCE = 500;
const ENTRIES_AT_ONCE = 200;
const FADED_US = 86_400_000_000;
const LEAST_WEIGHT = 0.05;

export function createLanguageCounts({ db, now }: Pick<StoreParts, 'db' | 'now'>) {
  return {
    readLanguages: (owner) =>
      db.read(function* (sql) {
        const row = yield* findOwner(sql, owner);
        if (!row) return { passages: 0, nonenglish: 0, asked: 0, multilingual: false };
        const { searched: passages, nonenglish, multilingual } = row;
        return { passages, nonenglish, asked: fadedOf(row, now()), multilingual: multilingual === 1 };
      }),

    countNonEnglish: (owner) =>
      db.read(function* (sql) {
        const row = yield* findOwner(sql, owner);
        if (!row) return 0;
        const files = yield* sql.get<{ n: number }>`SELECT
          coalesce(sum(CASE WHEN nonenglish > 0 THEN nonenglish ELSE 0 END), 0) AS n
          FROM ${raw(ENTRIES_BY_FILE_SQL)} WHERE owner = ${row.id} AND file IS NOT NULL
          AND file NOT IN (${UPLOADING_FILE_NAME}, ${REMOVING_FILE_NAME})`;
        return Math.max(0, row.nonenglish - (files?.n ?? 0));
      }),

    countQuestion: (owner, weight) =>
      db.write(function* (sql) {
        yield* lockOwner(sql, owner);
        const row = yield* findOwner(sql, owner);
        if (!row) return;
        yield* ask(sql, row, Math.min(MAX_QUESTION_WEIGHT_SUM, fadedOf(row, now()) + weight), now());
      }),

    countLanguages: () =>
      db.read(function* (sql) {
        const counted = yield* sql.get<{ owners: number; multilingual: number }>`SELECT count(*) AS owners,
          coalesce(sum(multilingual), 0) AS multilingual FROM kb_owners WHERE searched > 0`;
        return counted ?? { owners: 0, multilingual: 0 };
      }),

    async settleLanguages(signal) {
      const step = async () => {
        const rows = await db.read(listUnjudged);
        if (rows.length === 0) return false;
        const judged = rows.map(({ row, texts }) => ({ row, count: countNonEnglish(texts) }));
        await db.write(function* (sql) {
          yield* lockOwners(
            sql,
            judged.map(({ row }) => row.owner),
          );
          for (const { row, count } of judged) yield* keepJudged(sql, row, count);
        });
        return true;
      };
      while (!signal.aborted && (await step())) await setImmediate();
      if (!signal.aborted && (await db.read((sql) => listFaded(sql, now()))).length > 0) {
        await db.write(function* (sql) {
          yield* lockOwners(
            sql,
            (yield* listFaded(sql, now())).map(({ id }) => id),
          );
          for (const row of yield* listFaded(sql, now())) yield* ask(sql, row, fadedOf(row, now()), now());
        });
      }
    },
  } satisfies Partial<EntryStore>;
}

function fadedOf({ asked, asked_at: at }: OwnerRow, now: number): number {
  if (asked === 0) return 0;
  const faded = asked * 2 ** (-Math.max(0, now - at) / (QUESTION_WEIGHT_HALF_LIFE_MS * 1000));
  return faded < LEAST_WEIGHT ? 0 : faded;
}

function* ask(sql: Sql, row: OwnerRow, asked: number, now: number): StepGenerator<void> {
  yield* sql.send`UPDATE kb_owners SET asked = ${asked}, asked_at = ${now} WHERE id = ${row.id}`;
  yield* updateOwnerModel(sql, { ...row, asked });
}

function* listFaded(sql: Sql, now: number): StepGenerator<OwnerRow[]> {
  return yield* sql.all`SELECT * FROM kb_owners WHERE asked > 0 AND asked_at < ${now - FADED_US}`;
}

interface UnjudgedEntry {
  readonly row: EntryRow;
  readonly texts: readonly string[];
}

function* listUnjudged(sql: Sql): StepGenerator<UnjudgedEntry[]> {
  const rows = yield* sql.all<EntryRow>`SELECT * FROM kb_entries INDEXED BY kb_entries_unjudged
    WHERE nonenglish < 0 LIMIT ${ENTRIES_AT_ONCE}`;
  return yield* mapSteps(
    takeRowsUpToPassages(rows, PASSAGES_AT_ONCE),
    function* (row): StepGenerator<UnjudgedEntry> {
      return { row, texts: (yield* readPassagesOfRun(sql, row.owner, row)).map(({ text }) => text) };
    },
  );
}

function countNonEnglish(texts: readonly string[]): number {
  return texts.filter((text) => detectNonEnglish(text) !== 'none').length;
}

function* keepJudged(sql: Sql, { owner, at, first }: EntryRow, count: number): StepGenerator<void> {
  const row = yield* sql.get<EntryRow>`SELECT * FROM kb_entries WHERE owner = ${owner} AND at = ${at}
    AND first = ${first} AND nonenglish = ${LANGUAGE_UNKNOWN}`;
  if (!row) return;
  const nonenglish = Math.min(count, row.passages);
  yield* updateEntryRow(sql, { owner, at }, { nonenglish });
  const found = row.trash <= TRASH_STATE_KEPT && !UNFINISHED_FILE_NAMES.includes(row.file ?? 'an entry');
  if (found && nonenglish > 0) yield* addToOwnerCounts(sql, owner, { nonenglish });
}
