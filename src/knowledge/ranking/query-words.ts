import type { FoundPassage, PassageScore, WordSearchResult } from '../store.ts';
import { createSpellingMatcher } from './missing-words.ts';
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

/** Passages with the same score keep the order of their own scores. */
const byScore = (a: PassageScore, b: PassageScore): number => b.score - a.score;

/** Minimum passages of a source whose text is searched for words that stand everywhere in it. */
const MIN_SOURCE_PASSAGES = 4;
type WordsBySource = ReadonlyMap<string, ReadonlySet<string>>;

/** Finds the query's words that stand in most passages of a source, such as a company's name in its report. */
export function findGeneralWords(found: PassagesById, findWords: FindWords): WordsBySource {
  const sources = new Map<string, { passages: number; counts: Map<string, number> }>();
  for (const { passage } of found.values()) {
    const source = sources.get(passage.of) ?? { passages: 0, counts: new Map() };
    sources.set(passage.of, source);
    // The number of the last passage that was found is a lower limit for the passages of the source.
    source.passages = Math.max(source.passages, passage.ordinal + 1);
    for (const word of findWords(passage.text)) source.counts.set(word, (source.counts.get(word) ?? 0) + 1);
  }
  const general = new Map<string, ReadonlySet<string>>();
  for (const [of, { passages, counts }] of sources) {
    if (passages < MIN_SOURCE_PASSAGES) continue;
    general.set(of, new Set([...counts].flatMap(([word, count]) => (count > passages / 2 ? [word] : []))));
  }
  return general;
}

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
  return { ...lexical, scored: raised.sort(byScore) };
}

/** Other forms of a word have this share of its weight. Shorter words are alike by chance, such as `couch` and `coach`. */
const [LIKE_WEIGHT, MAX_LIKE_PASSAGES, MIN_LIKE_CHARS] = [0.7, 5, 6];

/** Raises passages with forms of words that no text has as the question writes them, if few have them. */
export function raiseByLikeWords(
  question: string,
  lexical: WordSearchResult,
  nearest: readonly FoundPassage[],
  words: readonly string[] = [],
): WordSearchResult {
  if (words.length === 0) return lexical;
  const usual = lexical.allWords / (extractQueryWords(question, []).length || 1);
  const scores = new Map(lexical.scored.map(({ place, score }) => [place, score]));
  for (const word of words.filter(({ length }) => length >= MIN_LIKE_CHARS)) {
    const alike = nearest.filter((one) => createSpellingMatcher([one.passage.text], true)(word));
    if (alike.length > MAX_LIKE_PASSAGES) continue;
    for (const { place } of alike) scores.set(place, (scores.get(place) ?? 0) + LIKE_WEIGHT * usual);
  }
  return { ...lexical, scored: [...scores].map(([place, score]) => ({ place, score })).sort(byScore) };
}

/** If several passages of an entry match only by words of the title or general words, all get the highest of their scores. */
export function levelTitleScores(
  query: string,
  lexical: WordSearchResult,
  found: PassagesById,
  findWords: FindWords,
  general: WordsBySource,
): WordSearchResult {
  const words = extractQueryWords(query, []).length;
  const most = new Map<string, number>();
  const titled = new Set<number>();
  for (const { place, score } of lexical.scored) {
    const passage = found.get(place)?.passage;
    if (!passage) continue;
    const named = new Set([...findWords(passage.title), ...(general.get(passage.of) ?? [])]);
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
  return { ...lexical, scored: scored.sort(byScore) };
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
