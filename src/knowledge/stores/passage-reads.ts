import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import { type AnyDatabase, jsonRows, type Sql, type Steps } from '../../storage/any-database.ts';
import type { EntryStore, FoundPassage } from '../store.ts';
import type { Passage } from '../types.ts';
import { listParts } from './file-parts.ts';
import { baseOf } from './indexed-passage.ts';
import { findOwner } from './owners.ts';
import type { Run } from './passages.ts';
import { type EntryRow, idOf, LIVE, unpackTags } from './rows.ts';

interface FoundRow {
  readonly at: number;
  readonly ordinal: number;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
  readonly source: string;
  readonly tags: string;
  readonly file: string | null;
  readonly collection: string;
  readonly own_key: string;
}

const FOUND = `SELECT p.id, e.at, p.ordinal, p.page, p.title AS heading, p.text, e.source, e.tags, e.file, e.collection, e.own_key
  FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry WHERE ${LIVE}`;

/** How passages that were found are read. */
export function createPassageReads(
  db: AnyDatabase,
): Pick<EntryStore, 'readPassages' | 'readStarts' | 'readNeighbours'> {
  return {
    readPassages: (owner, places) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return [];
        const base = baseOf(id);
        const rows = yield* sql.all<FoundRow & { id: number }>(
          `${FOUND} AND p.id IN (SELECT CAST(value AS bigint) + ? FROM ${jsonRows(db)})`,
          id,
          base,
          JSON.stringify(places),
        );
        const found = new Map(rows.map((row) => [row.id - base, row]));
        return places.flatMap((place): FoundPassage[] => {
          const row = found.get(place);
          if (!row) return [];
          const { source, at: createdAt } = row;
          const names = {
            ...(row.collection !== DEFAULT_COLLECTION && { collection: row.collection }),
            ...(row.own_key !== '' && { key: row.own_key }),
          };
          const tags = unpackTags(row.tags);
          return [{ place, passage: passageOf(owner, row), source, tags, ...names, createdAt }];
        });
      }),

    readStarts: (owner, places) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return new Map();
        const base = baseOf(id);
        const rows = yield* sql.all<{ id: number; page: number | null; text: string; first: number }>(
          `SELECT p.id, p.page, p.text, e.first FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
           WHERE ${LIVE} AND p.id IN (SELECT CAST(value AS bigint) + ? FROM ${jsonRows(db)})`,
          id,
          base,
          JSON.stringify(places),
        );
        const starts = new Map<number, number>();
        for (const row of rows) starts.set(row.id - base, yield* startOf(sql, base, row));
        return starts;
      }),

    readNeighbours: (owner, place, count) =>
      db.read(function* (sql) {
        const id = (yield* findOwner(sql, owner))?.id;
        if (id === undefined) return [];
        const here = yield* sql.get<EntryRow & { ordinal: number }>(
          `SELECT e.*, p.ordinal FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
           WHERE p.id = ? AND ${LIVE}`,
          id,
          baseOf(id) + place,
        );
        if (!here) return [];
        const { ordinal } = here;
        const rows = yield* readRows(sql, here, { from: ordinal - count, to: ordinal + count });
        return rows.filter((row) => row.ordinal !== ordinal).map((row) => passageOf(owner, row));
      }),
  };
}

/** Passages join to their entry's text, and those of a page to the page's; what is found of one is trimmed. */
function* startOf(
  sql: Sql,
  base: number,
  row: { readonly id: number; readonly page: number | null; readonly text: string; readonly first: number },
): Steps<number> {
  const before = yield* sql.get<{ characters: number }>(
    `SELECT coalesce(sum(length(text)), 0) AS characters FROM kb_passages
     WHERE id >= ? AND id < ? AND page IS NOT DISTINCT FROM CAST(? AS bigint)`,
    base + row.first,
    row.id,
    row.page,
  );
  return (before?.characters ?? 0) + row.text.length - row.text.trimStart().length;
}

/** Passages of one text by their places in it, `from` and `to` included. */
function* readRows(
  sql: Sql,
  row: EntryRow,
  { from, to }: { readonly from: number; readonly to: number },
): Steps<FoundRow[]> {
  const base = baseOf(row.owner);
  let ordinal = 0;
  const found: FoundRow[] = [];
  for (const { first, passages } of yield* runsOf(sql, row)) {
    const [least, most] = [Math.max(from, ordinal), Math.min(to, ordinal + passages - 1)];
    const start = base + first - ordinal;
    ordinal += passages;
    if (least > most) continue;
    found.push(
      ...(yield* sql.all<FoundRow>(
        `${FOUND} AND p.id BETWEEN ? AND ? ORDER BY p.id`,
        row.owner,
        start + least,
        start + most,
      )),
    );
  }
  return found;
}

/** A file's parts in order; an entry is one part. */
function* runsOf(sql: Sql, row: EntryRow): Steps<readonly Run[]> {
  return row.file === null ? [row] : yield* listParts(sql, row.owner, row.file);
}

function passageOf(owner: string, { at, file, ordinal, page, heading, text }: FoundRow): Passage {
  return {
    of: file === null ? idOf(owner, at) : `doc://${file}`,
    ordinal,
    title: heading,
    text: text.trim(),
    page: page ?? undefined,
  };
}
