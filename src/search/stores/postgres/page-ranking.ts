import type { Sql, Steps } from '../../../storage/any-database.ts';
import { arrayOf, soughtNumbers } from './page-words.ts';

/** BM25 as FTS5 has it, so that both drivers find the same. */
const [K1, B] = [1.2, 0.75];
/** Pages that are scored in one go, the newest of them: some 20 ms. Words of more pages than this are common. */
const MAX_CANDIDATES = 2000;
/** A word of this share of the pages or more says nothing about any of them. */
const COMMON_SHARE = 0.5;
/** Words of which all have to be there, where each of them is common. */
const MAX_TERMS_TOGETHER = 3;
const MIN_RARITY = 1e-6;

/** Pages of each word, and the owner's pages and mean length, in one round trip. */
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
  /** 64 bits, more than a number holds. */
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

/**
 * The pages that fit best, best first: those with any of the rarer words are all scored; where all words are common, the newest
 * pages that have the rarest of them together.
 */
export function* rankPages(
  sql: Sql,
  owner: string,
  asked: readonly string[],
  limit: number,
): Steps<RankedRow[]> {
  const numbers = soughtNumbers(owner, asked);
  const rows = yield* sql.all<Counted>(COUNT, arrayOf(numbers), owner);
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
      arrayOf(used.map(({ term }) => term)),
      arrayOf(used.map(rarityOf)),
      owner,
      arrayOf(terms.map(({ term }) => term)),
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

/** The rarest words that have no more than MAX_CANDIDATES pages together. */
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
