import { setImmediate } from 'node:timers/promises';
import { type AnyDatabase, jsonRows } from '../../../storage/any-database.ts';
import { fragment } from '../../../storage/sql-template.ts';
import type { EntryStore } from '../../store.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { readEachPostings } from '../passages/lexical.ts';
import { readJoinedTexts } from '../passages/passages.ts';
import type { WordIndex } from '../passages/word-index.ts';
import { fromOwnPassages } from './owner-sql.ts';
import { findOwner } from './owners.ts';
import { buildEntryId, type EntryRow, parseEntryIdTime } from './rows.ts';

const MAX_POSTINGS = 300;
const READ_PASSAGES = 8;
const WORDS_AT_ONCE = 4;

export function createSimilarityReads({ db, words: index }: Pick<StoreParts, 'db' | 'words'>) {
  return {
    listFirstPlaces: (owner, ids) =>
      db.read(function* (sql) {
        const number = (yield* findOwner(sql, owner))?.id ?? null;
        const times = ids.flatMap((id) => parseEntryIdTime(owner, id) ?? []);
        const rows = yield* sql.all<{ at: number; first: number }>`SELECT at, first FROM kb_entries
          WHERE owner = ${number} AND at IN (SELECT CAST(value AS bigint) FROM ${jsonRows(sql, times)})`;
        return new Map(rows.map(({ at, first }) => [buildEntryId(owner, at), first]));
      }),

    async findSharing(owner, words, { collection, limit, chars }) {
      const state = await db.read((sql) => findOwner(sql, owner));
      if (!state) return [];
      const counts = await countShared(db, state.id, words, index);
      const best = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0]).slice(0, limit);
      return db.read(function* (sql) {
        const rows = (yield* sql.allEach<EntryRow>(
          best.map(
            ([id]) => fragment`SELECT e.* ${fromOwnPassages(sql, state.id)} WHERE p.id = ${id}
              AND e.digest IS NOT NULL AND e.trash <= 0 AND e.collection = ${collection}`,
          ),
        )).flat();
        const entries = [...new Map(rows.map((row) => [row.at, row])).values()];
        const begins = entries.map(({ first, passages }) => ({
          first,
          passages: Math.min(passages, READ_PASSAGES),
        }));
        const texts = yield* readJoinedTexts(sql, state.id, begins);
        return entries.map((row, at) => ({
          id: buildEntryId(owner, row.at),
          title: row.title,
          text: (texts[at] ?? '').slice(0, chars),
        }));
      });
    },
  } satisfies Partial<EntryStore>;
}

/** Returns how many of `words` each passage contains. In SQLite, yields to other events every few words. */
async function countShared(
  db: AnyDatabase,
  owner: number,
  words: readonly string[],
  index: Pick<WordIndex, 'listRecent'>,
): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  const count = (id: number) => counts.set(id, (counts.get(id) ?? 0) + 1);
  const atOnce = db.dialect === 'postgres' ? words.length : WORDS_AT_ONCE;
  for (let at = 0; at < words.length; at += atOnce) {
    const some = words.slice(at, at + atOnce);
    for (const { list, full } of await db.read((sql) =>
      readEachPostings(sql, owner, some, 1, MAX_POSTINGS),
    )) {
      if (full || list === '') continue;
      const places = new Set(list.split(',').map((posting) => Math.floor(Number(posting) / 256)));
      for (const place of places) count(computePassageKeyBase(owner) + place);
    }
    await setImmediate();
  }
  for (const { id, times } of await db.read((sql) => index.listRecent(sql, owner))) {
    for (const word of words) if (times.has(word)) count(id);
  }
  return counts;
}
