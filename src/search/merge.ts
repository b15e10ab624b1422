import { withoutInvisible } from '../lib/invisible.ts';
import { canonicalUrl } from './canonical-url.ts';
import type { SearchHit } from './engine.ts';
import { takeCharacters } from './excerpt.ts';
import { pageKey } from './page-key.ts';
import { isCopy, type Likeness, likenessOf } from './similar.ts';
import type { FoundPage } from './types.ts';

export interface FuseOptions {
  /** What an engine's rank counts; 1 for those not named. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Whether a hit, its address canonical, may be in the list; those that may not take no rank. */
  accepts?(hit: SearchHit): boolean;
}

/** Reciprocal-rank fusion's constant (Cormack, Clarke and Buettcher 2009). */
const FUSION_K = 60;
const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1000;
const MAX_NAME_CHARS = 120;
/** Leading pages among which copies are searched for. */
const MAX_COMPARED = 50;

interface Entry {
  hit: SearchHit;
  /** Best rank by engine, from 1. */
  readonly ranks: Map<string, number>;
}

/**
 * The engines' lists as one, best first, at most `limit`: each page once, by the sum of weight / (60 + rank),
 * copies of one text on several hosts as one.
 */
export function fuse(
  lists: readonly { engine: string; hits: readonly SearchHit[] }[],
  limit: number,
  { weights = {}, accepts }: FuseOptions = {},
): FoundPage[] {
  const pages = new Map<string, Entry>();
  for (const { engine, hits } of lists) {
    const seen = new Set<string>();
    for (const given of hits) {
      const url = isOwnFile(engine, given.url) ? given.url : canonicalUrl(given.url);
      if (url === undefined) continue;
      const key = pageKey(url);
      if (seen.has(key)) continue;
      const hit = shownAs(given, url);
      if (accepts && !accepts(hit)) continue;
      seen.add(key);
      const entry: Entry = pages.get(key) ?? { hit, ranks: new Map() };
      entry.hit = better(entry.hit, hit);
      entry.ranks.set(engine, Math.min(seen.size, entry.ranks.get(engine) ?? seen.size));
      pages.set(key, entry);
    }
  }
  return ranked(withoutCopies(ranked([...pages.values()], weights)), weights)
    .slice(0, limit)
    .map(({ hit, ranks }) => ({
      ...hit,
      engines: [...ranks].sort(([, a], [, b]) => a - b).map(([engine]) => engine),
    }));
}

/** A hit at its canonical address, its texts fit to be shown. */
function shownAs({ title, snippet, published, author, site, host }: SearchHit, url: string): SearchHit {
  return {
    url,
    title: tidy(title, MAX_TITLE_CHARS) || url,
    snippet: tidy(snippet, MAX_SNIPPET_CHARS),
    published,
    ...(author && { author: tidy(author, MAX_NAME_CHARS) }),
    ...(site && { site: tidy(site, MAX_NAME_CHARS) }),
    ...(host && { host }),
  };
}

/** Files that the user has indexed: no engine but the local one may name a file of this machine. */
function isOwnFile(engine: string, address: string): boolean {
  return engine === 'local' && address.startsWith('file:');
}

type Weights = Readonly<Record<string, number>>;

function ranked(entries: readonly Entry[], weights: Weights): Entry[] {
  return entries
    .map((entry) => ({
      entry,
      score: scoreOf(entry.ranks, weights),
      best: Math.min(...entry.ranks.values()),
    }))
    .sort((a, b) => b.score - a.score || a.best - b.best)
    .map(({ entry }) => entry);
}

function scoreOf(ranks: ReadonlyMap<string, number>, weights: Weights): number {
  let sum = 0;
  for (const [engine, rank] of ranks) sum += (weights[engine] ?? 1) / (FUSION_K + rank);
  return sum;
}

/** A copy joins the entry that stands first, whose address it keeps. */
function withoutCopies(entries: readonly Entry[]): Entry[] {
  const kept: Entry[] = [];
  const byTitle = new Map<string, { entry: Entry; likeness: Likeness }[]>();
  for (const [place, entry] of entries.entries()) {
    const likeness = place < MAX_COMPARED ? likenessOf(entry.hit) : undefined;
    const alike = likeness && byTitle.get(likeness.title);
    const original = likeness && alike?.find((one) => isCopy(one.likeness, likeness));
    if (!original) {
      kept.push(entry);
      if (likeness?.title) byTitle.set(likeness.title, [...(alike ?? []), { entry, likeness }]);
      continue;
    }
    const { hit, ranks } = original.entry;
    const snippet = entry.hit.snippet.length > hit.snippet.length ? entry.hit.snippet : hit.snippet;
    original.entry.hit = { ...hit, snippet };
    for (const [engine, rank] of entry.ranks) ranks.set(engine, Math.min(rank, ranks.get(engine) ?? rank));
  }
  return kept;
}

/** https before http, words before an address, and the longer text of the two. */
function better(a: SearchHit, b: SearchHit): SearchHit {
  const published = a.published ?? b.published;
  const [author, site, host] = [a.author ?? b.author, a.site ?? b.site, a.host ?? b.host];
  return {
    url: a.url.startsWith('https:') || b.url.startsWith('http:') ? a.url : b.url,
    title: a.title === a.url ? b.title : a.title,
    snippet: b.snippet.length > a.snippet.length ? b.snippet : a.snippet,
    published,
    ...(author && { author }),
    ...(site && { site }),
    ...(host && { host }),
  };
}

/** One line of at most `limit` characters without invisible ones, which could carry words to a model. */
function tidy(text: string, limit: number): string {
  const line = withoutInvisible(text.toWellFormed()).replace(/[\s\p{Cc}]+/gu, ' ');
  return takeCharacters(line.trim(), limit);
}
