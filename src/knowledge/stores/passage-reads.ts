import { DEFAULT_COLLECTION } from '../../lib/collection.ts';
import type { Database, Statements } from '../../storage/sqlite.ts';
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
  db: Database,
): Pick<EntryStore, 'readPassages' | 'readStarts' | 'readNeighbours'> {
  return {
    readPassages: (owner, places) =>
      db.read((sql) => {
        const id = findOwner(sql, owner)?.id;
        if (id === undefined) return [];
        const base = baseOf(id);
        const rows = sql.all<FoundRow & { id: number }>(
          `${FOUND} AND p.id IN (SELECT value + ? FROM json_each(?))`,
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
      db.read((sql) => {
        const id = findOwner(sql, owner)?.id;
        if (id === undefined) return new Map();
        const base = baseOf(id);
        const rows = sql.all<{ id: number; page: number | null; text: string; first: number }>(
          `SELECT p.id, p.page, p.text, e.first FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
           WHERE ${LIVE} AND p.id IN (SELECT value + ? FROM json_each(?))`,
          id,
          base,
          JSON.stringify(places),
        );
        return new Map(rows.map((row) => [row.id - base, startOf(sql, base, row)]));
      }),

    readNeighbours: (owner, place, count) =>
      db.read((sql) => {
        const id = findOwner(sql, owner)?.id;
        if (id === undefined) return [];
        const here = sql.get<EntryRow & { ordinal: number }>(
          `SELECT e.*, p.ordinal FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
           WHERE p.id = ? AND ${LIVE}`,
          id,
          baseOf(id) + place,
        );
        if (!here) return [];
        const { ordinal } = here;
        const rows = readRows(sql, here, { from: ordinal - count, to: ordinal + count });
        return rows.filter((row) => row.ordinal !== ordinal).map((row) => passageOf(owner, row));
      }),
  };
}

/** Passages join to their entry's text, and those of a page to the page's; what is found of one is trimmed. */
function startOf(
  sql: Statements,
  base: number,
  row: { readonly id: number; readonly page: number | null; readonly text: string; readonly first: number },
): number {
  const before = sql.get<{ characters: number }>(
    'SELECT total(length(text)) AS characters FROM kb_passages WHERE id >= ? AND id < ? AND page IS ?',
    base + row.first,
    row.id,
    row.page,
  );
  return (before?.characters ?? 0) + row.text.length - row.text.trimStart().length;
}

/** Passages of one text by their places in it, `from` and `to` included. */
function readRows(
  sql: Statements,
  row: EntryRow,
  { from, to }: { readonly from: number; readonly to: number },
): FoundRow[] {
  const base = baseOf(row.owner);
  let ordinal = 0;
  const found: FoundRow[] = [];
  for (const { first, passages } of runsOf(sql, row)) {
    const [least, most] = [Math.max(from, ordinal), Math.min(to, ordinal + passages - 1)];
    const start = base + first - ordinal;
    ordinal += passages;
    if (least > most) continue;
    found.push(
      ...sql.all<FoundRow>(
        `${FOUND} AND p.id BETWEEN ? AND ? ORDER BY p.id`,
        row.owner,
        start + least,
        start + most,
      ),
    );
  }
  return found;
}

/** A file's parts in order; an entry is one part. */
function runsOf(sql: Statements, row: EntryRow): readonly Run[] {
  return row.file === null ? [row] : listParts(sql, row.owner, row.file);
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
