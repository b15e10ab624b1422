-- Parts of the statements of `search.ts`. A name after a colon is a parameter. `base` is the key of passage 0, and `most` the
-- maximum length of each list. `trashed` and `within` have a bit per passage. `removals` and `restores` are the owner's
-- counters when `trashed` was read. `positions` and `languages` have the query word and the language of each of `terms`.
-- Unused parameters are NULL. Scores are BM25 with k1 = 1.2 and b = 0.4.

-- part own: of a word, at least 5,000 and at most 50,000 postings are read, and 400,000 of all words
  own AS MATERIALIZED (
    SELECT CAST(searched AS float8) AS searched, coalesce(nullif(words / greatest(searched, 1.0), 0), 1)::float8 AS mean,
      least(greatest(5000, ceil(searched * 0.4)), 50000,
        greatest(5000, 400000 / greatest((SELECT max(at) FROM unnest(:positions) AS at), 1)))::bigint AS most,
      next::float8 AS next
    FROM kb_owners WHERE id = :owner AND (:removals IS NULL OR removals = :removals AND restores = :restores)
  ),
  hidden AS MATERIALIZED (
    SELECT range_agg(int8range(first, first + passages)) AS stretches FROM kb_entries
    WHERE owner = :owner AND file IN ('', ' ')
  ),

-- part near: without an index, all vectors are compared
  model AS MATERIALIZED (SELECT (id << 55) | :base AS first FROM kb_models WHERE name = :model),
  compared AS (
    SELECT id - (SELECT first FROM model) AS place, CAST(-(vector <#> :vector) AS float8) AS score FROM kb_halfvecs
    WHERE owner = :owner AND id >= (SELECT first FROM model) AND id < (SELECT first FROM model) + (CAST(1 AS bigint) << 31)
      AND vector_dims(vector) = :dimensions AND EXISTS (SELECT 1 FROM own WHERE (searched >= :graph_from) IS NOT TRUE)
      AND (:trashed IS NULL OR NOT ((id - (SELECT first FROM model)) < 8 * octet_length(:trashed) AND get_bit(:trashed, (id - (SELECT first FROM model))) = 1))
        AND ((SELECT stretches FROM hidden) IS NULL OR NOT (SELECT stretches FROM hidden) @> (id - (SELECT first FROM model)))
        AND (:within IS NULL OR ((id - (SELECT first FROM model)) < 8 * octet_length(:within) AND get_bit(:within, (id - (SELECT first FROM model))) = 1))
    ORDER BY vector <#> :vector, id DESC LIMIT :most
  ),
  near AS MATERIALIZED (
    SELECT place, score FROM compared
    UNION ALL
    SELECT n.place, n.score FROM own, model, hidden,
      kb_near(:owner, model.first, :dimensions, :vector, :trashed, :within, hidden.stretches, :most) AS n
    WHERE own.searched >= :graph_from
  ),

-- part words: a word on over 5,000 sampled postings is estimated, and only adds to the scores if rarer words find 1,000 passages.
-- Runs of passages are counted for a word in at most 2,000 passages, and returned if there are at most 3.
  spoken AS MATERIALIZED (
    SELECT l.language FROM (SELECT DISTINCT language FROM unnest(:languages) AS all_languages (language)) AS l
    WHERE EXISTS (SELECT 1 FROM kb_words k WHERE k.owner = :owner AND k.terms @> ARRAY[l.language])
  ),
  terms AS MATERIALIZED (
    SELECT t.term, t.at, t.nth FROM unnest(:terms, :positions, :languages) WITH ORDINALITY AS t (term, at, language, nth)
    WHERE t.language IS NULL OR t.language IN (SELECT language FROM spoken)
  ),
  hits AS MATERIALIZED (
    SELECT t.nth, t.at, w.place, w.length, w.n FROM terms t, LATERAL (
      SELECT id - :base AS place, length, times[array_position(terms, t.term)] AS n FROM kb_words
      WHERE owner = :owner AND terms @> ARRAY[t.term] AND (:trashed IS NULL OR NOT ((id - :base) < 8 * octet_length(:trashed) AND get_bit(:trashed, (id - :base)) = 1))
        AND ((SELECT stretches FROM hidden) IS NULL OR NOT (SELECT stretches FROM hidden) @> (id - :base))
      LIMIT (SELECT least(most, 5000) FROM own)
    ) AS w WHERE EXISTS (SELECT 1 FROM own)
  ),
  seen AS MATERIALIZED (
    SELECT t.at, coalesce(f.passages, 0) AS passages, coalesce(f.n, 0) AS n, coalesce(f.passages, 0) >= least(own.most, 5000) AS is_part,
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
      sum(passages) FILTER (WHERE is_sought) OVER (ORDER BY passages, at ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < 1000) AS leads
    FROM weighed
  ),
  led AS MATERIALIZED (
    SELECT h.at, h.place, h.length, h.n FROM hits h JOIN words w ON w.at = h.at AND w.leads AND NOT w.is_part
    UNION ALL
    SELECT w.at, p.place, p.length, p.n FROM words w JOIN terms t ON t.at = w.at, LATERAL (
      SELECT id - :base AS place, length, times[array_position(terms, t.term)] AS n FROM kb_words
      WHERE owner = :owner AND terms @> ARRAY[t.term] AND (:trashed IS NULL OR NOT ((id - :base) < 8 * octet_length(:trashed) AND get_bit(:trashed, (id - :base)) = 1))
        AND ((SELECT stretches FROM hidden) IS NULL OR NOT (SELECT stretches FROM hidden) @> (id - :base))
      LIMIT (SELECT most FROM own)
    ) AS p WHERE w.leads AND w.is_part
  ),
  sums_led AS MATERIALIZED (
    SELECT h.place, sum(w.rarity * h.n * (float8 '1.2' + 1) / (h.n + float8 '1.2' * (1 - float8 '0.4' + float8 '0.4' * h.length / own.mean)) ORDER BY h.at) AS score
    FROM led h JOIN words w ON w.at = h.at, own
    WHERE (:within IS NULL OR (h.place < 8 * octet_length(:within) AND get_bit(:within, h.place) = 1)) GROUP BY h.place
  ),
  front AS MATERIALIZED (
    SELECT place FROM (SELECT place FROM sums_led WHERE EXISTS (SELECT 1 FROM words WHERE is_sought AND NOT leads)
      ORDER BY score DESC, place DESC LIMIT greatest(1000, :most)) AS top
    :or_near
  ),
  sums AS MATERIALIZED (
    SELECT place, sum(score) AS score FROM (
      SELECT place, score FROM sums_led
      UNION ALL
      SELECT l.place, w.rarity * p.n * (float8 '1.2' + 1) / (p.n + float8 '1.2' * (1 - float8 '0.4' + float8 '0.4' * p.length / own.mean)) FROM words w JOIN terms t ON t.at = w.at, own, front l, LATERAL (
        SELECT length, times[array_position(k.terms, t.term)] AS n FROM kb_words k
        WHERE k.owner = :owner AND k.id = :base + l.place
      ) AS p WHERE w.is_sought AND NOT w.leads AND p.n IS NOT NULL
    ) AS parts GROUP BY place
  ),
  best AS MATERIALIZED (SELECT place, score FROM sums ORDER BY score DESC, place DESC LIMIT :most),
  rare AS (
    SELECT at, array_agg(place ORDER BY place) AS places
    FROM (
      SELECT h.at, h.place, coalesce(h.place - lag(h.place) OVER (PARTITION BY h.at ORDER BY h.place), 2) > 1 AS is_first
      FROM hits h JOIN words w ON w.at = h.at AND w.is_sought AND w.passages <= 2000 AND NOT w.is_part
      WHERE (:within IS NULL OR (h.place < 8 * octet_length(:within) AND get_bit(:within, h.place) = 1))
    ) AS runs
    GROUP BY at HAVING count(*) FILTER (WHERE is_first) <= 3
  ),
  missing AS (
    SELECT at FROM words WHERE is_sought AND NOT is_part
      AND (at IN (SELECT at FROM hits WHERE (:within IS NULL OR (place < 8 * octet_length(:within) AND get_bit(:within, place) = 1)))) IS NOT TRUE
  ),
  about AS (
    SELECT CAST(json_agg(json_build_array(w.rarity, w.is_sought, r.places, w.at = m.at) ORDER BY w.at) AS text) AS words
    FROM own LEFT JOIN words w ON true LEFT JOIN rare r ON r.at = w.at LEFT JOIN missing m ON m.at = w.at GROUP BY own.searched
  )

-- part by words
  SELECT about.words, NULL AS place, NULL AS score FROM about
  UNION ALL (SELECT NULL, place, score FROM best ORDER BY score DESC, place DESC)

-- part candidates: `IS TRUE` makes the planner use a hash table
  found AS MATERIALIZED (SELECT place FROM best UNION SELECT place FROM near),
  scored AS MATERIALIZED (SELECT place, score FROM sums WHERE (place IN (SELECT place FROM found)) IS TRUE)
  SELECT about.words, NULL AS place, NULL AS score, NULL AS cosine, NULL AS vector, NULL AS at, NULL AS updated, NULL AS ordinal, NULL AS page,
    NULL AS heading, NULL AS text, NULL AS source, NULL AS tags, NULL AS file, NULL AS collection, NULL AS own_key, NULL AS valid_until FROM about
  UNION ALL
  SELECT NULL, f.place, s.score, n.score, halfvec_send(v.vector), e.at, e.updated, p.ordinal, p.page,
    p.title, p.text, e.source, e.tags, e.file, e.collection, e.own_key, e.valid_until
  FROM found f
  JOIN kb_passages p ON p.owner = :owner AND p.id = :base + f.place
  JOIN kb_entries e ON e.owner = :owner AND e.at = p.entry AND :is_live
  LEFT JOIN kb_halfvecs v ON v.owner = :owner AND v.id = (SELECT first FROM model) + f.place
  LEFT JOIN scored s ON s.place = f.place LEFT JOIN near n ON n.place = f.place
