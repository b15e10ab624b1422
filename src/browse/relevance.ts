import { stem } from '../lib/stem.ts';
import { isStopWord } from '../lib/stop-words.ts';
import { terms } from '../lib/text.ts';
import type { Block } from './blocks.ts';
import { cueOf } from './cues.ts';

export interface Focus {
  /** What the caller looks for; empty when the page itself is what is asked for. */
  readonly query: string;
  readonly title: string;
}

/** BM25's saturation (Robertson and Zaragoza 2009). No penalty for length: a longer block holds more answers. */
const K1 = 1.2;
/** What a word counts that shares only its beginning with the one asked for. */
const ALIKE = 0.4;
/** What the words of the headings above count, against the block's own. */
const HEADING = 0.3;
/** What a block takes on of the better of its neighbours: an answer often stands beside the words asked for. */
const NEIGHBOUR = 0.2;
/** How many words a sign counts that a block shows the kind of answer asked for. */
const CUE = 1;
const CENTRE = 0.1;
/** Without a question: the page's centre and the facts told count, the title's words a little. */
const CENTRE_ALONE = 0.9;
const FACTS_ALONE = 1;
/** Pseudo-words added to a block's length, so that a block of three words does not count as central. */
const DAMPING = 60;
/** The same for facts. */
const FACT_DAMPING = 20;
/** Characters of a word, about. */
const WORD = 6;
/** Different words of a question that are looked for. */
const ASKED = 64;

/**
 * A score for each block named in `indexes`: BM25 of the query (of the title, when there is none) over stems, the
 * headings above counting in part, with what its neighbours and the kind of answer add, and the block's closeness
 * to the page's centre. The figures are those that kept most answers on the tune half of bench/data/questions.json.
 * Linear in the text.
 */
export function relevance(
  blocks: readonly Block[],
  indexes: readonly number[],
  { query, title }: Focus,
): number[] {
  const texts = indexes.map((index) => withoutLinks(blocks[index]?.text ?? ''));
  const index = indexTerms(texts);
  const asked = askedTerms(query) ?? askedTerms(title) ?? [];
  const above = headingTerms(blocks, asked);
  const match = bm25(
    index,
    asked,
    indexes.map((at) => above[at] ?? []),
  );
  const cue = cueOf(query);
  if (cue) addCue(match, texts, cue);
  const near = normalised(match);
  const beside = near.map((score, i) => score + NEIGHBOUR * Math.max(near[i - 1] ?? 0, near[i + 1] ?? 0));
  const centre = normalised(centrality(index));
  const alone = query.trim() === '';
  const weight = alone ? CENTRE_ALONE : CENTRE;
  const facts = alone ? normalised(texts.map(factsOf)) : [];
  return beside.map(
    (score, i) => (1 - weight) * score + weight * (centre[i] ?? 0) + FACTS_ALONE * (facts[i] ?? 0),
  );
}

/** The words of a text that say something, stemmed; all of them where none does; undefined where there is none. */
export function askedTerms(text: string): string[] | undefined {
  const all = terms(text);
  const telling = all.filter((term) => !isStopWord(term));
  const stems = new Set((telling.length > 0 ? telling : all).map(stem));
  return stems.size > 0 ? [...stems].slice(0, ASKED) : undefined;
}

interface TermIndex {
  /** Every different term once. */
  readonly words: readonly string[];
  /** For each word, how many texts have it. */
  readonly spread: readonly number[];
  /** For each text its words, by their place in `words`. */
  readonly texts: readonly (readonly number[])[];
}

function indexTerms(texts: readonly string[]): TermIndex {
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
  return word.startsWith(term.slice(0, Math.max(4, Math.min(6, term.length - 2)))) ? ALIKE : 0;
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

function bm25(index: TermIndex, asked: readonly string[], above: readonly (readonly number[])[]): number[] {
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
    for (const term of above[at] ?? []) frequency.set(term, (frequency.get(term) ?? 0) + HEADING);
    let sum = 0;
    for (const [term, f] of frequency) sum += ((weights[term] ?? 0) * f * (K1 + 1)) / (f + K1);
    return sum;
  });
}

function rarity(having: number, of: number): number {
  return Math.log(1 + (of - having + 0.5) / (having + 0.5));
}

/** For each block the asked terms, by number, that the headings above it have. */
function headingTerms(blocks: readonly Block[], asked: readonly string[]): number[][] {
  const above: { level: number; has: number[] }[] = [];
  return blocks.map(({ kind, level, text }) => {
    if (kind !== 'heading') return above.at(-1)?.has ?? [];
    while ((above.at(-1)?.level ?? 0) >= level) above.pop();
    const words = new Set(terms(text).map(stem));
    const own = asked.flatMap((term, at) => (words.has(term) ? [at] : []));
    const has = [...new Set([...(above.at(-1)?.has ?? []), ...own])];
    above.push({ level, has });
    return has;
  });
}

/** The kind of answer asked for counts as one more word, the rarer the more. */
function addCue(scores: number[], texts: readonly string[], cue: RegExp): void {
  const shows = texts.map((text) => cue.test(text));
  const weight = CUE * rarity(shows.filter(Boolean).length, texts.length);
  shows.forEach((shown, i) => {
    if (shown) scores[i] = (scores[i] ?? 0) + weight;
  });
}

/** How much of the page's own vocabulary a block carries: words that recur across blocks, per word of the block. */
function centrality({ texts, spread }: TermIndex): number[] {
  return texts.map((ids) => {
    let sum = 0;
    for (const id of new Set(ids)) {
      const share = (spread[id] ?? 0) / texts.length;
      // Words in nearly every block tell as little as words in one.
      sum += share * (1 - share);
    }
    return sum / (ids.length + DAMPING) + Math.min(ids.length, 200) * 1e-5;
  });
}

/** Different names and numbers that a text tells, per word. */
function factsOf(text: string): number {
  const told = new Set(text.match(/\p{N}+|(?<=[\p{Ll},] )\p{Lu}\p{L}+/gu) ?? []);
  return told.size / (text.length / WORD + FACT_DAMPING);
}

function normalised(values: readonly number[]): number[] {
  const most = values.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? values.map((value) => value / most) : [...values];
}

/** Without where links lead: addresses are full of words that the text does not say. */
function withoutLinks(markdown: string): string {
  return markdown.replace(/\]\([^)\s]{0,2000}\)?/g, ']');
}
