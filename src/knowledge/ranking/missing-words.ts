import { detectNonEnglish } from '../../lib/language/detect-language.ts';
import { foldLetters } from '../../lib/text/fold-letters.ts';
import { isStopWord } from '../../lib/text/stop-words.ts';
import { splitTerms } from '../../lib/text/text.ts';
import { parseMonthName } from '../../lib/time/month-names.ts';
import { isNamedDay } from '../../lib/time/named-days.ts';
import { listDayAndMonthNames } from '../../lib/time/time-words.ts';
import { findDays } from '../../lib/time/written-date.ts';
import EVERYDAY from './everyday-words.json' with { type: 'json' };
import { GROUPED_NUMBER, joinGroups } from './numbers.ts';
import { dropQuestionWords, findWordRoot } from './search-words.ts';

/** Words of a question that no searched text has. */
export interface MissingWords {
  /** The words as the question writes them, without duplicates. Adjacent words are joined to one text. */
  readonly written: readonly string[];
  /** True if a missing word is a name or a code. The capital letter of the first word does not count. */
  readonly isNamed: boolean;
  /** Words that only have other forms in the texts, such as `roofer` if a text says `roof`. */
  readonly alike?: readonly string[];
  /** Share of missing words among the question's words, without stop words and words such as `explain`. */
  readonly share: number;
  /** The same share without missing numbers and codes, because texts write these in many ways. */
  readonly wordShare: number;
  /** True if no text has the number of `invoice 2293`, and texts have others, such as `invoice 2291`. */
  readonly isOtherNumber?: boolean;
}

export const NO_MISSING_WORDS: MissingWords = { written: [], isNamed: false, share: 0, wordShare: 0 };
/** Minimum letters of a root that also matches longer words (`sail`, `sailor`), and of a word with a typo. */
const [MIN_PREFIX_CHARS, MIN_TYPO_CHARS] = [4, 5];
/** Maximum compounds to test per question. Compounds and words together are limited to twice this number. */
const MAX_TESTED = 50;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const WORD_OR_NUMBER = new RegExp(`${GROUPED_NUMBER.source}|${WORD.source}`, 'gu');
/** Matches a capitalized word, or a code such as `A4` or `90210`, but not `3rd`, `90s` or a single letter. */
export const NAME =
  /^\p{Lu}[\p{L}\p{M}\p{N}]|\p{N}{5}|(?!\d{1,4}(?:st|nd|rd|th|s)$)(?:\p{L}\p{N}|\p{N}\p{L})/u;
const NAME_LIKE = /^\p{Lu}\p{Ll}/u;
/** Words that show that a question is German, where a capital letter marks every noun and not only names. */
export const GERMAN =
  /\b(?:der|das|dem|den|des|ein|eine[mnrs]?|und|ist|wie|wo|wer|wen|wem|wann|warum|welche[mnrs]?|ich|meine?|im|zum|zur|mit|von)\b/i;
/** Matches the characters between two words of one name, such as `T. S. Eliot`. */
const BETWEEN = /^[\s.'’&/-]{1,3}$/;
const [MAX_WRITTEN, MAX_WRITTEN_CHARS] = [5, 60];
/** Roots of words that do not name a question's subject, such as `explain`, `list` and `yesterday`. */
const ASKING = new Set(EVERYDAY.asking.split(' '));
/** Matches `tells` and years. They do not name a subject: a year may refer to an entry's creation time. */
const ASKING_FORM = /^(?:(?:19|20)\d\d|tells?)$/;

/** Words that name no subject: verbs such as `make`, and times such as `last month`. */
const LIGHT = new Set(
  [...Object.values(EVERYDAY.light), EVERYDAY.times].join(' ').split(' ').map(foldLetters),
);
const LIGHT_ROOTS = new Set(
  [...LIGHT, ...listDayAndMonthNames()].map((word) => findWordRoot(foldLetters(word))),
);
/** Forms of irregular words, such as `pay` and `paid`. */
const IRREGULAR = new Map(
  EVERYDAY.irregular.map((row) => row.split(' ')).flatMap((forms) => forms.map((form) => [form, forms])),
);

/** Returns true for the root of a word that names no subject, such as `what`, `noted` and `week`. */
export function isSubjectless(root: string): boolean {
  return LIGHT_ROOTS.has(root) || isStopWord(root);
}

/** Returns false for a question about a text as a whole, such as `what is it about`. */
export function hasSubject(question: string): boolean {
  return [...question.matchAll(WORD)].some(({ 0: word, index }) => meaningfulTerms(word, index).length > 0);
}

/** Returns true for a question such as `what did I do on 18 October`. */
export function asksOnlyForDay(question: string): boolean {
  const words =
    question
      .toLowerCase()
      .replace(/\p{N}{1,4}(?:st|nd|rd|th)?/gu, ' ')
      .match(WORD) ?? [];
  return !hasSubject(words.filter((word) => parseMonthName(word) === undefined).join(' '));
}

/** `at` is the place of the word in the question: behind its beginning, a capital letter may begin a name. */
export function meaningfulTerms(word: string, at: number): string[] {
  const mayBeName = at > 0 && NAME_LIKE.test(word);
  return splitTerms(joinGroups(word)).filter(
    (term) =>
      !isStopWord(term) &&
      !ASKING.has(findWordRoot(term)) &&
      !ASKING_FORM.test(term) &&
      (mayBeName || !LIGHT.has(foldLetters(term))),
  );
}

/** `missing`: word roots that the index lacks. `nearest`: texts in which to find other spellings. */
export function findMissingWords(
  asked: string,
  missing: readonly string[],
  nearest: readonly string[],
): MissingWords {
  // For a question with a date, no word counts as missing: texts may write the date in another format.
  if (missing.length === 0 || findDays(asked).length > 0) return NO_MISSING_WORDS;
  const question = dropQuestionWords(asked);
  const roots = new Set(missing);
  const alike: string[] = [];
  const isSaid = keepSaid(createSpellingMatcher(nearest, detectNonEnglish(question) !== 'none'), alike);
  const isGerman = GERMAN.test(question);
  const compounds = [...question.matchAll(COMPOUND)]
    .slice(0, MAX_TESTED)
    .filter(([one]) => isSaid(joined(one)));
  const written: { text: string; end: number }[] = [];
  let [meaningful, absent, absentWords, isNamed] = [0, 0, 0, false];
  for (const { 0: word, index } of question.matchAll(WORD_OR_NUMBER)) {
    const all = meaningfulTerms(word, index);
    if (all.length === 0) continue;
    meaningful++;
    const isPart = compounds.some((one) => one.index <= index && index < one.index + one[0].length);
    if (isPart || !all.every((term) => roots.has(findWordRoot(term))) || isSaid(word)) continue;
    if (parseMonthName(word) !== undefined) continue;
    absent++;
    absentWords += Number(!/\p{N}/u.test(word));
    isNamed ||= index > 0 && NAME.test(word) && !isNamedDay(word) && (!isGerman || /\p{N}/u.test(word));
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
    alike,
    share: absent / (meaningful || 1),
    wordShare: absentWords / (meaningful || 1),
    ...(written.some(({ text }) => /^\d+$/.test(text)) &&
      hasOtherNumber(question, nearest) && { isOtherNumber: true }),
  };
}

/** Matches a word with its number, such as `invoice 2293`, and the word behind them. */
const NUMBERED =
  /([\p{L}\p{M}]{2,40})[\s.:#№-]{1,3}(?!(?:19|20)\d\d(?!\d))0{0,6}(\d{3,12})(?![\p{L}\p{N}%€$£]|[.,]\d)(?=\s?([%€$£]|[\p{L}\p{M}]{1,40})?)/gu;

/** Returns true if a text has a word of the question with another number. `costs 240 euros` is an amount. */
function hasOtherNumber(question: string, texts: readonly string[]): boolean {
  const pairs = (text: string) =>
    Array.from(joinGroups(text).matchAll(NUMBERED), ([, word = '', number = '', next = '']) => {
      const root = findWordRoot(foldLetters(word.toLowerCase()));
      return { kind: isSubjectless(root) ? '' : `${root} ${number.length}`, number, next };
    });
  const said = texts.flatMap(pairs);
  return pairs(question).some(({ kind, number, next }) => {
    const alike = said.filter((one) => kind !== '' && one.kind === kind);
    const isAmount = next !== '' && alike.some((one) => one.next === next);
    return alike.length > 0 && !isAmount && said.every((one) => one.number !== number);
  });
}

/** Matches compounds such as `Wi-Fi` and `12,500`. They also count as one word: `WiFi` and `12500`. */
const COMPOUND = /(?<![\p{L}\p{M}\p{N}])[\p{L}\p{M}\p{N}]{1,40}(?:[-.,'’][\p{L}\p{M}\p{N}]{1,40}){1,8}/gu;

const joined = (compound: string) => compound.replace(/[-.,'’]/g, '');

const keepSaid = (isSaid: (word: string) => boolean, kept: string[]) => (word: string) =>
  isSaid(word) && kept.push(word) > 0;

export function createSpellingMatcher(
  texts: readonly string[],
  isNonEnglish: boolean,
): (word: string) => boolean {
  let words: Set<string> | undefined;
  let tested = 0;
  const read = () => {
    const text = foldLetters(texts.join('\n').toLowerCase());
    return new Set([...(text.match(WORD) ?? []), ...(text.match(COMPOUND) ?? []).map(joined)]);
  };
  return (word) => {
    // For a very long question, only the first words are tested. Further words count as present in the texts.
    if (++tested > 2 * MAX_TESTED) return true;
    words ??= read();
    const asked = foldLetters(word.toLowerCase());
    const root = findWordRoot(asked);
    const forms = IRREGULAR.get(asked);
    const mayBeTypo = asked.length >= MIN_TYPO_CHARS && !/\p{N}/u.test(asked);
    const isAlike = (said: string) =>
      said === asked ||
      forms?.includes(said) ||
      (isNonEnglish && isInflected(said, asked)) ||
      (root.length >= MIN_PREFIX_CHARS && said.startsWith(root)) ||
      isAgentOf(asked, said) ||
      (mayBeTypo && said[0] === asked[0] && isOneTypo(said, asked));
    for (const said of words) if (isAlike(said)) return true;
    return false;
  };
}

const AGENT = /^(\p{L}{3,20})(?:er|or|ist)s?$/u;

/** Returns true if a text says what an agent does or works on: `roof` for `roofer`, `swims` for `swimmer`. */
function isAgentOf(asked: string, said: string): boolean {
  if (said.length < MIN_PREFIX_CHARS || said.slice(0, 3) !== asked.slice(0, 3)) return false;
  const base = AGENT.exec(asked)?.[1]?.replace(/(\p{L})\1$/u, '$1');
  if (base !== said.replace(/(?:ings?|ed|e?s|e|y)$/u, '').replace(/(\p{L})\1$/u, '$1')) return false;
  return !isSubjectless(said) && !ASKING.has(findWordRoot(said));
}

const MAX_ENDING = 3;

/** Returns true if two words differ by their endings, as in Polish, or if one is a part of the other, as in German. */
function isInflected(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length < MIN_PREFIX_CHARS) return false;
  if (long.length - short.length >= MAX_ENDING && (long.startsWith(short) || long.endsWith(short)))
    return true;
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  return shared >= MIN_PREFIX_CHARS && long.length - shared <= MAX_ENDING;
}

/** Returns the roots of the names in a question, without its first word. */
export function findNames(question: string): ReadonlySet<string> {
  if (GERMAN.test(question)) return new Set();
  const names = [...question.matchAll(WORD)].filter(({ 0: word, index }) => index > 0 && NAME.test(word));
  return new Set(names.flatMap(({ 0: word, index }) => meaningfulTerms(word, index).map(findWordRoot)));
}

/** Returns true if one letter was added, left out or replaced, or if two adjacent letters were swapped. */
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
