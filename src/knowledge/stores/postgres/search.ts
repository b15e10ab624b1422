import { STEMMED_LANGUAGES, toLanguageTerm } from '../../../lib/language/stemmers.ts';
import type { AnyDatabase, SqlValue } from '../../../storage/any-database.ts';
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
      const all = await readAll<Row>(db, text, valuesFor(state, counters));
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

function readAll<Row>(db: AnyDatabase, text: string, values: readonly SqlValue[]): Promise<Row[]> {
  return db.read((sql) => sql.all<Row>(text, ...values));
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

/**
 * Parameters of the statements. BASE is the key of passage 0. MOST is the maximum length of each list. TRASHED
 * and WITHIN have a bit per passage. REMOVALS and RESTORES are the owner's counters when TRASHED was read.
 * POSITIONS and LANGUAGES have the query word and the language of each of TERMS. Unused parameters are NULL.
 */
export const [
  OWNER,
  TERMS,
  BASE,
  REMOVALS,
  RESTORES,
  TRASHED,
  WITHIN,
  MOST,
  POSITIONS,
  LANGUAGES,
  MODEL,
  VECTOR,
  DIMENSIONS,
  GRAPH_FROM,
] = [
  'CAST(?1 AS bigint)',
  'CAST(?2 AS bigint[])',
  'CAST(?3 AS bigint)',
  'CAST(?4 AS bigint)',
  'CAST(?5 AS bigint)',
  'CAST(?6 AS bytea)',
  'CAST(?7 AS bytea)',
  'CAST(?8 AS bigint)',
  'CAST(?9 AS integer[])',
  'CAST(?10 AS bigint[])',
  'CAST(?11 AS text)',
  'CAST(?12 AS halfvec)',
  'CAST(?13 AS integer)',
  'CAST(?14 AS bigint)',
];

const [K1, B] = ["float8 '1.2'", "float8 '0.4'"];
const MAX_POSTINGS = 50_000;
const MIN_POSTINGS = 5000;
const MAX_ALL_POSTINGS = 400_000;
const COMMON_PART = '0.4';
const SAMPLED = 5000;
const ENOUGH = 1000;
const MAX_RARE_STRETCHES = 3;
/** If a word is in more passages than this, its runs of passages are not counted. */
const MAX_RARE_PASSAGES = 2000;

const isSet = (bits: string, place: string) =>
  `(${place} < 8 * octet_length(${bits}) AND get_bit(${bits}, ${place}) = 1)`;
const isWithin = (place: string) => `(${WITHIN} IS NULL OR ${isSet(WITHIN, place)})`;
const isVisible = (place: string) => `(${TRASHED} IS NULL OR NOT ${isSet(TRASHED, place)})
  AND ((SELECT stretches FROM hidden) IS NULL OR NOT (SELECT stretches FROM hidden) @> ${place})`;

const OWN = `
  own AS MATERIALIZED (
    SELECT CAST(searched AS float8) AS searched, coalesce(nullif(words / greatest(searched, 1.0), 0), 1)::float8 AS mean,
      least(greatest(${MIN_POSTINGS}, ceil(searched * ${COMMON_PART})), ${MAX_POSTINGS},
        greatest(${MIN_POSTINGS}, ${MAX_ALL_POSTINGS} / greatest((SELECT max(at) FROM unnest(${POSITIONS}) AS at), 1)))::bigint AS most,
      next::float8 AS next
    FROM kb_owners WHERE id = ${OWNER} AND (${REMOVALS} IS NULL OR removals = ${REMOVALS} AND restores = ${RESTORES})
  ),
  hidden AS MATERIALIZED (
    SELECT range_agg(int8range(first, first + passages)) AS stretches FROM kb_entries
    WHERE owner = ${OWNER} AND file IN ('', ' ')
  )`;

const postingsOf = (term: string, most: string) => `
      SELECT id - ${BASE} AS place, length, times[array_position(terms, ${term})] AS n FROM kb_words
      WHERE owner = ${OWNER} AND terms @> ARRAY[${term}] AND ${isVisible(`(id - ${BASE})`)}
      LIMIT ${most}`;
const scoreOf = (n: string, length: string) =>
  `w.rarity * ${n} * (${K1} + 1) / (${n} + ${K1} * (1 - ${B} + ${B} * ${length} / own.mean))`;

const words = (near: string) => `
  spoken AS MATERIALIZED (
    SELECT l.language FROM (SELECT DISTINCT language FROM unnest(${LANGUAGES}) AS all_languages (language)) AS l
    WHERE EXISTS (SELECT 1 FROM kb_words k WHERE k.owner = ${OWNER} AND k.terms @> ARRAY[l.language])
  ),
  terms AS MATERIALIZED (
    SELECT t.term, t.at, t.nth FROM unnest(${TERMS}, ${POSITIONS}, ${LANGUAGES}) WITH ORDINALITY AS t (term, at, language, nth)
    WHERE t.language IS NULL OR t.language IN (SELECT language FROM spoken)
  ),
  hits AS MATERIALIZED (
    SELECT t.nth, t.at, w.place, w.length, w.n FROM terms t, LATERAL (
      ${postingsOf('t.term', `(SELECT least(most, ${SAMPLED}) FROM own)`)}
    ) AS w WHERE EXISTS (SELECT 1 FROM own)
  ),
  seen AS MATERIALIZED (
    SELECT t.at, coalesce(f.passages, 0) AS passages, coalesce(f.n, 0) AS n, coalesce(f.passages, 0) >= least(own.most, ${SAMPLED}) AS is_part,
      least(own.searched, f.passages * own.next / f.reach) AS guessed
    FROM own, terms t
    LEFT JOIN (SELECT nth, count(*) AS passages, sum(n) AS n, max(place) + 1 AS reach FROM hits GROUP BY nth) AS f ON f.nth = t.nth
  ),
  counted AS MATERIALIZED (
    SELECT s.at, bool_or(s.is_part) AS is_part,
      sum(CASE WHEN s.is_part THEN greatest(s.guessed, s.passages) ELSE s.passages END) AS passages,
      sum(CASE WHEN s.is_part THEN greatest(s.guessed / s.passages, 1) * s.n ELSE s.n END) >= min(own.most) AS is_common
    FROM seen s, own GROUP BY s.at
  ),
  weighed AS MATERIALIZED (
    SELECT at, passages, is_part, ln(1 + greatest(own.searched - passages + 0.5, 0) / (passages + float8 '0.5')) AS rarity,
      NOT is_common OR NOT EXISTS (SELECT 1 FROM counted WHERE NOT is_common AND passages > 0) AS is_sought
    FROM counted, own
  ),
  words AS MATERIALIZED (
    SELECT at, passages, is_part, rarity, is_sought, is_sought AND (NOT is_part OR coalesce(
      sum(passages) FILTER (WHERE is_sought) OVER (ORDER BY passages, at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < ${ENOUGH}) AS leads
    FROM weighed
  ),
  led AS MATERIALIZED (
    SELECT h.at, h.place, h.length, h.n FROM hits h JOIN words w ON w.at = h.at AND w.leads AND NOT w.is_part
    UNION ALL
    SELECT w.at, p.place, p.length, p.n FROM words w JOIN terms t ON t.at = w.at, LATERAL (
      ${postingsOf('t.term', '(SELECT most FROM own)')}
    ) AS p WHERE w.leads AND w.is_part
  ),
  sums_led AS MATERIALIZED (
    SELECT h.place, sum(${scoreOf('h.n', 'h.length')} ORDER BY h.at) AS score
    FROM led h JOIN words w ON w.at = h.at, own
    WHERE ${isWithin('h.place')} GROUP BY h.place
  ),
  front AS MATERIALIZED (
    SELECT place FROM (SELECT place FROM sums_led WHERE EXISTS (SELECT 1 FROM words WHERE is_sought AND NOT leads)
      ORDER BY score DESC, place DESC LIMIT greatest(${ENOUGH}, ${MOST})) AS top
    ${near}
  ),
  sums AS MATERIALIZED (
    SELECT place, sum(score) AS score FROM (
      SELECT place, score FROM sums_led
      UNION ALL
      SELECT l.place, ${scoreOf('p.n', 'p.length')} FROM words w JOIN terms t ON t.at = w.at, own, front l, LATERAL (
        SELECT length, times[array_position(k.terms, t.term)] AS n FROM kb_words k
        WHERE k.owner = ${OWNER} AND k.id = ${BASE} + l.place
      ) AS p WHERE w.is_sought AND NOT w.leads AND p.n IS NOT NULL
    ) AS parts GROUP BY place
  ),
  best AS MATERIALIZED (SELECT place, score FROM sums ORDER BY score DESC, place DESC LIMIT ${MOST}),
  rare AS (
    SELECT at, array_agg(place ORDER BY place) AS places
    FROM (
      SELECT h.at, h.place, coalesce(h.place - lag(h.place) OVER (PARTITION BY h.at ORDER BY h.place), 2) > 1 AS is_first
      FROM hits h JOIN words w ON w.at = h.at AND w.is_sought AND w.passages <= ${MAX_RARE_PASSAGES} AND NOT w.is_part
      WHERE ${isWithin('h.place')}
    ) AS runs
    GROUP BY at HAVING count(*) FILTER (WHERE is_first) <= ${MAX_RARE_STRETCHES}
  ),
  missing AS (
    SELECT at FROM words WHERE is_sought AND NOT is_part
      AND (at IN (SELECT at FROM hits WHERE ${isWithin('place')})) IS NOT TRUE
  ),
  about AS (
    SELECT CAST(json_agg(json_build_array(w.rarity, w.is_sought, r.places, w.at = m.at) ORDER BY w.at) AS text) AS words
    FROM own LEFT JOIN words w ON true LEFT JOIN rare r ON r.at = w.at LEFT JOIN missing m ON m.at = w.at GROUP BY own.searched
  )`;

const NEAR = `
  model AS MATERIALIZED (SELECT (id << 55) | ${BASE} AS first FROM kb_models WHERE name = ${MODEL}),
  compared AS (
    SELECT id - (SELECT first FROM model) AS place, CAST(-(vector <#> ${VECTOR}) AS float8) AS score FROM kb_halfvecs
    WHERE owner = ${OWNER} AND id >= (SELECT first FROM model) AND id < (SELECT first FROM model) + (CAST(1 AS bigint) << 31)
      AND vector_dims(vector) = ${DIMENSIONS} AND EXISTS (SELECT 1 FROM own WHERE (searched >= ${GRAPH_FROM}) IS NOT TRUE)
      AND ${isVisible('(id - (SELECT first FROM model))')} AND ${isWithin('(id - (SELECT first FROM model))')}
    ORDER BY vector <#> ${VECTOR}, id DESC LIMIT ${MOST}
  ),
  near AS MATERIALIZED (
    SELECT place, score FROM compared
    UNION ALL
    SELECT n.place, n.score FROM own, model, hidden,
      kb_near(${OWNER}, model.first, ${DIMENSIONS}, ${VECTOR}, ${TRASHED}, ${WITHIN}, hidden.stretches, ${MOST}) AS n
    WHERE own.searched >= ${GRAPH_FROM}
  )`;

const SEARCH_BY_WORDS_SQL = `${PLANNED_ONCE}
  WITH ${OWN}, ${words('')}
  SELECT about.words, NULL AS place, NULL AS score FROM about
  UNION ALL (SELECT NULL, place, score FROM best ORDER BY score DESC, place DESC)`;

/** SQL that finds the best passages by words and vectors. `IS TRUE` makes the planner use a hash table. */
const FIND_CANDIDATES_SQL = `${PLANNED_ONCE}
  WITH ${OWN}, ${NEAR}, ${words('UNION SELECT place FROM near')},
  found AS MATERIALIZED (SELECT place FROM best UNION SELECT place FROM near),
  scored AS MATERIALIZED (SELECT place, score FROM sums WHERE (place IN (SELECT place FROM found)) IS TRUE)
  SELECT about.words, NULL AS place, NULL AS score, NULL AS cosine, NULL AS vector, NULL AS at, NULL AS updated, NULL AS ordinal, NULL AS page,
    NULL AS heading, NULL AS text, NULL AS source, NULL AS tags, NULL AS file, NULL AS collection, NULL AS own_key, NULL AS valid_until FROM about
  UNION ALL
  SELECT NULL, f.place, s.score, n.score, halfvec_send(v.vector), e.at, e.updated, p.ordinal, p.page,
    p.title, p.text, e.source, e.tags, e.file, e.collection, e.own_key, e.valid_until
  FROM found f
  JOIN kb_passages p ON p.owner = ${OWNER} AND p.id = ${BASE} + f.place
  JOIN kb_entries e ON e.owner = ${OWNER} AND e.at = p.entry AND ${IS_LIVE_ROW_SQL}
  LEFT JOIN kb_halfvecs v ON v.owner = ${OWNER} AND v.id = (SELECT first FROM model) + f.place
  LEFT JOIN scored s ON s.place = f.place LEFT JOIN near n ON n.place = f.place`;
