import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { encodeQueryWords, toPostgresArray } from './page-words.ts';

/** Parameters of BM25 as in FTS5, so that both databases rank alike. */
const [K1, B] = [1.2, 0.75];
/** Maximum number of pages scored at a time (20 ms). A word on more pages is called common. */
const MAX_CANDIDATES = 2000;
const COMMON_SHARE = 0.5;
const MAX_TERMS_TOGETHER = 3;
const MIN_RARITY = 1e-6;

/** For each word, counts the owner's pages with the word. Also returns the owner's numbers of pages and words. */
const COUNT = `
  SELECT CAST(t.term AS text) AS term, o.pages AS "all", o.words,
    (SELECT count(*) FROM pages p WHERE p.owner = ?2 AND p.terms @> ARRAY[t.term]) AS pages
  FROM page_owners o, unnest(CAST(?1 AS bigint[])) AS t (term) WHERE o.owner = ?2`;

const scoreWhere = (condition: string) => `
  SELECT p.url, p.title, p.text, c.score
  FROM (
    SELECT s.id, (
      SELECT sum(a.rarity * u.count * ${K1 + 1}
        / (u.count + ${K1} * (${1 - B} + ${B} * s.length / CAST(? AS double precision))))
      FROM unnest(s.terms, s.counts) AS u (term, count)
      JOIN unnest(CAST(? AS bigint[]), CAST(? AS double precision[])) AS a (term, rarity) ON a.term = u.term
    ) AS score
    FROM (
      SELECT id, length, terms, counts FROM pages
      WHERE owner = ? AND ${condition} ORDER BY id DESC LIMIT ${MAX_CANDIDATES}
    ) AS s
    ORDER BY score DESC, s.id LIMIT ?
  ) AS c
  JOIN pages p ON p.owner = ? AND p.id = c.id
  ORDER BY c.score DESC, p.id`;
const ANY = scoreWhere('terms && CAST(? AS bigint[])');
const ALL = scoreWhere('terms @> CAST(? AS bigint[])');

interface Counted {
  /** 64-bit number that stands for the word, as text, because a JavaScript number is less precise. */
  readonly term: string;
  readonly pages: number;
  readonly all: number;
  readonly words: number;
}

export interface RankedRow {
  readonly url: string;
  readonly title: string;
  readonly text: Uint8Array;
  readonly score: number;
}

/** Returns the best pages. For common words only the newest pages are scored, which limits the time. */
export function* rankPages(
  sql: Sql,
  owner: string,
  asked: readonly string[],
  limit: number,
): StepGenerator<RankedRow[]> {
  const numbers = encodeQueryWords(owner, asked);
  const rows = yield* sql.all<Counted>(COUNT, toPostgresArray(numbers), owner);
  const found = rows.filter(({ pages }) => pages > 0).sort((a, b) => a.pages - b.pages);
  const [first] = found;
  if (!first) return [];
  const telling = found.filter(({ pages, all }) => pages <= MAX_CANDIDATES || pages < all * COMMON_SHARE);
  const used = telling.length > 0 ? telling : found;
  const rare = affordable(used);
  const mean = Math.max(first.words / first.all, 1);
  const score = (text: string, terms: readonly Counted[]) =>
    sql.all<RankedRow>(
      text,
      mean,
      toPostgresArray(used.map(({ term }) => term)),
      toPostgresArray(used.map(rarityOf)),
      owner,
      toPostgresArray(terms.map(({ term }) => term)),
      limit,
      owner,
    );
  if (rare.length === used.length) return yield* score(ANY, rare);
  const best = new Map<string, RankedRow>();
  const together = used.slice(0, Math.max(rare.length, MAX_TERMS_TOGETHER));
  for (const row of yield* score(ALL, together)) best.set(row.url, row);
  if (rare.length > 0) for (const row of yield* score(ANY, rare)) best.set(row.url, row);
  else if (best.size < limit) for (const row of yield* score(ANY, used.slice(0, 1))) best.set(row.url, row);
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

function affordable(counted: readonly Counted[]): Counted[] {
  let pages = 0;
  return counted.filter((one) => {
    pages += one.pages;
    return pages <= MAX_CANDIDATES;
  });
}

function rarityOf({ pages, all }: Counted): number {
  return Math.max(Math.log((all - pages + 0.5) / (pages + 0.5)), MIN_RARITY);
}
