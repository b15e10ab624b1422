import type { AnyDatabase } from '../../../storage/any-database.ts';
import { createWordMatcher, extractQueryWords } from '../../ranking/search-words.ts';
import type { EntryStore, PassageRange, WordSearchResult } from '../../store.ts';
import type { OwnerRow } from '../entries/owners.ts';
import { listHidden } from '../files.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from './indexed-passage.ts';
import { hidePlaces, type LexicalQuery, MAX_QUERY_CHARS, searchLexically } from './lexical.ts';
import { rethrow, type WaitingPassage, type WaitingPassages } from './word-index.ts';

const NOTHING: WordSearchResult = { scored: [], allWords: 0, rare: new Map(), common: [] };

export function createWordSearch({ db, words, trash }: Pick<StoreParts, 'db' | 'words' | 'trash'>) {
  const begin = async (owner: string) => {
    const state = await trash.readState(owner);
    if (!state) return undefined;
    const { row, trashed } = state;
    return db.read(function* (sql) {
      const stretches = [...(yield* listHidden(sql, row.id)), ...trashed];
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

interface Searched {
  readonly row: OwnerRow;
  readonly stretches: readonly PassageRange[];
  readonly waiting: WaitingPassages;
}

async function search(
  db: AnyDatabase,
  { row, stretches, waiting: { passages, damage } }: Searched,
  query: LexicalQuery,
): Promise<WordSearchResult> {
  // A database step adds advice to the error.
  if (damage) await db.read(() => rethrow(damage));
  const hidden = hidePlaces(row.next, stretches);
  const found = await searchLexically(db, row, query, hidden);
  if (passages.length === 0) return found;
  const besides = passages
    .map((one) => ({ ...one, place: one.id - computePassageKeyBase(row.id) }))
    .filter(({ place }) => hidden?.at[place] !== 1 && (query.within?.has(place) ?? true));
  return withWaiting(found, besides, query);
}

/** Adds passages that are not indexed yet. Their score is the share of the query's words in them. */
function withWaiting(
  { scored, ...found }: WordSearchResult,
  waiting: readonly (WaitingPassage & { readonly place: number })[],
  { text: query, limit }: LexicalQuery,
): WordSearchResult {
  const asked = query.slice(0, MAX_QUERY_CHARS);
  const sought = extractQueryWords(asked, []).length;
  const findWords = createWordMatcher(asked);
  const indexed = new Set(scored.map(({ place }) => place));
  const more = waiting.flatMap(({ title, text, place }) => {
    if (indexed.has(place)) return [];
    const part = findWords(`${title}\n${text}`).size / sought;
    return part > 0 ? [{ place, score: part * found.allWords }] : [];
  });
  const all = [...scored, ...more].sort((a, b) => b.score - a.score || b.place - a.place);
  return { ...found, scored: all.slice(0, limit) };
}
