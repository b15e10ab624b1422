import type { FoundPassage, PassageScore, WordSearchResult } from '../store.ts';
import {
  countOccurrences,
  type createWordMatcher,
  extractQueryWords,
  extractSearchWords,
} from './search-words.ts';

const MAX_RARE_ENTRIES = 3;
const MAX_CHECKED = 20;
/** Share by which a score rises if the passage contains all very common words of the query. */
const COMMON_WEIGHT = 0.1;
const K1 = 1.2;
type PassagesById = ReadonlyMap<number, FoundPassage>;
export type FindWords = ReturnType<typeof createWordMatcher>;

export function raiseByCommonWords(
  lexical: WordSearchResult,
  found: PassagesById,
  findWords: FindWords,
): WordSearchResult {
  const { scored, common } = lexical;
  if (common.length === 0) return lexical;
  const raised = scored.map(({ place, score }): PassageScore => {
    const says = findWords(found.get(place)?.passage.text ?? '');
    const part = common.filter((word) => says.has(word)).length / common.length;
    return { place, score: score * (1 + COMMON_WEIGHT * part) };
  });
  return { ...lexical, scored: raised.sort((a, b) => b.score - a.score || b.place - a.place) };
}

/** If several passages of an entry match only by words of the title, all get the highest of their scores. */
export function levelTitleScores(
  query: string,
  lexical: WordSearchResult,
  found: PassagesById,
  findWords: FindWords,
): WordSearchResult {
  const words = extractQueryWords(query, []).length;
  const most = new Map<string, number>();
  const titled = new Set<number>();
  for (const { place, score } of lexical.scored) {
    const passage = found.get(place)?.passage;
    if (!passage) continue;
    const named = findWords(passage.title);
    if (
      named.size === 0 ||
      named.size === words ||
      [...findWords(passage.text)].some((word) => !named.has(word))
    )
      continue;
    titled.add(place);
    most.set(passage.of, Math.max(score, most.get(passage.of) ?? score));
  }
  if (titled.size === most.size) return lexical;
  const scored = lexical.scored.map(({ place, score }): PassageScore => {
    const of = titled.has(place) ? found.get(place)?.passage.of : undefined;
    return { place, score: of === undefined ? score : (most.get(of) ?? score) };
  });
  return { ...lexical, scored: scored.sort((a, b) => b.score - a.score || b.place - a.place) };
}

export function passagesWithAllWords(
  query: string,
  { scored }: WordSearchResult,
  found: PassagesById,
  findWords: FindWords,
): Set<number> {
  const words = extractQueryWords(query, []).length;
  const places = new Set<number>();
  if (words < 2) return places;
  for (const { place } of scored.slice(0, MAX_CHECKED)) {
    if (findWords(found.get(place)?.passage.text ?? '').size === words) places.add(place);
  }
  const entries = new Set([...places].map((place) => found.get(place)?.passage.of));
  return entries.size > MAX_RARE_ENTRIES ? new Set() : places;
}

export function rareWordsByPassage({ rare }: WordSearchResult, found: PassagesById): Map<number, string[]> {
  const words = new Map<number, string[]>();
  for (const [word, all] of rare) {
    const places = all.filter((place) => found.has(place));
    if (new Set(places.map((place) => found.get(place)?.passage.of)).size > MAX_RARE_ENTRIES) continue;
    for (const place of places) words.set(place, [...(words.get(place) ?? []), word]);
  }
  return words;
}

/** Returns each word's BM25 weight in a text, without the inverse document frequency (idf). */
export function termWeights(text: string): Record<string, number> {
  return Object.fromEntries(
    [...countOccurrences(extractSearchWords(text))].map(([word, count]) => [
      word,
      (count * (K1 + 1)) / (count + K1),
    ]),
  );
}
