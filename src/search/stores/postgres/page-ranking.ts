import type { Sql, StepGenerator } from '../../../storage/any-database.ts';
import { COMMON_SHARE, computeRarity, listAffordableWords, MAX_TERMS_TOGETHER } from '../page-ranking.ts';
import { LANGUAGE_TERMS, toTermGroups } from '../page-text.ts';
import { encodeQueryWords, encodeTerm, toPostgresArray } from './page-words.ts';

const [K1, B] = [1.2, 0.75];
/** Maximum number of pages scored at once, which takes 20 ms. A word on more pages counts as common. */
const MAX_CANDIDATES = 2000;

const COUNT = `
  SELECT CAST(t.term AS text) AS term, o.pages AS "all", o.words,
    (SELECT count(*) FROM pages p WHERE p.owner = ?2 AND p.terms @> ARRAY[t.term]) AS pages
  FROM page_owners o, unnest(CAST(?1 AS bigint[])) AS t (term) WHERE o.owner = ?2`;

const PRESENT = `
  SELECT CAST(t.term AS text) AS term FROM unnest(CAST(?1 AS bigint[])) AS t (term)
  WHERE EXISTS (SELECT 1 FROM pages p WHERE p.owner = ?2 AND p.terms @> ARRAY[t.term])`;

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
const HAS_ANY = 'terms && CAST(? AS bigint[])';

interface TermCount {
  readonly term: string;
  readonly pages: number;
  readonly all: number;
  readonly words: number;
}

interface WordCount {
  readonly terms: readonly string[];
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

/** Returns the best pages. To limit the time, only the newest pages are scored for common words. */
export function* rankPages(
  sql: Sql,
  owner: string,
  asked: readonly string[],
  limit: number,
): StepGenerator<RankedRow[]> {
  const groups = toTermGroups(asked, yield* listLanguages(sql, owner));
  const numbers = encodeQueryWords(owner, groups);
  const rows = yield* sql.all<TermCount>(COUNT, toPostgresArray(numbers.flat()), owner);
  const found = toCountedWords(numbers, rows);
  const [first] = found;
  if (!first) return [];
  const telling = found.filter(({ pages, all }) => pages <= MAX_CANDIDATES || pages < all * COMMON_SHARE);
  const used = telling.length > 0 ? telling : found;
  const rare = listAffordableWords(used, MAX_CANDIDATES);
  const mean = Math.max(first.words / first.all, 1);
  const weighed = used.flatMap((word) =>
    word.terms.map((term) => ({ term, rarity: computeRarity(word.pages, word.all) })),
  );
  const score = (lists: readonly (readonly WordCount[])[]) =>
    sql.all<RankedRow>(
      scoreWhere(lists.map(() => HAS_ANY).join(' AND ')),
      mean,
      toPostgresArray(weighed.map(({ term }) => term)),
      toPostgresArray(weighed.map(({ rarity }) => rarity)),
      owner,
      ...lists.map((words) => toPostgresArray(words.flatMap(({ terms }) => terms))),
      limit,
      owner,
    );
  if (rare.length === used.length) return yield* score([rare]);
  const best = new Map<string, RankedRow>();
  const together = used.slice(0, Math.max(rare.length, MAX_TERMS_TOGETHER));
  for (const row of yield* score(together.map((word) => [word]))) best.set(row.url, row);
  if (rare.length > 0) for (const row of yield* score([rare])) best.set(row.url, row);
  else if (best.size < limit) for (const row of yield* score([used.slice(0, 1)])) best.set(row.url, row);
  return [...best.values()].sort((a, b) => b.score - a.score).slice(0, limit);
}

function* listLanguages(sql: Sql, owner: string): StepGenerator<string[]> {
  const languages = new Map(
    [...LANGUAGE_TERMS].map(([term, language]) => [String(encodeTerm(owner, term)), language]),
  );
  const found = yield* sql.all<{ term: string }>(PRESENT, toPostgresArray([...languages.keys()]), owner);
  return found.flatMap(({ term }) => languages.get(term) ?? []);
}

function toCountedWords(groups: readonly (readonly bigint[])[], rows: readonly TermCount[]): WordCount[] {
  const counted = new Map(rows.map((row) => [row.term, row]));
  const words = groups.map((group) => {
    const there = group
      .flatMap((number) => counted.get(String(number)) ?? [])
      .filter(({ pages }) => pages > 0);
    return {
      terms: there.map(({ term }) => term),
      pages: Math.min(
        there.reduce((sum, { pages }) => sum + pages, 0),
        there[0]?.all ?? 0,
      ),
      all: there[0]?.all ?? 0,
      words: there[0]?.words ?? 0,
    };
  });
  return words.filter(({ pages }) => pages > 0).sort((a, b) => a.pages - b.pages);
}
