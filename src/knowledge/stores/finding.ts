import type { Database } from '../../storage/sqlite.ts';
import type { Filter, Passage } from '../entry.ts';
import type { EntryStore, FoundPassage, Lexical } from '../store.ts';
import { searchWords } from '../words.ts';
import { lexicalSearch } from './lexical.ts';
import type { OwnerRow, Owners } from './owners.ts';
import { baseOf, indexPassage } from './passages.ts';
import { type EntryRow, FILE_PARTS, HIDDEN, idOf, LIVE, unpackTags } from './rows.ts';
import type { WaitingPassage, WordIndex } from './word-index.ts';

interface FoundRow {
  readonly at: number;
  readonly ordinal: number;
  readonly page: number | null;
  readonly heading: string;
  readonly text: string;
  readonly source: string;
  readonly tags: string;
  readonly file: string | null;
}

type FindingPart = Pick<
  EntryStore,
  'findByWords' | 'filterPlaces' | 'listNewestPlaces' | 'readPassages' | 'readNeighbours' | 'listPlaces'
>;

const LISTED_AT_ONCE = 500;
/** Characters of a query that are read where there is no index. */
const QUERY = 20_000;
const FOUND = `SELECT p.id, e.at, p.ordinal, p.page, p.title AS heading, p.text, e.source, e.tags, e.file
  FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry WHERE ${LIVE}`;

/** How passages are found and read. */
export function createFinding(db: Database, owners: Owners, words: WordIndex): FindingPart {
  const number = (owner: string) => owners.findOwner(owner)?.id;

  /** A file's parts in order; an entry is one part. */
  const partsOf = (row: EntryRow): Pick<EntryRow, 'first' | 'passages'>[] => {
    if (row.file === null) return [row];
    return db.all(
      `SELECT first, passages FROM ${FILE_PARTS} WHERE owner = ? AND file = ? ORDER BY at`,
      row.owner,
      row.file,
    );
  };

  /** 1 at each place whose passage is nobody's; undefined when there is none. */
  const hiddenPlaces = ({ id, next }: OwnerRow): Uint8Array | undefined => {
    const runs = db.all<Pick<EntryRow, 'first' | 'passages'>>(
      `SELECT first, passages FROM ${FILE_PARTS} WHERE owner = ? AND file IN (?, ?)`,
      id,
      ...HIDDEN,
    );
    if (runs.length === 0) return undefined;
    const places = new Uint8Array(next);
    for (const { first, passages } of runs) places.fill(1, first, first + passages);
    return places;
  };

  return {
    async findByWords(owner, text, limit, within) {
      const row = owners.findOwner(owner);
      if (!row) return { scored: [], allWords: 0, rare: new Map(), common: [] };
      const waiting = words.catchUp(row.id);
      const hidden = hiddenPlaces(row);
      const found = lexicalSearch(db, row, text, limit, within, hidden);
      if (waiting.length === 0) return found;
      const besides = waiting
        .map((one) => ({ ...one, place: one.id - baseOf(row.id) }))
        .filter(({ place }) => hidden?.[place] !== 1 && (within?.has(place) ?? true));
      return withWaiting(found, besides, text, limit);
    },

    async filterPlaces(owner, { tags = [], source, since, until }: Filter) {
      if (tags.length === 0 && source === undefined && since === undefined && until === undefined) {
        return undefined;
      }
      const conditions = [LIVE, ...tags.map(() => 'instr(e.tags, ?) > 0')];
      const values: (string | number)[] = tags.map((tag) => `\n${tag}\n`);
      if (source?.endsWith('*')) {
        conditions.push('substr(e.source, 1, length(?)) = ?');
        values.push(source.slice(0, -1), source.slice(0, -1));
      } else if (source !== undefined) {
        conditions.push('e.source = ?');
        values.push(source);
      }
      const rows = db.all<{ first: number; passages: number }>(
        `SELECT first, passages FROM kb_entries e WHERE owner = ? AND at >= ? AND at < ? AND ${conditions.join(' AND ')}`,
        number(owner) ?? null,
        since ?? 0,
        until ?? Number.MAX_SAFE_INTEGER,
        ...values,
      );
      const places = new Set<number>();
      for (const { first, passages } of rows) {
        for (let place = first; place < first + passages; place++) places.add(place);
      }
      return places;
    },

    async listNewestPlaces(owner, limit, within) {
      const newest: number[] = [];
      for (let before = Number.MAX_SAFE_INTEGER; newest.length < limit; ) {
        const rows = db.all<{ at: number; first: number }>(
          `SELECT at, first FROM kb_entries WHERE owner = ? AND digest IS NOT NULL AND at < ?
           ORDER BY at DESC LIMIT ?`,
          number(owner) ?? null,
          before,
          LISTED_AT_ONCE,
        );
        const last = rows.at(-1);
        if (!last) break;
        before = last.at;
        newest.push(...rows.map(({ first }) => first).filter((first) => within?.has(first) ?? true));
      }
      return newest.slice(0, limit);
    },

    async readPassages(owner, places) {
      const id = number(owner);
      if (id === undefined) return [];
      const base = baseOf(id);
      const rows = db.all<FoundRow & { id: number }>(
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
        return [{ place, passage: passageOf(owner, row), source, tags: unpackTags(row.tags), createdAt }];
      });
    },

    async readNeighbours(owner, place, count) {
      const id = number(owner);
      if (id === undefined) return [];
      const base = baseOf(id);
      const here = db.get<EntryRow & { ordinal: number }>(
        `SELECT e.*, p.ordinal FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
         WHERE p.id = ? AND ${LIVE}`,
        id,
        base + place,
      );
      if (!here) return [];
      const [from, to] = [here.ordinal - count, here.ordinal + count];
      let ordinal = 0;
      const found: Passage[] = [];
      for (const { first, passages } of partsOf(here)) {
        const [least, most] = [Math.max(from, ordinal), Math.min(to, ordinal + passages - 1)];
        const start = base + first - ordinal;
        ordinal += passages;
        if (least > most) continue;
        found.push(
          ...db
            .all<FoundRow>(`${FOUND} AND p.id BETWEEN ? AND ? ORDER BY p.id`, id, start + least, start + most)
            .map((row) => passageOf(owner, row)),
        );
      }
      return found.filter((one) => one.ordinal !== here.ordinal);
    },

    async listPlaces(owner, from, limit) {
      const id = number(owner);
      if (id === undefined) return [];
      const base = baseOf(id);
      return db
        .all<{ id: number }>(
          'SELECT id FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id LIMIT ?',
          base + from,
          baseOf(id + 1),
          limit,
        )
        .map((row) => row.id - base);
    },
  };
}

/** Adds passages that are in no index: what part of the words they have is what part of the highest score they get. */
function withWaiting(
  { scored, ...found }: Lexical,
  waiting: readonly (WaitingPassage & { readonly place: number })[],
  query: string,
  limit: number,
): Lexical {
  const sought = new Set(searchWords(query.slice(0, QUERY)));
  const more = waiting.flatMap(({ title, text, place }) => {
    const { times } = indexPassage({ title, text });
    const part = [...sought].filter((word) => times.has(word)).length / sought.size;
    return part > 0 ? [{ place, score: part * found.allWords }] : [];
  });
  const all = [...scored, ...more].sort((a, b) => b.score - a.score || b.place - a.place);
  return { ...found, scored: all.slice(0, limit) };
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
