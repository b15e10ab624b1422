import type { Statements } from '../../storage/sqlite.ts';

/** Weight of a word in the title, relative to a word in the text. */
const TITLE_WEIGHT = 4;
/** Maximum number of pages that are scored at a time. If more pages have a word, the word is called common. */
const MAX_CANDIDATES = 6000;
/** If a query has several common words, at most this many must occur on a page: the rarest ones. */
const MAX_TERMS_TOGETHER = 3;
/** A word on at least this share of the pages does not affect the ranking. */
const COMMON_SHARE = 0.5;

interface Counted {
  readonly term: string;
  /** Number of pages with the term. Counting stops at MAX_CANDIDATES + 1. */
  readonly pages: number;
  /** Share of pages with the term, estimated from the newest pages. */
  readonly share: number;
}

/** Returns the ids of the best pages. For common words only the newest pages are scored, which limits the time. */
export function rankPages(sql: Statements, asked: readonly string[], limit: number): number[] {
  const newest = sql.get<{ id: number | null }>('SELECT max(id) AS id FROM pages')?.id ?? 0;
  const counted = asked
    .map((term) => count(sql, term, newest))
    .filter(({ pages }) => pages > 0)
    .sort((a, b) => a.pages - b.pages || a.share - b.share);
  const telling = counted.filter(({ share }) => share < COMMON_SHARE);
  const used = (telling.length > 0 ? telling : counted.slice(0, 1)).map(({ term }) => term);
  const rare = affordable(counted).filter((term) => used.includes(term));
  const scores = new Map<number, number>();
  const add = (match: string) => {
    for (const { id, score } of scored(sql, match, limit)) {
      scores.set(id, Math.min(score, scores.get(id) ?? 0));
    }
  };
  if (rare.length > 0) add(rare.join(' OR '));
  const [rarest] = used;
  if (rarest !== undefined && rare.length < used.length) {
    const common = used.slice(rare.length, rare.length + MAX_TERMS_TOGETHER);
    const together = [...rare.slice(0, MAX_TERMS_TOGETHER), ...common].join(' AND ');
    add(together);
    if (rare.length === 0) add(`title : (${common.join(' AND ')})`);
    if (scores.size < limit && together !== rarest) add(rarest);
  }
  return [...scores]
    .sort(([, a], [, b]) => a - b)
    .slice(0, limit)
    .map(([id]) => id);
}

function affordable(counted: readonly Counted[]): string[] {
  let pages = 0;
  const fitting = counted.filter((one) => {
    pages += one.pages;
    return pages <= MAX_CANDIDATES;
  });
  return fitting.map(({ term }) => term);
}

function count(sql: Statements, term: string, newest: number): Counted {
  const row = sql.get<{ pages: number; reached: number | null }>(
    `SELECT count(*) AS pages, min(rowid) AS reached FROM (
       SELECT rowid FROM pages_fts WHERE pages_fts MATCH ? ORDER BY rowid DESC LIMIT ?)`,
    term,
    MAX_CANDIDATES + 1,
  );
  const { pages = 0, reached } = row ?? {};
  return { term, pages, share: pages > MAX_CANDIDATES ? pages / (newest - (reached ?? 0) + 1) : 0 };
}

/** Scores the newest MAX_CANDIDATES matching pages and returns the best. A lower score is better. */
function scored(sql: Statements, match: string, limit: number): { id: number; score: number }[] {
  return sql.all(
    `SELECT rowid AS id, score FROM (
       SELECT rowid, bm25(pages_fts, ${TITLE_WEIGHT}, 1) AS score FROM pages_fts
       WHERE pages_fts MATCH ? ORDER BY rowid DESC LIMIT ?)
     ORDER BY score, id LIMIT ?`,
    match,
    MAX_CANDIDATES,
    limit,
  );
}
