import type { FoundPassage, Lexical, Scored } from '../store.ts';
import { countTimes, searchWords } from './words.ts';

/** What the words of a query say of the passages that were found. */

/** Entries that may have a word for it to be rare. */
const MAX_RARE_ENTRIES = 3;
/** Passages, best by words, that are checked for all words of the query. */
const MAX_CHECKED = 20;
/** What all of a query's commonest words together add to the score of a passage that says them. */
const COMMON_WEIGHT = 0.1;
/** BM25's, for the weights of terms. */
const K1 = 1.2;

type Found = ReadonlyMap<number, FoundPassage>;

function wordsAt(found: Found, place: number): Set<string> {
  return new Set(searchWords(found.get(place)?.passage.text ?? ''));
}

/** Words that are too common to be looked up still distinguish what other words do not, such as numbers of two series. */
export function raiseByCommonWords(lexical: Lexical, found: Found): Lexical {
  const { scored, common } = lexical;
  if (common.length === 0) return lexical;
  const raised = scored.map(({ place, score }): Scored => {
    const says = wordsAt(found, place);
    const part = common.filter((word) => says.has(word)).length / common.length;
    return { place, score: score * (1 + COMMON_WEIGHT * part) };
  });
  return { ...lexical, scored: raised.sort((a, b) => b.score - a.score || b.place - a.place) };
}

/** Places that say every word of the query, where few entries do: together the words are rare. */
export function placesWithAllWords(query: string, { scored }: Lexical, found: Found): Set<number> {
  const words = new Set(searchWords(query));
  const places = new Set<number>();
  if (words.size < 2) return places;
  for (const { place } of scored.slice(0, MAX_CHECKED)) {
    const says = wordsAt(found, place);
    if ([...words].every((word) => says.has(word))) places.add(place);
  }
  const entries = new Set([...places].map((place) => found.get(place)?.passage.of));
  return entries.size > MAX_RARE_ENTRIES ? new Set() : places;
}

/** By place, the words of the query that few entries have. */
export function rareWordsByPlace({ rare }: Lexical, found: Found): Map<number, string[]> {
  const words = new Map<number, string[]>();
  for (const [word, all] of rare) {
    const places = all.filter((place) => found.has(place));
    if (new Set(places.map((place) => found.get(place)?.passage.of)).size > MAX_RARE_ENTRIES) continue;
    for (const place of places) words.set(place, [...(words.get(place) ?? []), word]);
  }
  return words;
}

/** How much each word says of the passage: BM25's share of the passage, without how rare the word is. */
export function termWeights(text: string): Record<string, number> {
  return Object.fromEntries(
    [...countTimes(searchWords(text))].map(([word, count]) => [word, (count * (K1 + 1)) / (count + K1)]),
  );
}
