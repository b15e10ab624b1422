import type { Statements } from '../../storage/sqlite.ts';
import type { EntryStore, Lexical, Stretch } from '../store.ts';
import { searchWords } from '../words.ts';
import { listHidden } from './file-parts.ts';
import { baseOf, indexPassage } from './indexed-passage.ts';
import { type LexicalQuery, MAX_QUERY_CHARS, searchLexically } from './lexical.ts';
import { findOwner, type OwnerRow } from './owners.ts';
import type { StoreParts } from './parts.ts';
import type { TrashPlaces } from './trash-places.ts';
import type { Waiting, WaitingPassage } from './word-index.ts';

const NOTHING: Lexical = { scored: [], allWords: 0, rare: new Map(), common: [] };

/** How passages are found by their words. One step of the database, unless words wait for their index. */
export function createWordSearch({
  db,
  words,
  trash,
}: Pick<StoreParts, 'db' | 'words' | 'trash'>): Pick<EntryStore, 'findByWords'> {
  return {
    async findByWords(owner, text, limit, within) {
      const query: LexicalQuery = { text, limit, within };
      const first = await db.read((sql) => {
        const row = findOwner(sql, owner);
        if (!row) return { found: NOTHING };
        const waiting = words.readWaiting(sql, row.id);
        const { passages, damage } = waiting;
        return passages.length > 0 ? { row, damage } : { found: search(sql, trash, row, query, waiting) };
      });
      if (first.row === undefined) return first.found;
      const { row, damage } = first;
      const caughtUp = await words.catchUp(row.id);
      // Damage is reported by whichever read meets it first.
      const waiting = { ...caughtUp, damage: damage ?? caughtUp.damage };
      // What came in between waits for the next query.
      return db.read((sql) => search(sql, trash, findOwner(sql, owner) ?? row, query, waiting));
    },
  };
}

function search(
  sql: Statements,
  trash: TrashPlaces,
  row: OwnerRow,
  query: LexicalQuery,
  { passages, damage }: Waiting,
): Lexical {
  if (damage) throw damage;
  const hidden = hiddenPlaces(row, [...listHidden(sql, row.id), ...trash.listTrashed(sql, row)]);
  const found = searchLexically(sql, row, query, hidden);
  if (passages.length === 0) return found;
  const besides = passages
    .map((one) => ({ ...one, place: one.id - baseOf(row.id) }))
    .filter(({ place }) => hidden?.[place] !== 1 && (query.within?.has(place) ?? true));
  return withWaiting(found, besides, query);
}

/** 1 at each place whose passage is hidden; undefined when there is none. */
function hiddenPlaces({ next }: OwnerRow, stretches: readonly Stretch[]): Uint8Array | undefined {
  if (stretches.length === 0) return undefined;
  const places = new Uint8Array(next);
  for (const { first, passages } of stretches) places.fill(1, first, first + passages);
  return places;
}

/** Adds passages that are in no index: what part of the words they have is what part of the highest score they get. */
function withWaiting(
  { scored, ...found }: Lexical,
  waiting: readonly (WaitingPassage & { readonly place: number })[],
  { text: query, limit }: LexicalQuery,
): Lexical {
  const sought = new Set(searchWords(query.slice(0, MAX_QUERY_CHARS)));
  const more = waiting.flatMap(({ title, text, place }) => {
    const { times } = indexPassage({ title, text });
    const part = [...sought].filter((word) => times.has(word)).length / sought.size;
    return part > 0 ? [{ place, score: part * found.allWords }] : [];
  });
  const all = [...scored, ...more].sort((a, b) => b.score - a.score || b.place - a.place);
  return { ...found, scored: all.slice(0, limit) };
}
