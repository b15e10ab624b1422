import { detectNonEnglish } from '../../lib/language/detect-language.ts';
import { addNamedDays, replaceNamedDays } from '../../lib/time/named-days.ts';
import { findNamedTime, localDay } from '../../lib/time/time-words.ts';
import { findDays, findDaysNear } from '../../lib/time/written-date.ts';
import { findTurnsOfNamedSpeakers, isConversationTurn } from '../importing/conversation-turn.ts';
import type { EntryStore, FoundPassage } from '../store.ts';
import type { PassageMatch } from '../types.ts';
import { CANDIDATES_PER_LIST, createCandidateSearch, type RankedQuery } from './candidates.ts';
import { isCodePassage } from './code-passage.ts';
import { asksWhat, asksWhoOrWhere, isDenial } from './denial.ts';
import { judgeAnswer } from './judge-answer.ts';
import { asksOnlyForDay, findMissingWords, findNames } from './missing-words.ts';
import { type OrderedPassage, raiseLatestEvent, raiseNewerContradiction } from './newest-first.ts';
import { findLongNumbers } from './numbers.ts';
import {
  type FindWords,
  findGeneralWords,
  levelTitleScores,
  passagesWithAllWords,
  raiseByCommonWords,
  raiseByLikeWords,
  rareWordsByPassage,
} from './query-words.ts';
import { type PassageFacts, rank } from './rank.ts';
import { createWordMatcher } from './search-words.ts';
import { MAX_QUESTION_CHARS, type VectorSearch } from './vector-search.ts';

export type ChosenPassage = OrderedPassage & Pick<PassageMatch, 'missing' | 'missingOf'>;

interface CandidatePassage extends ChosenPassage {
  readonly unembedded: boolean;
}

const MAX_PER_ENTRY = 2;
/** Maximum passages of one file among ten matches. More are returned only if other passages score too low. */
const MAX_PER_FILE = 3;
/** Maximum passages of one page among the matches, while there are passages of other pages. */
const MAX_PER_PAGE = 2;
/** A passage with this share of the best score comes before a file's passages beyond MAX_PER_FILE. */
const FITTING_PART = 0.5;
const KNOWN_SHARE = 0.5;
const UNEMBEDDED_PLACES = 2;
/** Number of best passages of the word search, and of the vector search, to check for other spellings. */
const READ_FOR_SPELLINGS = 25;

export function createRankedSearch(store: EntryStore, vectors: VectorSearch) {
  const search = createCandidateSearch(store, vectors);
  return async (owner: string, given: RankedQuery, signal: AbortSignal): Promise<ChosenPassage[]> => {
    const query = { ...given, text: addNamedDays(given.text) };
    const { lexical: byWords, dense, near, found, vectorOf } = await search(owner, query, signal);
    const asked = query.text.slice(0, MAX_QUESTION_CHARS);
    const findWords = rememberTexts(createWordMatcher(asked));
    const general = findGeneralWords(found, findWords);
    const read = [...byWords.scored.slice(0, READ_FOR_SPELLINGS), ...dense.slice(0, READ_FOR_SPELLINGS)];
    const nearest = [...new Set(read.flatMap(({ place }) => found.get(place) ?? []))];
    const missing = findMissingWords(
      replaceNamedDays(given.text.slice(0, MAX_QUESTION_CHARS), ''),
      byWords.missing,
      nearest.map(({ passage }) => passage.text),
    );
    const all = raiseByLikeWords(asked, byWords, nearest, missing.alike);
    const raised = raiseByCommonWords(all, found, findWords);
    const lexical = levelTitleScores(asked, raised, found, findWords, general);
    const about = describePassages(query, lexical, found, { findWords, general, names: findNames(asked) });
    const order = rank({
      lexical: lexical.scored,
      allWords: lexical.allWords,
      unsaid: lexical.unsaid,
      missing,
      dense,
      query: near?.query,
      scale: near?.scale,
      vectorOf,
      about,
      recency: query.recency !== undefined ? { days: query.recency, now: query.asOf } : undefined,
      topK: CANDIDATES_PER_LIST,
    });
    const candidates = order.flatMap(({ place, score, ...about }): CandidatePassage[] => {
      const one = found.get(place);
      if (!one || one.passage.text === '') return [];
      return [{ one, score: Math.min(1, Math.max(0, score)), ...about }];
    });
    const newest = raiseLatestEvent(candidates, asked, findWords);
    const current = lowerEnded(raiseNewerContradiction(newest), query.asOf);
    const chosen = spread(current, query.topK);
    if (chosen.some(({ one }) => about(one.place)?.day === 'named')) return chosen;
    const clues = { question: asked.trim(), found: [...found.values()], near, vectorOf, missing };
    return judgeAnswer(clues, chosen, signal);
  };
}

export function hasEnded({ validUntil }: Pick<FoundPassage, 'validUntil'>, asOf: number): boolean {
  return validUntil !== undefined && validUntil < asOf;
}

/** Marks texts that no longer hold at the asked time, and halves their scores. */
function lowerEnded<T extends OrderedPassage>(candidates: readonly T[], asOf: number): readonly T[] {
  const isEnded = ({ one }: T) => hasEnded(one, asOf);
  if (!candidates.some(isEnded)) return candidates;
  return candidates
    .map((one) => (isEnded(one) ? { ...one, score: one.score / 2, ended: true } : one))
    .sort((a, b) => b.score - a.score);
}

interface QueryWordFacts {
  readonly findWords: FindWords;
  readonly general: ReturnType<typeof findGeneralWords>;
  readonly names: ReadonlySet<string>;
}

/** Keeps what was found in each text, because a search asks for the words of a passage several times. */
function rememberTexts(findWords: FindWords): FindWords {
  const known = new Map<string, Set<string>>();
  return (text) => {
    const words = known.get(text) ?? findWords(text);
    known.set(text, words);
    return words;
  };
}

function describePassages(
  { text, asOf }: RankedQuery,
  lexical: Parameters<typeof rareWordsByPassage>[0],
  found: ReadonlyMap<number, FoundPassage>,
  words: QueryWordFacts,
): (place: number) => PassageFacts | undefined {
  const rare = rareWordsByPassage(lexical, found);
  const complete = passagesWithAllWords(text.slice(0, MAX_QUESTION_CHARS), lexical, found, words.findWords);
  const all = [...found.values()];
  const asked = findTurnsOfNamedSpeakers(
    text.slice(0, MAX_QUESTION_CHARS),
    all.map(({ passage }) => passage.text),
  );
  const language = detectNonEnglish(text);
  const denial = asksWhoOrWhere(text) || (asksWhat(text) && ('perhaps' as const));
  const dayOf = createDayJudge(text.slice(0, MAX_QUESTION_CHARS), asOf / 1000);
  const shares = new Map(lexical.scored.map(({ place, score }) => [place, score / (lexical.allWords || 1)]));
  const about = new Map(
    all.map((one, at): [number, PassageFacts] => {
      const { place, passage } = one;
      const its = detectNonEnglish(passage.text);
      const foreign = (shares.get(place) ?? 0) < KNOWN_SHARE && its !== language;
      const otherScript = foreign && (its === 'certain') !== (language === 'certain');
      const said = foreign ? undefined : rare.get(place);
      const shown = aboutOf(one, said, complete.has(place), words);
      const [denies, day] = [denial && isDenial(passage.text) && denial, dayOf(one)];
      const isCode = isCodePassage(passage.text);
      return [place, { ...shown, asked: asked.has(at), foreign, otherScript, denies, day, isCode }];
    }),
  );
  return (place) => about.get(place);
}

function createDayJudge(question: string, now: number): (one: FoundPassage) => PassageFacts['day'] {
  const [days, numbers] = [findDaysNear(question, localDay(now)), findLongNumbers(question)];
  const { since = 0, until = 0 } = findNamedTime(question, now)?.span ?? {};
  if (days.length + numbers.length + until === 0) return () => undefined;
  const writtenThen = asksOnlyForDay(question) ? 'named' : 'written';
  return ({ passage: { title, text }, createdAt }) => {
    const whole = `${title}\n${text}`;
    if (days.length > 0 && findDays(whole).some((day) => days.includes(day))) return 'named';
    if (numbers.length > 0 && findLongNumbers(whole).some((one) => numbers.includes(one))) return 'named';
    const writtenAt = createdAt / 1000;
    if (days.includes(localDay(writtenAt))) return writtenThen;
    return since <= writtenAt && writtenAt < until ? 'written' : undefined;
  };
}

function aboutOf(
  { passage: { of, text, title }, createdAt }: FoundPassage,
  rare: readonly string[] | undefined,
  all: boolean,
  { findWords, general, names }: QueryWordFacts,
): PassageFacts {
  const says = rare && findWords(text);
  const named = rare && new Set([...findWords(title), ...(general.get(of) ?? [])]);
  const said = all || rare?.some((word) => says?.has(word) && !named?.has(word)) ? 'said' : 'titled';
  const isOfNamedSource =
    general.has(of) && names.size > 0 && [...findWords(title)].some((word) => names.has(word));
  return {
    entry: of,
    createdAt,
    turn: isConversationTurn(text),
    rare: rare || all ? said : undefined,
    isOfNamedSource,
  };
}

function spread(candidates: readonly CandidatePassage[], topK: number): ChosenPassage[] {
  const taken = new Set(withoutCrowds(candidates, topK).slice(0, topK));
  for (const one of candidates) if (taken.size < topK) taken.add(one);
  seatUnembedded(candidates, taken);
  return candidates.filter((one) => taken.has(one)).map(({ unembedded: _, ...chosen }) => chosen);
}

function withoutCrowds(candidates: readonly CandidatePassage[], topK: number): CandidatePassage[] {
  const there = new Map<string, number[]>();
  const perFile = Math.ceil((MAX_PER_FILE * topK) / 10);
  const leading = new Set<CandidatePassage>();
  const onPages = new Map<string, number>();
  const repeated = new Set<CandidatePassage>();
  for (const candidate of candidates) {
    const { of, ordinal, page = '' } = candidate.one.passage;
    const onPage = onPages.get(`${page} ${of}`) ?? 0;
    onPages.set(`${page} ${of}`, onPage + 1);
    if (isOfFile(candidate) && onPage >= MAX_PER_PAGE) repeated.add(candidate);
    const ordinals = there.get(of) ?? [];
    // Skips a passage next to a chosen one: it is similar, and the option `neighbours` returns it anyway.
    const fits = isOfFile(candidate)
      ? ordinals.length < perFile && onPage === 0
      : ordinals.length < MAX_PER_ENTRY && !ordinals.some((one) => Math.abs(one - ordinal) <= 1);
    if (!fits) continue;
    there.set(of, [...ordinals, ordinal]);
    leading.add(candidate);
  }
  const crowd = new Set(candidates.filter((one) => isOfFile(one) && !leading.has(one)));
  if (crowd.size === 0) return [...leading];
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0);
  const fits = ({ weak, score }: CandidatePassage) => !weak && score >= best * FITTING_PART;
  const late = (one: CandidatePassage) => crowd.has(one) || (leading.has(one) && !fits(one));
  const others = candidates.filter(late);
  return [...leading]
    .filter(fits)
    .concat(others.filter((one) => !repeated.has(one)))
    .concat(others.filter((one) => repeated.has(one)));
}

const isOfFile = ({ one: { passage } }: CandidatePassage): boolean => passage.page !== undefined;

/** Reserves the last results for passages without a vector, whose scores are not comparable with others. */
function seatUnembedded(candidates: readonly CandidatePassage[], taken: Set<CandidatePassage>): void {
  let places = UNEMBEDDED_PLACES;
  for (const one of taken) if (one.unembedded) places--;
  const last = candidates.filter((one) => taken.has(one) && !one.unembedded).slice(1);
  for (const one of candidates) {
    if (places <= 0 || last.length === 0) return;
    if (!one.unembedded || taken.has(one)) continue;
    const gone = last.pop();
    if (gone) taken.delete(gone);
    taken.add(one);
    places--;
  }
}
