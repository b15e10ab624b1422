import { stem } from '../../lib/text/stem.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { splitTerms } from '../../lib/text/text.ts';
import { PageVocabulary } from '../extracting/vocabulary.ts';

/** Parameter of BM25 that limits the weight of repeated words (Robertson and Zaragoza 2009). */
const K1 = 1.2;
/** Weight of a word that only begins like a word of the question. An equal word has weight 1. */
const ALIKE_WEIGHT = 0.4;
/** Weight of a word in a heading above the text. A word in the text has weight 1. */
const HEADING_WEIGHT = 0.3;
const MAX_ASKED_TERMS = 64;

/** Returns the stems of the question's words. Omits stop words such as `the` if other words remain. */
export function extractQueryStems(text: string): string[] | undefined {
  const all = splitTerms(text);
  const telling = all.filter((term) => !isStopWord(term));
  const stems = new Set((telling.length > 0 ? telling : all).map(stem));
  return stems.size > 0 ? [...stems].slice(0, MAX_ASKED_TERMS) : undefined;
}

export type TermIndex = ReturnType<typeof indexTerms>;

export function indexTerms(texts: readonly string[], vocabulary = new PageVocabulary()) {
  return { vocabulary, texts: texts.map((text) => vocabulary.numbersOf(text)) };
}

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

function likeness(term: string, word: string): number {
  if (term === word) return 1;
  if (term.length < 4 || Math.abs(term.length - word.length) > 6) return 0;
  return word.startsWith(term.slice(0, Math.max(4, Math.min(6, term.length - 2)))) ? ALIKE_WEIGHT : 0;
}

type Worth = readonly [term: number, worth: number];
const NOTHING: readonly Worth[] = [];

function matches(vocabulary: PageVocabulary, asked: readonly string[]): (word: number) => readonly Worth[] {
  const known = vocabulary.memoOf<readonly Worth[]>(asked.join(' '));
  const initials = new Set(asked.map((term) => term.charAt(0)));
  const worthOf = (number: number) => {
    const whole = vocabulary.words[number] ?? '';
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

export function scoreBm25(
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
  const weights = having.map((count) => inverseDocumentFrequency(count, index.texts.length));
  return frequencies.map((frequency, at) => {
    for (const term of above[at] ?? []) frequency.set(term, (frequency.get(term) ?? 0) + HEADING_WEIGHT);
    let sum = 0;
    for (const [term, f] of frequency) sum += ((weights[term] ?? 0) * f * (K1 + 1)) / (f + K1);
    return sum;
  });
}

/** Computes BM25's weight of a term. `having` counts the texts with the term, and `of` counts all texts. */
export function inverseDocumentFrequency(having: number, of: number): number {
  return Math.log(1 + (of - having + 0.5) / (having + 0.5));
}
