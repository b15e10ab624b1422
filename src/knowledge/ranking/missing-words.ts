import { foldLetters } from '../../lib/text/fold-letters.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { splitTerms } from '../../lib/text/text.ts';
import { parseMonthName } from '../../lib/time/month-names.ts';
import { findDays } from '../../lib/time/written-date.ts';
import { findWordRoot } from './search-words.ts';

/** Words of a question that no searched text has. */
export interface MissingWords {
  /** As the question writes them, each once. Neighbours are one text. */
  readonly written: readonly string[];
  /** True if one of them is a name or a code, but not the first word, whose capital says nothing. */
  readonly isNamed: boolean;
  /** Their share of the question's words that are not frequent ones. */
  readonly share: number;
}

export const NO_MISSING_WORDS: MissingWords = { written: [], isNamed: false, share: 0 };
/** From this length on, a word is said by a word that begins with it, and by one that differs in one letter. */
const [MIN_PREFIX_CHARS, MIN_TYPO_CHARS] = [4, 5];
/** Compounds, and half the words, of a question that are compared with the words of the nearest texts. */
const MAX_TESTED = 50;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/** A capital, or a code of letters and digits. Ordinals, decades and single letters are none. */
const NAME = /^\p{Lu}[\p{L}\p{M}\p{N}]|\p{N}{5}|(?!\d{1,4}(?:st|nd|rd|th|s)$)(?:\p{L}\p{N}|\p{N}\p{L})/u;
/** Words of German questions that English ones lack. German nouns have a capital too, so that it shows no name. */
const GERMAN =
  /\b(?:der|das|dem|den|des|ein|eine[mnrs]?|und|ist|wie|wo|wer|wen|wem|wann|warum|welche[mnrs]?|ich|meine?|im|zum|zur|mit|von)\b/i;
/** What may stand between two words of one name, such as `T. S. Eliot`. */
const BETWEEN = /^[\s.'’&/-]{1,3}$/;
const [MAX_WRITTEN, MAX_WRITTEN_CHARS] = [5, 60];
/** Roots of words that say what a question asks for, or for when, not what it is about. */
const ASKING = new Set(
  (
    'describ|explain|mention|list|name|say|summar|summari|overview|happen|kind|type|sort|way|thing|' +
    'give|find|show|know|think|main|key|point|topic|content|conclus|document|file|text|page|paper|' +
    'report|articl|book|today|yesterday|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday'
  ).split('|'),
);
/** Further such words. A text may have no year, because its entry has a time. */
const ASKING_FORM = /^(?:(?:19|20)\d\d|tells?)$/;

/** False for a question about a text as a whole, such as `what is it about`. */
export function hasSubject(question: string): boolean {
  return [...question.matchAll(WORD)].some(([word]) => meaningfulTerms(word).length > 0);
}

function meaningfulTerms(word: string): string[] {
  return splitTerms(word).filter(
    (term) => !isStopWord(term) && !ASKING.has(findWordRoot(term)) && !ASKING_FORM.test(term),
  );
}

/** `missing`: roots that the index lacks. `nearest`: the nearest texts, which may write a word in another way. */
export function findMissingWords(
  question: string,
  missing: readonly string[],
  nearest: readonly string[],
): MissingWords {
  // A text may write a day in another format.
  if (missing.length === 0 || findDays(question).length > 0) return NO_MISSING_WORDS;
  const roots = new Set(missing);
  const isSaid = createSpellingMatcher(nearest);
  const isGerman = GERMAN.test(question);
  const compounds = [...question.matchAll(COMPOUND)]
    .slice(0, MAX_TESTED)
    .filter(([one]) => isSaid(joined(one)));
  const written: { text: string; end: number }[] = [];
  let [meaningful, absent, isNamed] = [0, 0, false];
  for (const { 0: word, index } of question.matchAll(WORD)) {
    const all = meaningfulTerms(word);
    if (all.length === 0) continue;
    meaningful++;
    const isPart = compounds.some((one) => one.index <= index && index < one.index + one[0].length);
    if (isPart || !all.every((term) => roots.has(findWordRoot(term))) || isSaid(word)) continue;
    if (parseMonthName(word) !== undefined) continue;
    absent++;
    isNamed ||= index > 0 && NAME.test(word) && (!isGerman || /\p{N}/u.test(word));
    const last = written.at(-1);
    const between = last && question.slice(last.end, index);
    if (last && between !== undefined && BETWEEN.test(between)) {
      last.text += between + word;
      last.end = index + word.length;
    } else written.push({ text: word, end: index + word.length });
  }
  return {
    written: [...new Set(written.map(({ text }) => text))]
      .filter(({ length }) => length <= MAX_WRITTEN_CHARS)
      .slice(0, MAX_WRITTEN),
    isNamed,
    share: absent / (meaningful || 1),
  };
}

/** Compounds such as `Wi-Fi` and `12,500` also count as one word. */
const COMPOUND = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]{1,40}(?:[-.,'’][\p{L}\p{M}\p{N}]{1,40}){1,8}/gu;

const joined = (compound: string) => compound.replace(/[-.,'’]/g, '');

function createSpellingMatcher(texts: readonly string[]): (word: string) => boolean {
  let words: Set<string> | undefined;
  let tested = 0;
  const read = () => {
    const text = foldLetters(texts.join('\n').toLowerCase());
    return new Set([...(text.match(WORD) ?? []), ...(text.match(COMPOUND) ?? []).map(joined)]);
  };
  return (word) => {
    // A question of very many words does not hold up others. Its last words count as said.
    if (++tested > 2 * MAX_TESTED) return true;
    words ??= read();
    const asked = foldLetters(word.toLowerCase());
    const root = findWordRoot(asked);
    const mayBeTypo = asked.length >= MIN_TYPO_CHARS && !/\p{N}/u.test(asked);
    const isAlike = (said: string) =>
      said === asked ||
      (root.length >= MIN_PREFIX_CHARS && said.startsWith(root)) ||
      (mayBeTypo && said[0] === asked[0] && isOneTypo(said, asked));
    for (const said of words) if (isAlike(said)) return true;
    return false;
  };
}

/** True if a letter is added, left out or replaced, or two neighbours are swapped. */
function isOneTypo(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) {
    endA--;
    endB--;
  }
  const [left, right] = [a.slice(start, endA), b.slice(start, endB)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
