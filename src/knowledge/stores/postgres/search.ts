import { readFileSync } from 'node:fs';
import { STEMMED_LANGUAGES, toLanguageTerm } from '../../../lib/language/stemmers.ts';
import type { SqlValue } from '../../../storage/any-database.ts';
import { PLANNED_ONCE } from '../../../storage/postgres/ask.ts';
import { isSubjectless } from '../../ranking/missing-words.ts';
import { isPassageNumberSet, type PassageNumbers } from '../../ranking/passage-number-set.ts';
import type { QueryWord } from '../../ranking/search-words.ts';
import { dotProduct } from '../../ranking/smooth-by-neighbours.ts';
import type {
  CandidateRequest,
  EntryStore,
  FoundCandidates,
  PassageScore,
  WordSearchResult,
} from '../../store.ts';
import { IS_LIVE_ROW_SQL } from '../entries/rows.ts';
import type { StoreParts } from '../parts.ts';
import { computePassageKeyBase } from '../passages/indexed-passage.ts';
import { extractQuestionWords } from '../passages/lexical.ts';
import { type FoundRow, toFoundPassage } from '../passages/passage-reads.ts';
import type { PassageRun } from '../passages/passages.ts';
import type { TrashState } from '../trash/trashed-passages.ts';
import { packVector, unpackVector } from '../vectors/vector-bytes.ts';
import { hashOwnerWord } from './words.ts';

interface ScoredRow {
  /** JSON array with an `AboutWord` for each word of the query. */
  readonly words: string | null;
  readonly place: number;
  readonly score: number | null;
}

interface CandidateRow extends ScoredRow, FoundRow {
  readonly cosine: number | null;
  readonly vector: Uint8Array | null;
}

const NO_WORDS: WordSearchResult = { scored: [], allWords: 0, rare: new Map(), common: [], missing: [] };
const ATTEMPTS = 5;

export function createPostgresSearch(
  { db, trash }: Pick<StoreParts, 'db' | 'trash'>,
  graphFrom: number | undefined,
) {
  async function ask<Row extends ScoredRow>(
    owner: string,
    text: string,
    valuesFor: (state: TrashState, counters: readonly SqlValue[]) => readonly SqlValue[],
  ): Promise<{ readonly about: string; readonly rows: readonly Row[] } | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const state = (attempt === 0 ? trash.recallState(owner) : undefined) ?? (await trash.readState(owner));
      if (!state) return undefined;
      const { removals, restores } = state.row;
      const counters = attempt < ATTEMPTS - 1 ? [removals, restores] : [null, null];
      const all = await db.read((sql) => sql.all<Row>(text, ...valuesFor(state, counters)));
      const about = all.find(({ words }) => words !== null)?.words;
      if (about) return { about, rows: all.filter(({ words }) => words === null) };
    }
    return undefined;
  }

  return {
    async findByWords(owner, text, limit, within) {
      const words = extractQuestionWords(text, STEMMED_LANGUAGES);
      if (words.length === 0) return NO_WORDS;
      const found = await ask(owner, SEARCH_BY_WORDS_SQL, (state, counters) =>
        wordValues(state, counters, words, within, limit),
      );
      return found ? toLexical(found.about, words, found.rows) : NO_WORDS;
    },

    async findCandidates(owner, { text, most, within, near }) {
      const words = extractQuestionWords(text, STEMMED_LANGUAGES);
      const found = await ask<CandidateRow>(owner, FIND_CANDIDATES_SQL, (state, counters) => [
        ...wordValues(state, counters, words, within, most),
        ...nearValues(near),
        // Uses no vector index if few passages are searched, because the index might return none of them.
        graphFrom === undefined || (within && within.size < graphFrom) ? null : graphFrom,
      ]);
      if (!found) return { lexical: NO_WORDS, near: [], found: [], vectors: new Map() };
      return toCandidates(owner, found.rows, toLexical(found.about, words, found.rows), near);
    },
  } satisfies Partial<EntryStore> & Required<Pick<EntryStore, 'findCandidates'>>;
}

function wordValues(
  { row, trashed }: TrashState,
  counters: readonly SqlValue[],
  words: readonly QueryWord[],
  within: PassageNumbers | undefined,
  most: number,
): SqlValue[] {
  return [
    row.id,
    `{${words.flatMap(termsOf).map(({ term }) => hashOwnerWord(row.id, term))}}`,
    computePassageKeyBase(row.id),
    ...counters,
    trashed.length > 0 ? bitsOfRuns(trashed) : null,
    within ? bitsOf(within) : null,
    most,
    ...languageValues(row.id, words),
  ];
}

function termsOf({ word, inLanguages }: QueryWord): { readonly term: string; readonly language?: string }[] {
  return [{ term: word }, ...[...inLanguages].map(([language, term]) => ({ term, language }))];
}

function languageValues(owner: number, words: readonly QueryWord[]): SqlValue[] {
  const numberOf = (language: string) => String(hashOwnerWord(owner, toLanguageTerm(language)));
  const numbers = new Map(STEMMED_LANGUAGES.map((language) => [language, numberOf(language)]));
  const positions = words.flatMap((word, at) => termsOf(word).map(() => at + 1));
  const languages = words.flatMap(termsOf).map(({ language }) => numbers.get(language ?? '') ?? 'NULL');
  return [`{${positions}}`, `{${languages}}`];
}

function nearValues(near: CandidateRequest['near']): SqlValue[] {
  if (!near) return [null, null, null];
  const { model, vector } = near;
  return [model, packVector(vector, 'postgres'), vector.length];
}

function toLexical(about: string, words: readonly QueryWord[], rows: readonly ScoredRow[]): WordSearchResult {
  type AboutWord = readonly [
    rarity: number | null,
    isSought: boolean | null,
    places: number[] | null,
    isMissing: boolean | null,
  ];
  const rare = new Map<string, readonly number[]>();
  const common: string[] = [];
  const missing: string[] = [];
  let [allWords, unsaid] = [0, 0];
  for (const [at, [rarity, isSought, places, isMissing]] of (JSON.parse(about) as AboutWord[]).entries()) {
    const word = words[at]?.word;
    if (word === undefined) continue;
    if (!isSought) common.push(word);
    else allWords += rarity ?? 0;
    if (places) rare.set(word, places);
    if (isMissing) missing.push(word);
    if (isMissing && isSought && isSubjectless(word)) unsaid += rarity ?? 0;
  }
  const scored = rows.flatMap(({ place, score }): PassageScore[] =>
    score === null ? [] : [{ place, score }],
  );
  return { scored: scored.sort(byScore), allWords, unsaid, rare, common, missing };
}

function toCandidates(
  owner: string,
  rows: readonly CandidateRow[],
  lexical: WordSearchResult,
  near: CandidateRequest['near'],
): FoundCandidates {
  const vectors = new Map(
    rows.flatMap(({ place, vector }) => (vector ? [[place, unpackVector(vector, 'postgres')] as const] : [])),
  );
  const nearest = rows.flatMap(({ place, cosine }): PassageScore[] => {
    const vector = cosine === null ? undefined : vectors.get(place);
    return near && vector ? [{ place, score: dotProduct(near.vector, vector) }] : [];
  });
  return {
    lexical,
    near: nearest.sort(byScore),
    found: rows.map((row) => toFoundPassage(owner, row.place, row)),
    vectors,
  };
}

const byScore = (a: PassageScore, b: PassageScore) => b.score - a.score || b.place - a.place;

const runBits = new WeakMap<readonly PassageRun[], Uint8Array>();

/** Returns one bit per passage number, lowest bit first. The bit is 1 if a run contains the passage. */
function bitsOfRuns(runs: readonly PassageRun[]): Uint8Array {
  const known = runBits.get(runs);
  if (known) return known;
  const last = runs.at(-1);
  const bits = new Uint8Array(Math.ceil(((last?.first ?? 0) + (last?.passages ?? 0)) / 8));
  for (const { first, passages } of runs) {
    const end = first + passages;
    const [from, to] = [Math.min(end, Math.ceil(first / 8) * 8), Math.floor(end / 8) * 8];
    bits.fill(255, from / 8, Math.max(from, to) / 8);
    for (let place = first; place < from; place++) setBit(bits, place);
    for (let place = Math.max(from, to); place < end; place++) setBit(bits, place);
  }
  runBits.set(runs, bits);
  return bits;
}

function bitsOf(places: PassageNumbers): Uint8Array {
  if (isPassageNumberSet(places)) {
    const size = places.pages.find(Boolean)?.byteLength ?? 0;
    const bits = new Uint8Array(places.pages.length * size);
    for (const [at, page] of places.pages.entries()) {
      if (page) bits.set(new Uint8Array(page.buffer, page.byteOffset, page.byteLength), at * size);
    }
    return bits;
  }
  let last = -1;
  for (const place of places) last = Math.max(last, place);
  const bits = new Uint8Array(Math.floor(last / 8) + 1);
  for (const place of places) setBit(bits, place);
  return bits;
}

function setBit(bits: Uint8Array, place: number): void {
  bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
}

const PARAMETERS =
  'owner:bigint terms:bigint[] base:bigint removals:bigint restores:bigint trashed:bytea within:bytea most:bigint positions:integer[] languages:bigint[] model:text vector:halfvec dimensions:integer graph_from:bigint';
const CASTS = new Map(
  PARAMETERS.split(' ').map((parameter, at) => {
    const [name = '', type] = parameter.split(':');
    return [name, `CAST(?${at + 1} AS ${type})`];
  }),
);

/** The parts of the statements. Comments are left out, because they may contain quotes. */
const [OWN, NEAR, WORDS = '', BY_WORDS, CANDIDATES = ''] = readFileSync(
  new URL('./search.sql', import.meta.url),
  'utf8',
)
  .replace(/^--(?! part ).*\n/gm, '')
  .replace(/(?<!:):([a-z_]+)/g, (parameter, name) => CASTS.get(name) ?? parameter)
  .split(/^-- part .*\n/m)
  .slice(1);

const SEARCH_BY_WORDS_SQL = `${PLANNED_ONCE} WITH ${OWN}${WORDS.replace(':or_near', '')}${BY_WORDS}`;
const FIND_CANDIDATES_SQL = `${PLANNED_ONCE} WITH ${OWN}${NEAR}${WORDS.replace(':or_near', 'UNION SELECT place FROM near')},
  ${CANDIDATES.replace(':is_live', IS_LIVE_ROW_SQL)}`;
