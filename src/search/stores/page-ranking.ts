import type { Statements } from '../../storage/sqlite.ts';

const TITLE_WEIGHT = 4;
const MAX_CANDIDATES = 6000;
/** Maximum number of rare words, and of common words, in a search for pages with all of them. */
export const MAX_TERMS_TOGETHER = 3;
export const COMMON_SHARE = 0.5;
/** Minimum weight of a term. FTS5 gives this weight to terms in more than half of the pages. */
const MIN_RARITY = 1e-6;

interface CountedTerm {
  readonly term: string;
  readonly pages: number;
  /** Share of pages with the term, estimated from the newest pages of the index. */
  readonly share: number;
}

/** A word of the query. `terms` are its forms in the index: the word and its stem in each language. */
interface CountedWord {
  readonly terms: readonly CountedTerm[];
  readonly pages: number;
  readonly share: number;
}

export function hasTerm(sql: Statements, term: string): boolean {
  return sql.get`SELECT 1 AS found FROM pages_fts WHERE pages_fts MATCH ${term} LIMIT 1` !== undefined;
}

/** Returns the ids of the best pages. To limit the time, searches common words only in the newest pages. */
export function rankPages(sql: Statements, asked: readonly (readonly string[])[], limit: number): number[] {
  const newest = sql.get<{ id: number | null }>('SELECT max(id) AS id FROM pages')?.id ?? 0;
  const counted = asked
    .map((group) => countWord(sql, group, newest))
    .filter(({ pages }) => pages > 0)
    .sort((a, b) => a.pages - b.pages || a.share - b.share);
  const telling = counted.filter(({ share }) => share < COMMON_SHARE);
  const used = telling.length > 0 ? telling : counted.slice(0, 1);
  const rare = listAffordableWords(counted, MAX_CANDIDATES).filter((word) => used.includes(word));
  const scores = new Map<number, number>();
  const add = (found: readonly ScoredPage[]) => {
    for (const { id, score } of found) scores.set(id, Math.min(score, scores.get(id) ?? 0));
  };
  if (rare.length > 0) add(scoreAny(sql, rare, limit));
  const [rarest] = used;
  if (rarest !== undefined && rare.length < used.length) {
    const common = used.slice(rare.length, rare.length + MAX_TERMS_TOGETHER);
    const together = [...rare.slice(0, MAX_TERMS_TOGETHER), ...common];
    const matchAll = (words: readonly CountedWord[]) => words.map(toMatch).join(' AND ');
    add(scored(sql, matchAll(together), limit));
    if (rare.length === 0) add(scored(sql, `title : (${matchAll(common)})`, limit));
    if (scores.size < limit && together.length > 1) add(scored(sql, toMatch(rarest), limit));
  }
  return [...scores]
    .sort(([a, first], [b, second]) => first - second || a - b)
    .slice(0, limit)
    .map(([id]) => id);
}

function toMatch({ terms }: CountedWord): string {
  const any = terms.map(({ term }) => term).join(' OR ');
  return terms.length > 1 ? `(${any})` : any;
}

/** Returns the leading words that together are on at most `maxPages` pages. */
export function listAffordableWords<Word extends { readonly pages: number }>(
  counted: readonly Word[],
  maxPages: number,
): Word[] {
  let pages = 0;
  return counted.filter((one) => {
    pages += one.pages;
    return pages <= maxPages;
  });
}

/** Returns the weight of a word that is on `pages` of `all` pages. */
export function computeRarity(pages: number, all: number): number {
  return Math.max(Math.log((all - pages + 0.5) / (pages + 0.5)), MIN_RARITY);
}

function countWord(sql: Statements, group: readonly string[], newest: number): CountedWord {
  const terms = group.map((term) => count(sql, term, newest)).filter(({ pages }) => pages > 0);
  const pages = terms.reduce((sum, one) => sum + one.pages, 0);
  const share = terms.reduce((sum, one) => sum + one.share, 0);
  return { terms, pages, share: pages > MAX_CANDIDATES ? share : 0 };
}

function count(sql: Statements, term: string, newest: number): CountedTerm {
  const row = sql.get<{ pages: number; reached: number | null }>`SELECT count(*) AS pages,
    min(rowid) AS reached FROM (
    SELECT rowid FROM pages_fts WHERE pages_fts MATCH ${term} ORDER BY rowid DESC
    LIMIT ${MAX_CANDIDATES + 1})`;
  const { pages = 0, reached } = row ?? {};
  return { term, pages, share: pages / (newest - (reached ?? 0) + 1) };
}

interface ScoredPage {
  readonly id: number;
  readonly score: number;
}

function scoreAny(sql: Statements, words: readonly CountedWord[], limit: number): ScoredPage[] {
  if (words.every(({ terms }) => terms.length === 1)) {
    return scored(sql, words.map(toMatch).join(' OR '), limit);
  }
  const all = sql.get<{ pages: number | null }>('SELECT sum(pages) AS pages FROM page_owners')?.pages ?? 0;
  const rarity = (counted: number) => computeRarity(Math.min(counted, all), all);
  const sums = new Map<number, number>();
  for (const { terms, pages } of words) {
    for (const one of terms) {
      const factor = rarity(pages) / rarity(one.pages);
      for (const { id, score } of scored(sql, one.term, MAX_CANDIDATES)) {
        sums.set(id, (sums.get(id) ?? 0) + score * factor);
      }
    }
  }
  return [...sums]
    .map(([id, score]) => ({ id, score }))
    .sort((a, b) => a.score - b.score || a.id - b.id)
    .slice(0, limit);
}

function scored(sql: Statements, match: string, limit: number): ScoredPage[] {
  return sql.all`SELECT rowid AS id, score FROM (
      SELECT rowid, bm25(pages_fts, ${TITLE_WEIGHT}, 1) AS score FROM pages_fts
      WHERE pages_fts MATCH ${match} ORDER BY rowid DESC LIMIT ${MAX_CANDIDATES})
    ORDER BY score, id LIMIT ${limit}`;
}
