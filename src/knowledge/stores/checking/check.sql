-- Parts of the statements of `check.ts`.

-- part lost entries: keys of entries whose passages are there
SELECT DISTINCT p.id >> 31, p.entry FROM kb_passages p
      WHERE NOT EXISTS (SELECT 1 FROM kb_entries e WHERE e.owner = p.id >> 31 AND e.at = p.entry)

-- part lost passages: keys of passages whose entries are there
WITH RECURSIVE wanted (id, last) AS (
        SELECT (owner << 31) + first, (owner << 31) + first + passages - 1 FROM kb_entries WHERE passages > 0
        UNION ALL SELECT id + 1, last FROM wanted WHERE id < last)
      SELECT id FROM wanted WHERE id NOT IN (SELECT id FROM kb_passages)

-- part damaged vectors: vectors that have not the most frequent size of their model
kb_vectors AS v JOIN (SELECT model, bytes FROM (
  SELECT model, bytes, row_number() OVER (PARTITION BY model ORDER BY n DESC) AS place FROM (
    SELECT id >> 55 AS model, length(vector) AS bytes, count(*) AS n FROM kb_vectors GROUP BY 1, 2)) WHERE place = 1) s ON s.model = v.id >> 55
  WHERE length(v.vector) <> s.bytes OR s.bytes % 2 <> 0

-- part stray vectors
(id >> 55) NOT IN (SELECT id FROM kb_models)
  OR (id & ((1 << 55) - 1)) NOT IN (SELECT id FROM kb_passages)

-- part unequal: entries that lack vectors
SELECT DISTINCT e.owner, (e.owner << 31) + e.first AS passage
  FROM kb_embedded m CROSS JOIN kb_entries e ON e.owner = m.owner
  WHERE e.trash = 0 AND e.first < m.below AND e.passages > (
    SELECT count(*) FROM kb_vectors v WHERE v.id >= ((m.model << 55) | ((e.owner << 31) + e.first))
      AND v.id < ((m.model << 55) | ((e.owner << 31) + e.first + e.passages)))

-- part true counts
SELECT owner, sum(entry) AS records, sum(entry * passages) AS passages, sum(entry * bytes) AS bytes,
    sum(live * passages) AS searched, sum(live * words) AS words,
    sum(live * max(nonenglish, 0)) AS nonenglish, max(at) AS last, max(first + passages) AS next,
    max(trash) AS trashed
  FROM (SELECT owner, at, first, passages, bytes, words, nonenglish, trash, digest IS NOT NULL AND trash <= 0 AS entry,
      trash <= 0 AND (digest IS NOT NULL OR file NOT IN ('', ' ')) AS live FROM kb_entries)
  GROUP BY owner
