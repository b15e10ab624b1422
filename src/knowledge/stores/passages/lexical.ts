import { setImmediate } from 'node:timers/promises';
import { runInTimeSlices } from '../../../lib/concurrency/time-slices.ts';
import { STEMMED_LANGUAGES, toLanguageTerm } from '../../../lib/language/stemmers.ts';
import { type AnyDatabase, mapSteps, type Sql, type StepGenerator } from '../../../storage/any-database.ts';
import { isSubjectless } from '../../ranking/missing-words.ts';
import type { PassageNumbers } from '../../ranking/passage-number-set.ts';
import { extractQueryWords, type QueryWord } from '../../ranking/search-words.ts';
import type { PassageRange, PassageScore, WordSearchResult } from '../../store.ts';
import type { OwnerRow } from '../entries/owners.ts';
import { readNumberedPostings } from '../postgres/words.ts';
import { computePassageKeyBase } from './indexed-passage.ts';
import type { WordPostings } from './postings.ts';

/** Constant k1 of BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), with Lucene's idf. */
const K1 = 1.2;
/** Constant b of BM25. It is low, because passages have similar lengths. */
const B = 0.4;
export const MAX_QUERY_CHARS = 20_000;
const MAX_QUERY_WORDS = 64;
/** Maximum passages to read per word (10 ms). More frequent words are skipped if there are rarer words. */
const MAX_POSTINGS = 50_000;
/** A word in more than this share of all passages is ignored, if it is in at least MIN_POSTINGS passages. */
const COMMON_PART = 0.4;
const MIN_POSTINGS = 5000;
const MAX_ALL_POSTINGS = 400_000;
const TURN_MS = 8;
/** A rare word is in at most this many runs of adjacent passages. Passages of one title are one run. */
const MAX_RARE_STRETCHES = 3;
const COMMA = 44;
const ZERO = 48;

export interface LexicalQuery {
  readonly text: string;
  readonly limit: number;
  readonly within: PassageNumbers | undefined;
}

/** Passages with a word. Key: `passage number << 8 | words in the passage`. `times`: the word's counts. */
interface Occurrences {
  readonly keys: readonly number[];
  readonly times: readonly number[];
}

interface Scores {
  readonly of: Float64Array;
  readonly places: number[];
  readonly rare: Map<string, readonly number[]>;
  readonly missing: string[];
}

export interface HiddenPassages {
  /** One byte per passage number: 1 if the passage is hidden, else 0. */
  readonly at: Uint8Array;
  readonly count: number;
  readonly from: number;
}

/** Marks runs of passages as hidden. `next` is greater than all passage numbers. */
export function markHiddenPassages(
  next: number,
  stretches: readonly PassageRange[],
): HiddenPassages | undefined {
  if (stretches.length === 0) return undefined;
  const at = new Uint8Array(next);
  for (const { first, passages } of stretches) at.fill(1, first, first + passages);
  const count = stretches.reduce((sum, { passages }) => sum + passages, 0);
  return { at, count, from: Math.max(1, at.indexOf(0, 1)) };
}

/** Ranks an owner's passages by BM25. FTS5's bm25() counts the passages of all owners and takes five times as long. */
export async function searchLexically(
  db: AnyDatabase,
  owner: OwnerRow,
  { text, limit, within }: LexicalQuery,
  hidden?: HiddenPassages,
): Promise<WordSearchResult> {
  const languages = await db.read((sql) => listLanguages(sql, owner.id));
  const words = extractQuestionWords(text, languages);
  const all = await readAllPostings(db, owner, words, hidden);
  const specific = all.filter(({ full }) => !full);
  const sought = specific.some(({ list }) => list !== '') ? specific : all;
  const scores: Scores = { of: new Float64Array(owner.next), places: [], rare: new Map(), missing: [] };
  let [allWords, unsaid] = [0, 0];
  function* steps() {
    for (const { word, list, full } of sought) {
      const occurrences = parsePostings(list, hidden?.at);
      const { rarity, passages } = addScores(scores, word, occurrences, owner, within);
      allWords += rarity;
      if (passages === 0 && !full && isSubjectless(word)) unsaid += rarity;
      // `full` means that the list was cut off, so further passages may contain the word.
      if (passages === 0 && !full) scores.missing.push(word);
      yield;
    }
  }
  await runInTimeSlices(steps());
  const common = all.filter((one) => !sought.includes(one)).map(({ word }) => word);
  return {
    scored: best(scores, limit),
    allWords,
    unsaid,
    rare: scores.rare,
    common,
    missing: scores.missing,
  };
}

export function extractQuestionWords(text: string, languages: readonly string[]): QueryWord[] {
  return extractQueryWords(text.slice(0, MAX_QUERY_CHARS), languages, MAX_QUERY_WORDS);
}

function* listLanguages(sql: Sql, owner: number): StepGenerator<string[]> {
  const found = yield* mapSteps(STEMMED_LANGUAGES, function* (language): StepGenerator<string[]> {
    const term = `${owner}_${toLanguageTerm(language)}`;
    const row = yield* sql.get`SELECT 1 AS found FROM kb_postings WHERE term = ${term} LIMIT 1`;
    return row ? [language] : [];
  });
  return found.flat();
}

async function readAllPostings(
  db: AnyDatabase,
  owner: OwnerRow,
  words: readonly QueryWord[],
  { count, from }: Omit<HiddenPassages, 'at'> = { count: 0, from: 1 },
): Promise<WordPostings[]> {
  const most = Math.min(MAX_POSTINGS, Math.max(MIN_POSTINGS, Math.ceil(owner.searched * COMMON_PART)));
  const limitOf = (left: number, others: number) => {
    const share = Math.max(MIN_POSTINGS, Math.min(most, Math.floor(left / others)));
    return Math.min(share + count - (from - 1), 2 * MAX_POSTINGS);
  };
  const all: WordPostings[] = [];
  let left = MAX_ALL_POSTINGS;
  let begun = performance.now();
  for (const [at, word] of words.entries()) {
    const limit = limitOf(left, words.length - at);
    const one = await db.read((sql) => readWordPostings(sql, owner.id, word, from, limit));
    all.push(one);
    if (!one.full) left -= one.times;
    if (performance.now() - begun < TURN_MS) continue;
    await setImmediate();
    begun = performance.now();
  }
  return all;
}

function* readWordPostings(
  sql: Sql,
  owner: number,
  { word, inLanguages }: QueryWord,
  from: number,
  most: number,
): StepGenerator<WordPostings> {
  const own = yield* readPostings(sql, owner, word, from, most);
  const others = yield* mapSteps([...inLanguages.values()], (root) =>
    readPostings(sql, owner, root, from, most),
  );
  const lists = [own, ...others].filter(({ list }) => list !== '');
  if (lists.length < 2) return { ...(lists[0] ?? own), word };
  const times = lists.reduce((sum, one) => sum + one.times, 0);
  return { word, list: mergeLists(lists.map(({ list }) => list)), times, full: times >= most };
}

function mergeLists(lists: readonly string[]): string {
  return lists
    .flatMap((list) => list.split(','))
    .map(Number)
    .sort((a, b) => a - b)
    .join(',');
}

/** Reads which passages from number `from` on have each word. Must run inside a database step. */
export function* readEachPostings(
  sql: Sql,
  owner: number,
  words: readonly string[],
  from: number,
  most: number,
): StepGenerator<WordPostings[]> {
  if (sql.dialect === 'postgres') return yield* readNumberedPostings(sql, owner, words, from, most);
  return yield* mapSteps(words, (word) => readPostings(sql, owner, word, from, most));
}

function* readPostings(sql: Sql, owner: number, word: string, from: number, most: number) {
  const base = computePassageKeyBase(owner);
  const row = yield* sql.get<{ list: string | null; times: number }>`SELECT
    group_concat(doc - (${base} << 8)) AS list, count(*) AS times
    FROM (SELECT doc FROM kb_postings WHERE term = ${`${owner}_${word}`} AND doc >= (${base + from} << 8)
      LIMIT ${most})`;
  const times = row?.times ?? 0;
  return { word, list: row?.list ?? '', times, full: times >= most };
}

/** Parses digit by digit, because splitting and converting takes three times as long. */
function parsePostings(list: string, hidden: Uint8Array | undefined): Occurrences {
  const keys: number[] = [];
  const times: number[] = [];
  let last = -1;
  for (let at = 0, value = 0; list !== '' && at <= list.length; at++) {
    const code = at === list.length ? COMMA : list.charCodeAt(at);
    if (code !== COMMA) {
      value = value * 10 + code - ZERO;
      continue;
    }
    if (value === last) times[times.length - 1] = (times.at(-1) ?? 0) + 1;
    else if (hidden?.[Math.floor(value / 256)] !== 1) {
      keys.push(value);
      times.push(1);
      last = value;
    }
    value = 0;
  }
  return { keys, times };
}

function addScores(
  scores: Scores,
  word: string,
  { keys, times }: Occurrences,
  owner: OwnerRow,
  within: PassageNumbers | undefined,
): { readonly rarity: number; readonly passages: number } {
  const mean = owner.words / Math.max(owner.searched, 1) || 1;
  const rarity = Math.log(1 + Math.max(owner.searched - keys.length + 0.5, 0) / (keys.length + 0.5));
  const here: number[] = [];
  let stretches = 0;
  for (const [i, key] of keys.entries()) {
    const place = Math.floor(key / 256);
    if (within && !within.has(place)) continue;
    if (here.at(-1) !== place - 1) stretches++;
    here.push(place);
    const count = times[i] ?? 0;
    const score = (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * (key % 256)) / mean));
    const before = scores.of[place] ?? 0;
    if (before === 0) scores.places.push(place);
    scores.of[place] = before + score;
  }
  if (stretches > 0 && stretches <= MAX_RARE_STRETCHES) scores.rare.set(word, here);
  return { rarity, passages: here.length };
}

function best({ of, places }: Scores, limit: number): PassageScore[] {
  const byScore = (a: PassageScore, b: PassageScore) => b.score - a.score || b.place - a.place;
  let kept: PassageScore[] = [];
  let bar = 0;
  for (const place of places) {
    const score = of[place] ?? 0;
    if (score <= bar) continue;
    kept.push({ place, score });
    if (kept.length < limit * 4) continue;
    kept = kept.sort(byScore).slice(0, limit);
    bar = kept.at(-1)?.score ?? 0;
  }
  return kept.sort(byScore).slice(0, limit);
}
