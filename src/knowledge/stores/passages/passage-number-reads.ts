import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../../storage/any-database.ts';
import { fragment, raw } from '../../../storage/sql-template.ts';
import { createPassageNumberSet, type PassageNumberSet } from '../../ranking/passage-number-set.ts';
import type { EntryStore } from '../../store.ts';
import type { EntryFilter } from '../../types.ts';
import { fromPassages } from '../entries/owner-sql.ts';
import { findOwner } from '../entries/owners.ts';
import { buildFilterCondition, IS_LIVE_ROW_SQL, UNFINISHED_FILE_NAMES } from '../entries/rows.ts';
import { listFileParts, listUnfinishedPassages } from '../files.ts';
import type { StoreParts } from '../parts.ts';
import { readRowsOutsideRuns } from '../trash/trashed-passages.ts';
import { computePassageKeyBase } from './indexed-passage.ts';
import type { PassageRun } from './passages.ts';

const LISTED_AT_ONCE = 500;
const FILTERED_AT_ONCE = 5000;

export function createPassageNumberReads({ db, trash }: Pick<StoreParts, 'db' | 'trash'>) {
  return {
    async filterPlaces(owner, filter) {
      const { tags = [], ...others } = filter;
      if (tags.length === 0 && Object.values(others).every((value) => value === undefined)) return undefined;
      const places = createPassageNumberSet();
      for (let from: number | undefined = filter.since ?? 0; from !== undefined; await setImmediate()) {
        const since: number = from;
        from = await db.read((sql) => addPlaces(sql, owner, { ...filter, since }, places));
      }
      return places;
    },

    listFilePlaces: (owner, name, { fromPage, toPage }) =>
      db.read(function* (sql) {
        const number = (yield* findOwner(sql, owner))?.id ?? null;
        const parts = UNFINISHED_FILE_NAMES.includes(name) ? [] : yield* listFileParts(sql, number, name);
        if (parts.length === 0 || number === null) return undefined;
        const base = computePassageKeyBase(number);
        const rows = yield* sql.allEach<{ id: number }>(
          parts.map(({ first, passages }) => {
            const run = fromPassages(sql, number, base + first, base + first + passages);
            return fragment`SELECT id ${run} AND page BETWEEN ${fromPage} AND ${toPage} ORDER BY id`;
          }),
        );
        return createPassageNumberSet(rows.flat().map(({ id }) => id - base));
      }),

    listHiddenPassages: (owner) =>
      db.read(function* (sql) {
        return (yield* listUnfinishedPassages(sql, (yield* findOwner(sql, owner))?.id ?? null)).sort(
          (a, b) => a.first - b.first,
        );
      }),

    listNewestPlaces: (owner, limit, within) =>
      db.read(function* (sql) {
        const number = (yield* findOwner(sql, owner))?.id ?? null;
        const newest: number[] = [];
        for (let before = Number.MAX_SAFE_INTEGER; newest.length < limit; ) {
          const rows = yield* sql.all<{ at: number; first: number }>`SELECT at, first FROM kb_entries
            WHERE owner = ${number} AND digest IS NOT NULL AND trash <= 0 AND at < ${before}
            ORDER BY at DESC LIMIT ${LISTED_AT_ONCE}`;
          const last = rows.at(-1);
          if (!last) break;
          before = last.at;
          newest.push(...rows.map(({ first }) => first).filter((first) => within?.has(first) ?? true));
        }
        return newest.slice(0, limit);
      }),

    async listPlaces(owner, from, limit) {
      const state = await trash.readState(owner);
      if (!state) return [];
      const { id } = state.row;
      return db.read(function* (sql) {
        const [base, end] = [computePassageKeyBase(id), computePassageKeyBase(id + 1)];
        const read = (start: number, most: number) =>
          sql.all<{ place: number }>`SELECT id - ${base} AS place
            ${fromPassages(sql, id, base + start, end)} ORDER BY id LIMIT ${most}`;
        return (yield* readRowsOutsideRuns(state.trashed, from, limit, read)).map(({ place }) => place);
      });
    },
  } satisfies Partial<EntryStore>;
}

function* addPlaces(sql: Sql, owner: string, filter: EntryFilter, places: PassageNumberSet) {
  const { since = 0, until = Number.MAX_SAFE_INTEGER, collection } = filter;
  const id = (yield* findOwner(sql, owner))?.id ?? null;
  const next = (yield* sql.get<{ at: number }>`SELECT at FROM kb_entries WHERE owner = ${id}
    ${buildFilterCondition({ since, until, collection })} ORDER BY at LIMIT 1 OFFSET ${FILTERED_AT_ONCE}`)
    ?.at;
  const runs = yield* sql.all<PassageRun>`SELECT first, passages FROM kb_entries e
    WHERE owner = ${id} AND ${raw(IS_LIVE_ROW_SQL)}
    ${buildFilterCondition({ ...filter, since, until: next ?? until })}`;
  for (const { first, passages } of runs) {
    for (let place = first; place < first + passages; place++) places.add(place);
  }
  return next;
}
