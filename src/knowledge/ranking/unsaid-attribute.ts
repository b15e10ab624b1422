import { detectNonEnglish } from '../../lib/language/detect-language.ts';
import { foldLetters } from '../../lib/text/fold-letters.ts';
import { findDays } from '../../lib/time/written-date.ts';
import type { FoundPassage } from '../store.ts';
import { createSpellingMatcher, GERMAN, meaningfulTerms, NAME } from './missing-words.ts';
import { dropQuestionWords } from './search-words.ts';
import { createCloseness, type QuestionClues } from './standing-out.ts';

/** What a question asks of a subject, such as `blood type` of `Anna`, if no text about the subject says it. */
export interface UnsaidAttribute {
  /** Words of the question that no text about the subject has, as the question writes them. */
  readonly missing: readonly string[];
  readonly missingOf: string;
}

const MAX_QUESTION_CHARS = 200;
/** The closeness to a long text says little about one of its sentences, so subjects with longer texts are not judged. */
const MAX_TEXT_CHARS = 400;
/** Passages about the subject, nearest first, whose words are compared with those of the question. */
const MAX_COMPARED = 20;
/** Weight of the whole question's closeness beside that of its attribute. */
const QUESTION_PART = 0.5;
/** Raises the threshold if the texts about other subjects have a missing word: then these would probably have it too. */
const SAID_OF_OTHERS = 0.08;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const UNSPACED_WORDS = /[\p{Script=Han}\p{Script=Katakana}]+/gu;
/** Matches what a Chinese or Japanese question begins with, up to a particle or a frequent verb. */
const UNSPACED_TOPIC =
  /^[\p{Script=Han}\p{Script=Katakana}]{1,6}?(?:さん|先生)?(?=[的のはがを有是住在对對喜家叫开開什几幾])/u;
const UNSPACED_PARTICLES = /名[前字]|[的是有在了吗嗎呢会會]/g;
const ARABIC = /\p{Script=Arabic}/u;
/** Words before German nouns that are no names. */
const DETERMINER =
  /^(?:d(?:er|ie|as|en|em|es)|(?:[kms]?ein|dein|ihr|unser|welch|jed|dies|viel|all)(?:e[mnrs]?)?|[iv]?[om]m|zu[mr]|ins|beim|was|wie)$/iu;
const POSSESSIVE = /^['’]s(?!\p{L})/u;
/** Matches a second question in a question, such as `and who has his key`. */
const SECOND_QUESTION =
  /(?<!\p{L})(?:and|und|et|y|e|i|и|en|och|og|و)[\s,]+\p{L}|[,;?？，、].{0,3}\p{L}|(?<=\p{L})(?:和|と)(?=\p{L})/iu;

interface Word {
  readonly text: string;
  readonly at: number;
}

/** Returns the names in a question that a text has, in any language. Neither is a name: a question word, or a noun alone. */
export function findSubjectNames(question: string, isSaid: (word: string) => boolean): Word[] {
  const topic = UNSPACED_TOPIC.exec(question)?.[0];
  if (UNSPACED.test(question)) return topic && isSaid(topic) ? [{ text: topic, at: 0 }] : [];
  const words = Array.from(question.matchAll(WORD), ({ 0: text, index }) => ({ text, at: index }));
  const last = words.at(-1);
  // An Arabic name has no capital letter. In a question it comes last: `the number of Layla`.
  if (ARABIC.test(question)) return last && isNoun(last) && isSaid(last.text) ? [last] : [];
  const isGerman = GERMAN.test(question);
  const isName = ({ text }: Word, before: Word | undefined) => {
    if (before === undefined || !NAME.test(text)) return false;
    if (!isGerman) return true;
    const isBehindNoun = before.at > 0 && /^\p{Lu}/u.test(before.text);
    return isBehindNoun ? isSaid(`${before.text} ${text}`) : !DETERMINER.test(before.text);
  };
  return words.filter((word, index) => isName(word, words[index - 1]) && isSaid(word.text));
}

/** Returns true if the question names a subject by a name that a found text has. */
export function hasSubjectName({ question, found }: QuestionClues): boolean {
  const matchers = found.map((one) => createNameMatcher(textOf(one)));
  return findSubjectNames(question, (word) => matchers.some((says) => says(word))).length > 0;
}

const isNoun = ({ text, at }: Word) => meaningfulTerms(text, at).length > 0;

/**
 * Finds out whether texts are about the subject that a question names, but say nothing of what it asks. They answer if one has
 * all words, or if the question without the name is nearer to one of them than to other texts.
 */
export async function findUnsaidAttribute(
  { question, found, near, vectorOf }: QuestionClues,
  signal: AbortSignal,
): Promise<UnsaidAttribute | undefined> {
  const least = near?.scale?.attribute;
  const asked = question.trim().replace(/[?？؟\s]+$/u, '');
  if (!near || least === undefined || asked.length > MAX_QUESTION_CHARS) return undefined;
  if (SECOND_QUESTION.test(asked) || findDays(asked).length > 0) return undefined;
  const isNonEnglish = detectNonEnglish(question) !== 'none';
  const texts = found.map((one) => ({
    one,
    says: createNameMatcher(`${one.passage.title}\n${one.passage.text}`),
  }));
  const names = findSubjectNames(asked, (word) => texts.some(({ says }) => says(word)));
  if (names.length === 0) return undefined;
  const counted = texts.map(({ one, says }) => ({
    one,
    names: names.filter(({ text }) => says(text)).length,
  }));
  const most = counted.reduce((max, one) => Math.max(max, one.names), 0);
  const about = counted.flatMap((one) => (one.names === most ? [one.one] : []));
  if (about.some(({ passage }) => passage.text.length > MAX_TEXT_CHARS || passage.page !== undefined)) {
    return undefined;
  }
  const closenessTo = createCloseness(found, near.scale, vectorOf);
  const toQuestion = closenessTo(near.query);
  const nearest = about.toSorted((a, b) => toQuestion(b.place) - toQuestion(a.place)).slice(0, MAX_COMPARED);
  const words = listAttributeWords(asked, names);
  const matcherOf = (some: readonly FoundPassage[]) => {
    const its = some.map(textOf);
    return UNSPACED.test(asked)
      ? (word: string) => its.some((text) => sharesPairs(word, text))
      : createSpellingMatcher(its, isNonEnglish);
  };
  const lacks = nearest.map((one) => {
    const isSaid = matcherOf([one]);
    return words.filter((word) => !isSaid(word));
  });
  if (lacks.some(({ length }) => length === 0)) return undefined;
  const toAttribute = closenessTo(await near.embed(cutWords(question, names), signal));
  const best = nearest.reduce(
    (max, { place }) => Math.max(max, toAttribute(place) + QUESTION_PART * toQuestion(place)),
    Number.NEGATIVE_INFINITY,
  );
  const missing = words.filter((word) => lacks.every((one) => one.includes(word)));
  const isSaidOfOthers = missing.some(matcherOf(found.filter((one) => !about.includes(one))));
  if (process.env.KBDBG) console.error('KBDBG', best.toFixed(3), asked, isSaidOfOthers);
  if (best >= least + (isSaidOfOthers ? SAID_OF_OTHERS : 0)) return undefined;
  return { missing, missingOf: names.map(({ text }) => text).join(' ') };
}

/** Returns true if a text has a third of the pairs of characters of a Chinese or Japanese word. */
function sharesPairs(word: string, text: string): boolean {
  const pairs = Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
  return pairs.filter((pair) => text.includes(pair)).length * 3 >= pairs.length;
}

const textOf = ({ passage: { title, text } }: FoundPassage): string => `${title}\n${text}`;

function createNameMatcher(text: string): (name: string) => boolean {
  if (UNSPACED.test(text)) return (name) => text.includes(name);
  const folded = foldLetters(text.toLowerCase());
  const words = new Set(folded.match(WORD));
  const all = [...words];
  return (name) => {
    const asked = foldLetters(name.toLowerCase());
    if (asked.includes(' ')) return folded.includes(asked);
    const stem = asked.length > 4 ? asked.slice(0, -1) : asked;
    return words.has(asked) || all.some((word) => word.startsWith(stem) && word.length <= asked.length + 2);
  };
}

function listAttributeWords(question: string, names: readonly Word[]): string[] {
  const rest = cutWords(question, names);
  if (UNSPACED.test(question)) {
    const runs = dropQuestionWords(rest).replace(UNSPACED_PARTICLES, ' ').match(UNSPACED_WORDS) ?? [];
    return runs.filter(({ length }) => length > 1);
  }
  return Array.from(rest.matchAll(WORD), ({ 0: text, index }) => ({ text, at: index }))
    .filter(isNoun)
    .map(({ text }) => text);
}

function cutWords(question: string, words: readonly Word[]): string {
  let [rest, end] = ['', 0];
  for (const { text, at } of words) {
    rest += question.slice(end, at);
    end = at + text.length;
    end += POSSESSIVE.exec(question.slice(end))?.[0].length ?? 0;
  }
  return (rest + question.slice(end)).replace(/\s+/g, ' ').trim();
}
