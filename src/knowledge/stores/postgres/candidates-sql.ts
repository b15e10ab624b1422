import { LIVE } from '../rows.ts';

/**
 * One statement that finds a question's candidates by words and by vectors, and reads them. Its values: the owner's number, the
 * words' numbers, the key before the owner's first passage, the owner's removals and restores that the bits of the trash fit (NULL for whatever
 * they are), those bits and the bits of what is searched (or NULL), how many of each list, and the name of the model, the question's vector and its length (or NULL).
 */
export const [OWNER, TERMS, BASE, REMOVALS, RESTORES, TRASHED, WITHIN, MOST, MODEL, VECTOR, DIMENSIONS] = [
  'CAST(?1 AS bigint)',
  'CAST(?2 AS bigint[])',
  'CAST(?3 AS bigint)',
  'CAST(?4 AS bigint)',
  'CAST(?5 AS bigint)',
  'CAST(?6 AS bytea)',
  'CAST(?7 AS bytea)',
  'CAST(?8 AS bigint)',
  'CAST(?9 AS text)',
  'CAST(?10 AS halfvec)',
  'CAST(?11 AS integer)',
];

/** BM25 as in ../lexical.ts, which says what the numbers are. */
const [K1, B] = ["float8 '1.2'", "float8 '0.4'"];
const MAX_POSTINGS = 50_000;
const MIN_POSTINGS = 5000;
const MAX_ALL_POSTINGS = 400_000;
const COMMON_PART = '0.4';
const MAX_RARE_STRETCHES = 3;
/** Passages of a word whose stretches are counted; three stretches of more are of files, whose passages share their title. */
const MAX_RARE_PASSAGES = 2000;

/** Whether the bit of a place is set. */
const isSet = (bits: string, place: string) =>
  `(${place} < 8 * octet_length(${bits}) AND get_bit(${bits}, ${place}) = 1)`;
const isWithin = (place: string) => `(${WITHIN} IS NULL OR ${isSet(WITHIN, place)})`;
/** Not in the trash, and not of a file that is being put or removed. */
const isVisible = (place: string) => `(${TRASHED} IS NULL OR NOT ${isSet(TRASHED, place)})
  AND ((SELECT stretches FROM hidden) IS NULL OR NOT (SELECT stretches FROM hidden) @> ${place})`;

/** The owner's statistics and how many postings of a word are read; no row where the counters are others by now. */
const OWN = `
  own AS MATERIALIZED (
    SELECT CAST(searched AS float8) AS searched, coalesce(nullif(words / greatest(searched, 1.0), 0), 1)::float8 AS mean,
      least(greatest(${MIN_POSTINGS}, ceil(searched * ${COMMON_PART})), ${MAX_POSTINGS},
        greatest(${MIN_POSTINGS}, ${MAX_ALL_POSTINGS} / greatest(cardinality(${TERMS}), 1)))::bigint AS most
    FROM kb_owners WHERE id = ${OWNER} AND (${REMOVALS} IS NULL OR removals = ${REMOVALS} AND restores = ${RESTORES})
  ),
  hidden AS MATERIALIZED (
    SELECT range_agg(int8range(first, first + passages)) AS stretches FROM kb_entries
    WHERE owner = ${OWNER} AND file IN ('', ' ')
  )`;

/** Postings of each word; its rarity, and whether it is so common that it is left out where others are there. */
const WORDS = `
  hits AS MATERIALIZED (
    SELECT t.at, w.place, w.length, w.n FROM unnest(${TERMS}) WITH ORDINALITY AS t (term, at), LATERAL (
      SELECT id - ${BASE} AS place, length, times[array_position(terms, t.term)] AS n FROM kb_words
      WHERE owner = ${OWNER} AND terms @> ARRAY[t.term] AND ${isVisible(`(id - ${BASE})`)}
      LIMIT (SELECT most FROM own)
    ) AS w WHERE EXISTS (SELECT 1 FROM own)
  ),
  counted AS MATERIALIZED (
    SELECT t.at, coalesce(f.passages, 0) AS passages, coalesce(f.n, 0) >= own.most AS is_common
    FROM own, generate_series(1, cardinality(${TERMS})) AS t (at)
    LEFT JOIN (SELECT at, count(*) AS passages, sum(n) AS n FROM hits GROUP BY at) AS f ON f.at = t.at
  ),
  words AS MATERIALIZED (
    SELECT at, passages, ln(1 + greatest(own.searched - passages + 0.5, 0) / (passages + float8 '0.5')) AS rarity,
      NOT is_common OR NOT EXISTS (SELECT 1 FROM counted WHERE NOT is_common AND passages > 0) AS is_sought
    FROM counted, own
  ),
  sums AS MATERIALIZED (
    SELECT h.place, sum(w.rarity * h.n * (${K1} + 1) / (h.n + ${K1} * (1 - ${B} + ${B} * h.length / own.mean))) AS score
    FROM hits h JOIN words w ON w.at = h.at AND w.is_sought, own
    WHERE ${isWithin('h.place')} GROUP BY h.place
  ),
  best AS MATERIALIZED (SELECT place, score FROM sums ORDER BY score DESC, place DESC LIMIT ${MOST}),
  rare AS (
    SELECT at, array_agg(place ORDER BY place) AS places
    FROM (
      SELECT h.at, h.place, coalesce(h.place - lag(h.place) OVER (PARTITION BY h.at ORDER BY h.place), 2) > 1 AS is_first
      FROM hits h JOIN words w ON w.at = h.at AND w.is_sought AND w.passages <= ${MAX_RARE_PASSAGES}
      WHERE ${isWithin('h.place')}
    ) AS runs
    GROUP BY at HAVING count(*) FILTER (WHERE is_first) <= ${MAX_RARE_STRETCHES}
  ),
  about AS (
    SELECT CAST(json_agg(json_build_array(w.rarity, w.is_sought, r.places) ORDER BY w.at) AS text) AS words
    FROM own LEFT JOIN words w ON true LEFT JOIN rare r ON r.at = w.at GROUP BY own.searched
  )`;

const NEAR = `
  model AS MATERIALIZED (SELECT (id << 55) | ${BASE} AS first FROM kb_models WHERE name = ${MODEL}),
  near AS MATERIALIZED (
    SELECT id - (SELECT first FROM model) AS place, -(vector <#> ${VECTOR}) AS score FROM kb_halfvecs
    WHERE owner = ${OWNER} AND id >= (SELECT first FROM model) AND id < (SELECT first FROM model) + (CAST(1 AS bigint) << 31)
      AND vector_dims(vector) = ${DIMENSIONS} AND EXISTS (SELECT 1 FROM own)
      AND ${isVisible('(id - (SELECT first FROM model))')} AND ${isWithin('(id - (SELECT first FROM model))')}
    ORDER BY vector <#> ${VECTOR}, id DESC LIMIT ${MOST}
  )`;

/** Best by their words, a row each, and a row about the words before them; no row where the counters are others by now. */
export const BY_WORDS = `
  WITH ${OWN}, ${WORDS}
  SELECT about.words, NULL AS place, NULL AS score FROM about
  UNION ALL (SELECT NULL, place, score FROM best ORDER BY score DESC, place DESC)`;

/**
 * The same, and those that are nearest by their vectors, with what is read of each. `IS TRUE` keeps the places in a hash table: a join would
 * walk all sums for each, since the planner expects few.
 */
export const CANDIDATES = `
  WITH ${OWN}, ${WORDS}, ${NEAR},
  found AS MATERIALIZED (SELECT place FROM best UNION SELECT place FROM near),
  scored AS MATERIALIZED (SELECT place, score FROM sums WHERE (place IN (SELECT place FROM found)) IS TRUE)
  SELECT about.words, NULL AS place, NULL AS score, NULL AS cosine, NULL AS vector, NULL AS at, NULL AS ordinal, NULL AS page,
    NULL AS heading, NULL AS text, NULL AS source, NULL AS tags, NULL AS file, NULL AS collection, NULL AS own_key FROM about
  UNION ALL
  SELECT NULL, f.place, s.score, n.score, halfvec_send(v.vector), e.at, p.ordinal, p.page,
    p.title, p.text, e.source, e.tags, e.file, e.collection, e.own_key
  FROM found f
  JOIN kb_passages p ON p.owner = ${OWNER} AND p.id = ${BASE} + f.place
  JOIN kb_entries e ON e.owner = ${OWNER} AND e.at = p.entry AND ${LIVE}
  LEFT JOIN kb_halfvecs v ON v.owner = ${OWNER} AND v.id = (SELECT first FROM model) + f.place
  LEFT JOIN scored s ON s.place = f.place LEFT JOIN near n ON n.place = f.place`;
