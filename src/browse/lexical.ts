import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { terms } from '../lib/text.ts';

/** BM25's saturation (Robertson and Zaragoza 2009). No penalty for length: a longer block holds more answers. */
const K1 = 1.2;
/** What a word counts that shares only its beginning with the one asked for. */
const ALIKE_WEIGHT = 0.4;
/** What the words of the headings above count, against the text's own. */
const HEADING_WEIGHT = 0.3;
/** Different words of a question that are searched for. */
const MAX_ASKED_TERMS = 64;

/** The words of a text that say something, stemmed; all of them where none does; undefined where there is none. */
export function askedTerms(text: string): string[] | undefined {
  const all = terms(text);
  const telling = all.filter((term) => !isStopWord(term));
  const stems = new Set((telling.length > 0 ? telling : all).map(stem));
  return stems.size > 0 ? [...stems].slice(0, MAX_ASKED_TERMS) : undefined;
}

/** Texts as the words that they hold. */
export interface TermIndex {
  /** Every different term once. */
  readonly words: readonly string[];
  /** For each word, how many texts have it. */
  readonly spread: readonly number[];
  /** For each text its words, by their place in `words`. */
  readonly texts: readonly (readonly number[])[];
}

/** The terms of texts, each kept once. */
export function indexTerms(texts: readonly string[]): TermIndex {
  const ids = new Map<string, number>();
  const words: string[] = [];
  const spread: number[] = [];
  const seenIn: number[] = [];
  const numbered = texts.map((text, at) =>
    terms(text).map((term) => {
      let id = ids.get(term);
      if (id === undefined) {
        id = words.push(term) - 1;
        spread.push(0);
        ids.set(term, id);
      }
      if (seenIn[id] !== at) {
        seenIn[id] = at;
        spread[id] = (spread[id] ?? 0) + 1;
      }
      return id;
    }),
  );
  return { words, spread, texts: numbered };
}

/** How much a word is worth to a term: 1 when it is the same, a part when it only begins like it, 0 otherwise. */
function likeness(term: string, word: string): number {
  if (term === word) return 1;
  if (term.length < 4 || Math.abs(term.length - word.length) > 6) return 0;
  return word.startsWith(term.slice(0, Math.max(4, Math.min(6, term.length - 2)))) ? ALIKE_WEIGHT : 0;
}

/** For each word of the index the terms that it stands for, with what it is worth. */
function matches(
  words: readonly string[],
  asked: readonly string[],
): ReadonlyMap<number, [number, number][]> {
  const found = new Map<number, [number, number][]>();
  const initials = new Set(asked.map((term) => term.charAt(0)));
  words.forEach((whole, id) => {
    // Stems begin as their words do, Arabic ones excepted, so most words need not be stemmed.
    if (!initials.has(whole.charAt(0)) && !/^[\u0600-\u06ff]/.test(whole)) return;
    const word = stem(whole);
    const worth = asked.flatMap((term, at): [number, number][] => {
      const like = likeness(term, word);
      return like > 0 ? [[at, like]] : [];
    });
    if (worth.length > 0) found.set(id, worth);
  });
  return found;
}

/**
 * BM25 of each text to the terms asked for, words that only begin alike counting in part. `above` has for each text
 * the asked terms, by number, that its headings have.
 */
export function bm25(
  index: TermIndex,
  asked: readonly string[],
  above: readonly (readonly number[])[] = [],
): number[] {
  const found = matches(index.words, asked);
  const having = asked.map(() => 0);
  const frequencies = index.texts.map((ids) => {
    const frequency = new Map<number, number>();
    for (const id of ids) {
      for (const [term, worth] of found.get(id) ?? [])
        frequency.set(term, (frequency.get(term) ?? 0) + worth);
    }
    for (const term of frequency.keys()) having[term] = (having[term] ?? 0) + 1;
    return frequency;
  });
  const weights = having.map((count) => rarity(count, index.texts.length));
  return frequencies.map((frequency, at) => {
    for (const term of above[at] ?? []) frequency.set(term, (frequency.get(term) ?? 0) + HEADING_WEIGHT);
    let sum = 0;
    for (const [term, f] of frequency) sum += ((weights[term] ?? 0) * f * (K1 + 1)) / (f + K1);
    return sum;
  });
}

/** BM25's weight of what `having` of `of` texts have. */
export function rarity(having: number, of: number): number {
  return Math.log(1 + (of - having + 0.5) / (having + 0.5));
}
