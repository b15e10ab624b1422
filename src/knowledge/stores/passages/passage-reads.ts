import { DEFAULT_COLLECTION } from '../../../lib/collection.ts';
import { type AnyDatabase, jsonRows, type Sql } from '../../../storage/any-database.ts';
import { fragment, raw, type SqlFragment } from '../../../storage/sql-template.ts';
import { createWordMatcher, extractQueryWords } from '../../ranking/search-words.ts';
import type { EntryStore, FoundPassage, PassageRange, WordSearchResult } from '../../store.ts';
import type { Passage } from '../../types.ts';
import { fromOwnPassages, fromPassages } from '../entries/owner-sql.ts';
import { findOwner, type OwnerRow } from '../entries/owners.ts';
import { buildEntryId, type EntryRow, IS_LIVE_ROW_SQL, unpackTags } from '../entries/rows.ts';
import { listFileParts, listUnfinishedPassages } from '../files.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from './indexed-passage.ts';
import { type LexicalQuery, MAX_QUERY_CHARS, markHiddenPassages, searchLexically } from './lexical.ts';
import type { PassageRun } from './passages.ts';
import { rethrow, type UnindexedBatch, type UnindexedPassage } from './word-index.ts';

export interface FoundRow {
  readonly at: number;
  readonly updated: number;
  readonly ordinal: number;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
  readonly source: string;
  readonly tags: string;
  readonly file: string | null;
  readonly collection: string;
  readonly own_key: string;
  readonly valid_until: number;
}

const FOUND = raw(
  'p.id, e.at, e.updated, p.ordinal, p.page, p.title AS heading, p.text, e.source, e.tags, e.file, e.collection, e.own_key, e.valid_until',
);

function fromLivePassages(sql: Sql, owner: number): SqlFragment {
  return fragment`${fromOwnPassages(sql, owner)} WHERE ${raw(IS_LIVE_ROW_SQL)}`;
}

function isAmong(sql: Sql, owner: number, places: readonly number[]): SqlFragment {
  const base = computePassageKeyBase(owner);
  return fragment`p.id IN (SELECT CAST(value AS bigint) + ${base} FROM ${jsonRows(sql, places)})`;
}

interface PassageStart {
  readonly id: number;
  readonly page: number | null;
  readonly text: string;
  readonly first: number;
}

export function createPassageReads(db: AnyDatabase) {
  return {
    readPassages: (owner, places) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return [];
        const base = computePassageKeyBase(id);
        const rows = yield* sql.all<FoundRow & { id: number }>`SELECT ${FOUND}
          ${fromLivePassages(sql, id)} AND ${isAmong(sql, id, places)}`;
        const byPlace = new Map(rows.map((row) => [row.id - base, row]));
        return places.flatMap((place): FoundPassage[] => {
          const row = byPlace.get(place);
          return row ? [toFoundPassage(owner, place, row)] : [];
        });
      }),

    readStarts: (owner, places) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return new Map();
        const base = computePassageKeyBase(id);
        const rows = yield* sql.all<PassageStart>`SELECT p.id, p.page, p.text, e.first
          ${fromLivePassages(sql, id)} AND ${isAmong(sql, id, places)}`;
        const before = yield* sql.allEach<{ characters: number }>(
          rows.map(
            (row) => fragment`SELECT coalesce(sum(length(text)), 0) AS characters
              ${fromPassages(sql, id, base + row.first, row.id)}
              AND page IS NOT DISTINCT FROM CAST(${row.page} AS bigint)`,
          ),
        );
        // A passage's offset is the length of the earlier passages, plus the white space that is trimmed.
        return new Map(
          rows.map((row, at) => {
            const trimmed = row.text.length - row.text.trimStart().length;
            return [row.id - base, (before[at]?.[0]?.characters ?? 0) + trimmed];
          }),
        );
      }),

    readNeighbours: (owner, place, count) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return [];
        const here = yield* sql.get<EntryRow & { ordinal: number }>`SELECT e.*, p.ordinal
          ${fromLivePassages(sql, id)} AND p.id = ${computePassageKeyBase(id) + place}`;
        if (!here) return [];
        const { ordinal } = here;
        const rows = yield* readRows(sql, here, { from: ordinal - count, to: ordinal + count });
        return rows.filter((row) => row.ordinal !== ordinal).map((row) => passageOf(owner, row));
      }),
  } satisfies Partial<EntryStore>;
}

function* readRows(sql: Sql, row: EntryRow, { from, to }: { readonly from: number; readonly to: number }) {
  const base = computePassageKeyBase(row.owner);
  let ordinal = 0;
  const inOrder: FoundRow[] = [];
  const runs: readonly PassageRun[] =
    row.file === null ? [row] : yield* listFileParts(sql, row.owner, row.file);
  for (const { first, passages } of runs) {
    const [least, most] = [Math.max(from, ordinal), Math.min(to, ordinal + passages - 1)];
    const start = base + first - ordinal;
    ordinal += passages;
    if (least > most) continue;
    const rows = yield* sql.all<FoundRow>`SELECT ${FOUND} ${fromLivePassages(sql, row.owner)}
      AND p.id BETWEEN ${start + least} AND ${start + most} ORDER BY p.id`;
    inOrder.push(...rows);
  }
  return inOrder;
}

export function toFoundPassage(owner: string, place: number, row: FoundRow): FoundPassage {
  const { source, at: createdAt, updated: updatedAt } = row;
  const names = {
    ...(row.collection !== DEFAULT_COLLECTION && { collection: row.collection }),
    ...(row.own_key !== '' && { key: row.own_key }),
    ...(row.valid_until !== 0 && { validUntil: row.valid_until }),
  };
  const tags = unpackTags(row.tags);
  return { place, passage: passageOf(owner, row), source, tags, ...names, createdAt, updatedAt };
}

function passageOf(owner: string, { at, file, ordinal, page, heading, text }: FoundRow): Passage {
  return {
    of: file === null ? buildEntryId(owner, at) : `doc://${file}`,
    ordinal,
    title: heading,
    text: text.trim(),
    page: page ?? undefined,
  };
}

const NOTHING: WordSearchResult = { scored: [], allWords: 0, rare: new Map(), common: [], missing: [] };

export function createWordSearch({ db, words, trash }: Pick<StoreParts, 'db' | 'words' | 'trash'>) {
  const begin = async (owner: string) => {
    const state = await trash.readState(owner);
    if (!state) return undefined;
    const { row, trashed } = state;
    return db.read(function* (sql) {
      const stretches = [...(yield* listUnfinishedPassages(sql, row.id)), ...trashed];
      return { row, stretches, waiting: yield* words.readWaiting(sql, row.id) };
    });
  };

  return {
    async findByWords(owner, text, limit, within) {
      const query: LexicalQuery = { text, limit, within };
      const first = await begin(owner);
      if (!first) return NOTHING;
      if (first.waiting.passages.length === 0) return search(db, first, query);
      const caughtUp = await words.catchUp(first.row.id);
      const waiting = { ...caughtUp, damage: first.waiting.damage ?? caughtUp.damage };
      return search(db, { ...((await begin(owner)) ?? first), waiting }, query);
    },
  } satisfies Partial<EntryStore>;
}

interface SearchedPassages {
  readonly row: OwnerRow;
  readonly stretches: readonly PassageRange[];
  readonly waiting: UnindexedBatch;
}

async function search(
  db: AnyDatabase,
  { row, stretches, waiting: { passages, damage } }: SearchedPassages,
  query: LexicalQuery,
): Promise<WordSearchResult> {
  // Throws the error inside a database step, because the step adds advice to the message.
  if (damage) await db.read(() => rethrow(damage));
  const hidden = markHiddenPassages(row.next, stretches);
  const found = await searchLexically(db, row, query, hidden);
  if (passages.length === 0) return found;
  const besides = passages
    .map((one) => ({ ...one, place: one.id - computePassageKeyBase(row.id) }))
    .filter(({ place }) => hidden?.at[place] !== 1 && (query.within?.has(place) ?? true));
  return withWaiting(found, besides, query);
}

function withWaiting(
  { scored, missing, ...found }: WordSearchResult,
  waiting: readonly (UnindexedPassage & { readonly place: number })[],
  { text: query, limit }: LexicalQuery,
): WordSearchResult {
  const asked = query.slice(0, MAX_QUERY_CHARS);
  const sought = extractQueryWords(asked, []).length;
  const findWords = createWordMatcher(asked);
  const indexed = new Set(scored.map(({ place }) => place));
  const said = new Set(waiting.flatMap(({ title, text }) => [...findWords(`${title}\n${text}`)]));
  const more = waiting.flatMap(({ title, text, place }) => {
    if (indexed.has(place)) return [];
    const part = findWords(`${title}\n${text}`).size / sought;
    return part > 0 ? [{ place, score: part * found.allWords }] : [];
  });
  const all = [...scored, ...more].sort((a, b) => b.score - a.score || b.place - a.place);
  return { ...found, missing: missing.filter((word) => !said.has(word)), scored: all.slice(0, limit) };
}
