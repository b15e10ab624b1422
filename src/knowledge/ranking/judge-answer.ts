import { foldLetters } from '../../lib/text/fold-letters.ts';
import { isNamedDay } from '../../lib/time/named-days.ts';
import { isConversationTurn } from '../importing/conversation-turn.ts';
import type { FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';
import { findLikedThing, lacksAskedKind, lacksTime } from './answer-kind.ts';
import { CANDIDATES_PER_LIST } from './candidates.ts';
import { createSpellingMatcher, GERMAN, type MissingWords, meaningfulTerms, NAME } from './missing-words.ts';
import type { OrderedPassage } from './newest-first.ts';
import { dropQuestionWords } from './search-words.ts';
import { dotProduct } from './smooth-by-neighbours.ts';
import type { EmbeddedQuestion } from './vector-search.ts';

interface QuestionClues {
  readonly question: string;
  readonly found: readonly FoundPassage[];
  readonly near: EmbeddedQuestion | undefined;
  readonly vectorOf: (place: number) => Float32Array | undefined;
  readonly missing: MissingWords;
}

/** Unrelated texts that count beside the found ones in means, for knowledge bases of few texts. */
const ASSUMED_TEXTS = 4;
/** Long texts and turns of a conversation are only in part about their subject, so they are not judged. */
const [MAX_QUESTION_CHARS, MAX_TEXT_CHARS] = [200, 400];
/** Texts that are as near to each other are versions of one statement. */
const [SAME_STATEMENT, NONE] = [0.55, new Float32Array()] as const;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Matches what a Chinese or Japanese question begins with, up to a particle or a frequent verb. */
const TOPIC =
  /^[\p{Script=Han}\p{Script=Katakana}]{2,6}?(?:さん|先生)?(?=[的のはがを有是住在对對喜家叫开開什几幾多])/u;
const UNSPACED_WORDS = /[\p{Script=Han}\p{Script=Katakana}]{2,}/gu;
const UNSPACED_THING = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,20}/gu;
const UNSPACED_PARTICLES = /名[前字]|[的是有在了吗嗎呢会會]/g;
const GERMAN_DETERMINER =
  /^(?:d(?:er|ie|as|en|em|es)|(?:[kms]?ein|dein|ihr|unser|welch|jed|dies|viel|all)(?:e[mnrs]?)?|[iv]?[om]m|zu[mr]|ins|was|wie)$/iu;
const SECOND_QUESTION =
  /(?<!\p{L})(?:(?:and|und|et|y|e|и|en|och|og)[\s,]{1,3}\p{L}|i (?:co|czy|gdzie|ile|jaki?|kiedy|kto|kogo)(?!\p{L}))|[,;?？，、].{0,3}\p{L}/iu;

/** Marks all passages as weak if the question seems to have no answer, and says which of its words are missing. */
export async function judgeAnswer<T extends OrderedPassage>(
  clues: QuestionClues,
  chosen: readonly T[],
  signal: AbortSignal,
): Promise<(T & Pick<PassageMatch, 'missing' | 'missingOf'>)[]> {
  const [first] = chosen;
  const replaced = chosen.find(({ supersededBy }) => supersededBy === first?.one.passage.of) ?? first;
  const isWeak = chosen.every(({ weak }) => weak);
  const nowhere = { by: isWeak ? -1 : 1, unsaid: { missing: clues.missing.written } };
  // A text without the name that the question asks about rarely answers, however near it is.
  const isSettled = !replaced || (isWeak && clues.missing.isNamed);
  const odds = isSettled ? nowhere : ((await estimateAnswer(clues, replaced.one, signal)) ?? nowhere);
  if (odds.by < 0)
    return chosen.map((one) => ({ ...one, weak: true, ...(odds.unsaid.missing.length > 0 && odds.unsaid) }));
  return chosen.map((one) => (one === first ? { ...one, weak: false } : one));
}

/** Returns how much nearer a passage is to a text than passages usually are, whatever their kind and language. */
function createCloseness({ found, near, vectorOf }: QuestionClues) {
  const vectors = found.flatMap(({ place }) => vectorOf(place) ?? []);
  return (vector: Float32Array): ((place: number) => number) => {
    const all = vectors.map((one) => dotProduct(one, vector)).sort((a, b) => a - b);
    // Of many passages, only the nearest are found. The farthest of them come near to what is usual.
    const usual = all.length < CANDIDATES_PER_LIST ? all : all.slice(0, Math.ceil(all.length / 4));
    const assumed = ASSUMED_TEXTS * (near?.scale?.unrelated ?? 0);
    const mean = usual.reduce((sum, one) => sum + one, assumed) / (usual.length + ASSUMED_TEXTS);
    return (place) => dotProduct(vectorOf(place) ?? vector, vector) - mean;
  };
}

/** Returns the log odds that a short text answers, by a logistic model, or undefined for other texts and questions. */
async function estimateAnswer(clues: QuestionClues, one: FoundPassage, signal: AbortSignal) {
  const { question, found, near, missing } = clues;
  const weights = near?.scale?.answer;
  if (isLong(one) || question.length > MAX_QUESTION_CHARS || SECOND_QUESTION.test(question.slice(0, -1)))
    return undefined;
  const matchers = found.map(createNameMatcher);
  const names = findNames(question, (name) => matchers.some((says) => says(name)));
  const isNamed = names.some(createNameMatcher(one));
  const attribute = removeNames(question, names);
  const asked = listWords(isNamed ? attribute : question);
  const unsaid = asked.filter((word) => !saysWord([one], word));
  const about = found.filter((_, at) => names.some((name) => matchers[at]?.(name)));
  const lacks = listWords(attribute).filter((word) => !saysWord(about, word));
  const nowhere =
    about.length > 0 ? { missing: lacks, missingOf: names.join(' ') } : { missing: missing.written };
  if (lacksAskedKind(question, textOf(one)) || lacksThing(question, names, one))
    return { by: -Infinity, unsaid: nowhere };
  const turns = found.filter(({ passage }) => isConversationTurn(passage.text));
  if (!weights || !clues.vectorOf(one.place) || turns.length > found.length / 2) return undefined;
  const closenessTo = createCloseness(clues);
  const toAsked = closenessTo(isNamed ? await near.embedPart(attribute, signal) : near.query);
  const features: Readonly<Record<string, number | boolean>> = {
    bias: 1,
    ...compareWithOthers(clues, one, toAsked),
    said: asked.length > 0 ? 1 - unsaid.length / asked.length : 1,
    missing: missing.share,
    otherNumber: missing.isOtherNumber === true,
    named: isNamed,
    otherNamed: !isNamed && names.length > 0,
    untimed: lacksTime(question, textOf(one)),
  };
  const by = Object.entries(features).reduce((sum, [name, it]) => sum + Number(it) * (weights[name] ?? 0), 0);
  return { by, unsaid: nowhere };
}

/** Returns how much the text stands out from the others, except other versions of its statement. */
function compareWithOthers(
  { found, vectorOf }: QuestionClues,
  { place: own }: FoundPassage,
  toAsked: (place: number) => number,
) {
  const others = found.map(({ place }) => place).filter((place) => place !== own && vectorOf(place));
  const likeness = (place: number) => dotProduct(vectorOf(own) ?? NONE, vectorOf(place) ?? NONE);
  const mean = (values: readonly number[]) => values.reduce((sum, it) => sum + it, 0) / (values.length || 1);
  const rivals = others.filter((place) => likeness(place) < SAME_STATEMENT).map(toAsked);
  return {
    near: toAsked(own),
    apart: toAsked(own) - Math.max(0, ...rivals),
    central: mean(others.map(likeness)),
  };
}

/** Returns true if the question is whether someone likes a thing that the text does not name. */
function lacksThing(question: string, names: readonly string[], one: FoundPassage): boolean {
  const thing = removeNames(findLikedThing(question) ?? '', names);
  const words = UNSPACED.test(thing) ? (thing.match(UNSPACED_THING) ?? []) : listWords(thing);
  const says = (word: string) => textOf(one).includes(word) || (word.length > 1 && saysWord([one], word));
  return words.length > 0 && !words.some(says);
}

const removeNames = (text: string, names: readonly string[]): string =>
  names.reduce((rest, name) => rest.replace(name, ' '), text).replace(/ ['’]s /, ' ');

const isLong = ({ passage: { text, page } }: FoundPassage): boolean =>
  text.length > MAX_TEXT_CHARS || page !== undefined;

/** Returns the names in a question. A German noun is one if no determiner is before it, an Arabic noun if it is last. */
function findNames(question: string, isSaid: (name: string) => boolean): string[] {
  if (UNSPACED.test(question)) return (TOPIC.exec(question) ?? []).filter(isSaid);
  const words = Array.from(question.matchAll(WORD), ({ 0: text, index }) => ({ text, index }));
  if (/\p{Script=Arabic}/u.test(question)) return listWords(words.at(-1)?.text ?? '').filter(isSaid);
  const named = words.filter(({ text }, at) => {
    const before = words[at - 1];
    if (!before || !NAME.test(text) || isNamedDay(text)) return false;
    if (!GERMAN.test(question)) return true;
    if (at > 1 && /^\p{Lu}/u.test(before.text)) return isSaid(`${before.text} ${text}`);
    return !GERMAN_DETERMINER.test(before.text);
  });
  return named.map(({ text }) => text).filter(isSaid);
}

const textOf = ({ passage: { title, text } }: FoundPassage): string => `${title}\n${text}`;

/** Matches a name and its forms, such as `Annas` and `Anny` for `Anna`. */
function createNameMatcher(one: FoundPassage): (name: string) => boolean {
  const folded = foldLetters(textOf(one).toLowerCase());
  const words = folded.match(WORD) ?? [];
  return (name) => {
    const asked = foldLetters(name.toLowerCase());
    if (asked.includes(' ') || UNSPACED.test(asked)) return folded.includes(asked);
    const stem = asked.length > 4 ? asked.slice(0, -1) : asked;
    return words.some((word) => word.startsWith(stem) && word.length <= asked.length + 2);
  };
}

function listWords(text: string): string[] {
  if (!UNSPACED.test(text))
    return (text.match(WORD) ?? []).filter((word) => meaningfulTerms(word, 0).length > 0);
  return dropQuestionWords(text).replace(UNSPACED_PARTICLES, ' ').match(UNSPACED_WORDS) ?? [];
}

/** Returns true if a text has a word or a form of it. Of a Chinese or Japanese word, a third of its pairs will do. */
function saysWord(passages: readonly FoundPassage[], word: string): boolean {
  if (!UNSPACED.test(word)) return createSpellingMatcher(passages.map(textOf), true)(word);
  const pairs = Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2));
  return passages.some(
    (one) => pairs.filter((pair) => textOf(one).includes(pair)).length * 3 >= pairs.length,
  );
}
