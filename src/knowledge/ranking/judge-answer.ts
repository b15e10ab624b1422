import { foldLetters } from '../../lib/text/fold-letters.ts';
import { isNamedDay } from '../../lib/time/named-days.ts';
import { findDays } from '../../lib/time/written-date.ts';
import { isConversationTurn } from '../importing/conversation-turn.ts';
import type { FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';
import { CANDIDATES_PER_LIST } from './candidates.ts';
import { createSpellingMatcher, GERMAN, type MissingWords, meaningfulTerms, NAME } from './missing-words.ts';
import type { OrderedPassage } from './newest-first.ts';
import { findLongNumbers } from './numbers.ts';
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

/** Closeness alone decides on a question if no text has this share of its words. An answer is among the first passages. */
const [MOSTLY_MISSING, MAX_PLACE] = [0.5, 3];
/** Unrelated texts that count beside the found ones in means, for knowledge bases of few texts. */
const ASSUMED_TEXTS = 4;
/** Long texts and turns of a conversation are only in part about their subject, so they are not judged. */
const [MAX_QUESTION_CHARS, MAX_TEXT_CHARS, MAX_COMPARED] = [200, 400, 20];
/** Raises the threshold if texts about other subjects have a missing word, as texts about this one would. */
const SAID_OF_OTHERS = 0.08;
/** A text on mushrooms does not say if one likes olives, but one with a number says more if a number is asked. */
const [LIKING_BORDER, NUMBER_BORDER] = [1, -0.08];
const NUMBER_ASKED = /number|phone|nummer|telefon|n[uú]m[eé]ro|numer|номер|телефон|番号|号码|[電电][話话]/iu;
const ASKS_LIKING =
  /^\P{L}{0,3}(?:do|does|did|would) \S{1,30} (?:like|love|enjoy|eat|drink|hate|dislike|mind|prefer)(?!\p{L})/iu;
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Matches what a Chinese or Japanese question begins with, up to a particle or a frequent verb. */
const TOPIC =
  /^[\p{Script=Han}\p{Script=Katakana}]{2,6}?(?:さん|先生)?(?=[的のはがを有是住在对對喜家叫开開什几幾多])/u;
const UNSPACED_WORDS = /[\p{Script=Han}\p{Script=Katakana}]{2,}/gu;
const UNSPACED_PARTICLES = /名[前字]|[的是有在了吗嗎呢会會]/g;
const GERMAN_DETERMINER =
  /^(?:d(?:er|ie|as|en|em|es)|(?:[kms]?ein|dein|ihr|unser|welch|jed|dies|viel|all)(?:e[mnrs]?)?|[iv]?[om]m|zu[mr]|ins|was|wie)$/iu;
const SECOND_QUESTION = /(?<!\p{L})(?:and|und|et|y|e|i|и|en|och|og)[\s,]{1,3}\p{L}|[,;?？，、].{0,3}\p{L}/iu;

/** Marks all passages as weak if the question seems to have no answer, and says which of its words are missing. */
export async function judgeAnswer<T extends OrderedPassage>(
  clues: QuestionClues,
  chosen: readonly T[],
  signal: AbortSignal,
): Promise<(T & Pick<PassageMatch, 'missing' | 'missingOf'>)[]> {
  const { missing, near, question } = clues;
  const [answered = Infinity, unanswered = -Infinity] = near?.scale?.standsOut ?? [];
  const names = findNames(question, (name) => !name.includes(' '));
  // Nothing marks the names of a Chinese or Japanese question, or of the nouns of a German one.
  const isNameless = names.length === 0 || UNSPACED.test(question);
  const isAboutNone = isNameless || clues.found.every((one) => !names.some(createNameMatcher(one)));
  const best = isAboutNone && missing.share > 0 ? findStandingOut(clues) : undefined;
  const isAbsent = chosen.every(({ weak }) => weak);
  const isThingMissing = question.replace(/\P{L}{1,3}$/u, '').endsWith(missing.written.at(-1) ?? '?');
  const more = isThingMissing && ASKS_LIKING.test(question) ? LIKING_BORDER : 0;
  const isNumber = NUMBER_ASKED.test(question) && best && findLongNumbers(textOf(best.one)).length > 0;
  const least = answered + more + (isNumber ? NUMBER_BORDER : 0);
  if (best && isAbsent && isNameless && best.by >= least && !missing.isNamed && !missing.isOtherNumber) {
    const at = chosen.findIndex(({ one }) => one.place === best.one.place);
    if (at >= 0 && at < MAX_PLACE) return chosen.map((one, index) => ({ ...one, weak: index > at }));
  }
  const isUnlike = best && missing.share >= MOSTLY_MISSING && best.by < unanswered + more;
  const unsaid = isAbsent || isUnlike ? { missing: missing.written } : await findUnsaid(clues, signal);
  if (!unsaid) return [...chosen];
  return chosen.map((one) => ({ ...one, weak: true, ...(unsaid.missing.length > 0 && unsaid) }));
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

/** Finds the passage nearest to the question, and how much it stands out: an answer is nearer than other passages. */
function findStandingOut(clues: QuestionClues): { one: FoundPassage; by: number } | undefined {
  if (!clues.near) return undefined;
  const toQuestion = createCloseness(clues)(clues.near.query);
  const [first, second] = clues.found
    .flatMap((one) => (clues.vectorOf(one.place) ? [{ one, by: toQuestion(one.place) }] : []))
    .sort((a, b) => b.by - a.by);
  return first && { one: first.one, by: first.by + (first.by - (second ?? first).by) / 2 };
}

/** Finds what a question asks of its subject if no text about the subject has it, in words or in meaning. */
async function findUnsaid(clues: QuestionClues, signal: AbortSignal) {
  const { question, found, near } = clues;
  const least = near?.scale?.attribute;
  if (!near || least === undefined || question.length > MAX_QUESTION_CHARS) return undefined;
  if (SECOND_QUESTION.test(question.slice(0, -1)) || findDays(question).length > 0) return undefined;
  if (
    found.filter(({ passage }) => isConversationTurn(passage.text)).length > found.length / 2 ||
    findNames(question, () => true).length === 0
  )
    return undefined;
  const matchers = found.map(createNameMatcher);
  const names = findNames(question, (name) => matchers.some((says) => says(name)));
  const counts = matchers.map((says) => names.filter(says).length);
  const most = Math.max(1, ...counts);
  const about = found.filter((_, at) => counts[at] === most);
  if (about.length === 0 || about.some(isLong)) return undefined;
  const closenessTo = createCloseness(clues);
  const toQuestion = closenessTo(near.query);
  const nearest = about.toSorted((a, b) => toQuestion(b.place) - toQuestion(a.place)).slice(0, MAX_COMPARED);
  const attribute = names.reduce((rest, name) => rest.replace(name, ' '), question).replace(/ ['’]s /, ' ');
  const words = listWords(attribute);
  const lacks = nearest.map((one) => words.filter((word) => !saysWord([one], word)));
  if (lacks.some(({ length }) => length === 0)) return undefined;
  const toAttribute = closenessTo(await near.embedPart(attribute, signal));
  const by = Math.max(...nearest.map(({ place }) => toAttribute(place) + toQuestion(place) / 2));
  const missing = words.filter((word) => lacks.every((one) => one.includes(word)));
  const others = found.filter((one) => !about.includes(one));
  const border = least + (missing.some((word) => saysWord(others, word)) ? SAID_OF_OTHERS : 0);
  return by < border ? { missing, missingOf: names.join(' ') } : undefined;
}

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
