import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { terms } from '../../lib/text/text.ts';
import { Vocabulary } from '../extracting/vocabulary.ts';

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
  readonly vocabulary: Vocabulary;
  /** For each text its words, by their numbers in the vocabulary. */
  readonly texts: readonly (readonly number[])[];
}

/** The terms of texts, each kept once. */
export function indexTerms(texts: readonly string[], vocabulary = new Vocabulary()): TermIndex {
  return { vocabulary, texts: texts.map((text) => vocabulary.numbersOf(text)) };
}

/** For each text its different words, in the order in which they first stand there. */
export function distinctWords({ vocabulary, texts }: TermIndex): number[][] {
  const seenIn = new Int32Array(vocabulary.words.length).fill(-1);
  return texts.map((ids, at) =>
    ids.filter((id) => {
      const isFirst = seenIn[id] !== at;
      seenIn[id] = at;
      return isFirst;
    }),
  );
}

/** How much a word is worth to a term: 1 when it is the same, a part when it only begins like it, 0 otherwise. */
function likeness(term: string, word: string): number {
  if (term === word) return 1;
  if (term.length < 4 || Math.abs(term.length - word.length) > 6) return 0;
  return word.startsWith(term.slice(0, Math.max(4, Math.min(6, term.length - 2)))) ? ALIKE_WEIGHT : 0;
}

/** A term that was asked for, by its number among those, and what a word is worth to it. */
type Worth = readonly [term: number, worth: number];
const NOTHING: readonly Worth[] = [];

/** The terms that a word stands for, with what it is worth. */
function matches(vocabulary: Vocabulary, asked: readonly string[]): (word: number) => readonly Worth[] {
  const known = vocabulary.memoOf<readonly Worth[]>(asked.join(' '));
  const initials = new Set(asked.map((term) => term.charAt(0)));
  const worthOf = (number: number) => {
    const whole = vocabulary.words[number] ?? '';
    // Stems begin as their words do, Arabic ones excepted, so most words need not be stemmed.
    if (!initials.has(whole.charAt(0)) && !/^[\u0600-\u06ff]/.test(whole)) return NOTHING;
    const word = vocabulary.stemOf(number);
    return asked.flatMap((term, at): Worth[] => {
      const like = likeness(term, word);
      return like > 0 ? [[at, like]] : [];
    });
  };
  return (number) => {
    const worth = known[number] ?? worthOf(number);
    known[number] = worth;
    return worth;
  };
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
  const worthOf = matches(index.vocabulary, asked);
  const counts = Uint8Array.from(index.vocabulary.words, (_, number) =>
    worthOf(number) === NOTHING ? 0 : 1,
  );
  const having = asked.map(() => 0);
  const frequencies = index.texts.map((ids) => {
    const frequency = new Map<number, number>();
    for (const id of ids) {
      if (counts[id] === 0) continue;
      for (const [term, worth] of worthOf(id)) frequency.set(term, (frequency.get(term) ?? 0) + worth);
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
