import type { EntryStore } from '../store.ts';
import { baseOf } from './indexed-passage.ts';
import { readPostings } from './lexical.ts';
import { findOwner } from './owners.ts';
import type { StoreParts } from './parts.ts';
import { type EntryRow, idOf, timeOf } from './rows.ts';

/** Postings of a word that are read; a word that so many passages have says little of which. */
const MAX_POSTINGS = 300;
/** Passages of the beginning of an entry that are read. */
const READ_PASSAGES = 8;

/** How entries that may be nearly the same are found and read. */
export function createAlikeReads({
  db,
  words: index,
}: Pick<StoreParts, 'db' | 'words'>): Pick<EntryStore, 'listFirstPlaces' | 'findSharing'> {
  return {
    listFirstPlaces: (owner, ids) =>
      db.read((sql) => {
        const number = findOwner(sql, owner)?.id ?? null;
        const times = ids.flatMap((id) => timeOf(owner, id) ?? []);
        const rows = sql.all<{ at: number; first: number }>(
          'SELECT at, first FROM kb_entries WHERE owner = ? AND at IN (SELECT value FROM json_each(?))',
          number,
          JSON.stringify(times),
        );
        return new Map(rows.map(({ at, first }) => [idOf(owner, at), first]));
      }),

    findSharing: (owner, words, { collection, limit, chars }) =>
      db.read((sql) => {
        const state = findOwner(sql, owner);
        if (!state) return [];
        const base = baseOf(state.id);
        const counts = new Map<number, number>();
        const count = (place: number) => counts.set(place, (counts.get(place) ?? 0) + 1);
        for (const word of words) {
          const { list, full } = readPostings(sql, state.id, word, 1, MAX_POSTINGS);
          if (full || list === '') continue;
          for (const place of new Set(list.split(',').map((posting) => Math.floor(Number(posting) / 256))))
            count(place);
        }
        for (const { id, times } of index.listRecent(sql, state.id)) {
          for (const word of words) if (times.has(word)) count(id - base);
        }
        const best = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, limit);
        const seen = new Set<number>();
        return best.flatMap(([place]) => {
          const row = sql.get<EntryRow>(
            `SELECT e.* FROM kb_passages p JOIN kb_entries e ON e.owner = ? AND e.at = p.entry
             WHERE p.id = ? AND e.digest IS NOT NULL AND e.trash <= 0 AND e.collection = ?`,
            state.id,
            base + place,
            collection,
          );
          if (!row || seen.has(row.at)) return [];
          seen.add(row.at);
          const texts = sql.all<{ text: string }>(
            'SELECT text FROM kb_passages WHERE id >= ? AND id < ? ORDER BY id',
            base + row.first,
            base + row.first + Math.min(row.passages, READ_PASSAGES),
          );
          const text = texts.map((one) => one.text).join('');
          return [{ id: idOf(owner, row.at), text: text.slice(0, chars) }];
        });
      }),
  };
}
