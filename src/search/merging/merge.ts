import { makeLazily } from '../../lib/concurrency/lazy.ts';
import { withoutInvisible } from '../../lib/text/invisible.ts';
import { splitTerms, takeCharacters } from '../../lib/text/text.ts';
import type { SearchHit } from '../engine.ts';
import type { FoundPage } from '../types.ts';
import { canonicalUrl } from './canonical-url.ts';
import { pageKey } from './page-key.ts';

export interface FuseOptions {
  /** Weight of each engine in the ranking, by engine name. Default: 1. */
  readonly weights?: Readonly<Record<string, number>>;
  /** Search index that each engine uses, for example `bing`. Default: an index of its own. */
  readonly sources?: Readonly<Record<string, string>>;
  accepts?(hit: SearchHit): boolean;
}

const SAME_SOURCE = 0.5;
/** Constant of reciprocal-rank fusion (Cormack, Clarke and Buettcher 2009). */
const FUSION_K = 60;
const MAX_TITLE_CHARS = 300;
const MAX_SNIPPET_CHARS = 1000;
const MAX_NAME_CHARS = 120;
const MAX_ADDRESS_CHARS = 4000;
const MAX_COMPARED = 50;
/** A hit without its snippet. Snippets of local pages are slow to compute, so they are computed later. */
type HitFacts = Omit<SearchHit, 'snippet'>;
type MakeSnippet = () => string;

interface MergedHit {
  facts: HitFacts;
  snippet: MakeSnippet;
  readonly ranks: Map<string, number>;
}

/** Merges hits by reciprocal-rank fusion: each engine adds weight / (60 + rank) to the score of a page. */
export function fuseHitLists(
  lists: readonly { engine: string; hits: readonly SearchHit[] }[],
  limit: number,
  { accepts, ...scoring }: FuseOptions = {},
): FoundPage[] {
  const pages = new Map<string, MergedHit>();
  for (const { engine, hits } of lists) {
    const seen = new Set<string>();
    for (const given of hits) {
      const shown = shownOf(given, engine);
      if (!shown || seen.has(shown.key) || (accepts && !accepts(withSnippet(shown)))) continue;
      seen.add(shown.key);
      const entry = joined(pages.get(shown.key), shown);
      entry.ranks.set(engine, Math.min(seen.size, entry.ranks.get(engine) ?? seen.size));
      pages.set(shown.key, entry);
    }
  }
  return ranked(withoutCopies(ranked([...pages.values()], scoring)), scoring)
    .slice(0, limit)
    .map(({ facts, snippet, ranks }) => {
      const engines = [...ranks].sort(([, a], [, b]) => a - b).map(([engine]) => engine);
      return withSnippet({ facts: { ...facts, engines }, snippet });
    });
}

function withSnippet<Known extends HitFacts>({
  facts,
  snippet,
}: {
  readonly facts: Known;
  readonly snippet: MakeSnippet;
}): Known & Pick<SearchHit, 'snippet'> {
  return {
    ...facts,
    get snippet() {
      return snippet();
    },
  };
}

interface ShownHit {
  readonly key: string;
  readonly facts: HitFacts;
  readonly snippet: MakeSnippet;
}

const known = new WeakMap<SearchHit, ShownHit | 'none'>();

function shownOf(given: SearchHit, engine: string): ShownHit | undefined {
  if (engine === 'local' && given.url.startsWith('file:')) return shownAs(given, given.url);
  let shown = known.get(given);
  if (!shown) {
    const url = canonicalUrl(given.url);
    shown = url === undefined ? 'none' : shownAs(given, url);
    known.set(given, shown);
  }
  return shown === 'none' ? undefined : shown;
}

function shownAs(given: SearchHit, url: string): ShownHit {
  const { title, published, author, site, host, text, image } = given;
  const facts = {
    url,
    title: tidy(title, MAX_TITLE_CHARS) || url,
    published,
    ...(author && { author: tidy(author, MAX_NAME_CHARS) }),
    ...(site && { site: tidy(site, MAX_NAME_CHARS) }),
    ...(host && { host }),
    ...(text !== undefined && { text }),
    ...(image && image.length <= MAX_ADDRESS_CHARS && { image }),
  };
  return { key: pageKey(url), facts, snippet: makeLazily(() => tidy(given.snippet, MAX_SNIPPET_CHARS)) };
}

type ScoringOptions = Pick<FuseOptions, 'weights' | 'sources'>;

function ranked(entries: readonly MergedHit[], scoring: ScoringOptions): MergedHit[] {
  return entries
    .map((entry) => ({
      entry,
      score: scoreOf(entry.ranks, scoring),
      best: Math.min(...entry.ranks.values()),
    }))
    .sort((a, b) => b.score - a.score || a.best - b.best)
    .map(({ entry }) => entry);
}

function scoreOf(ranks: ReadonlyMap<string, number>, { weights = {}, sources = {} }: ScoringOptions): number {
  let sum = 0;
  const shared: { readonly source: string; readonly score: number }[] = [];
  for (const [engine, rank] of ranks) {
    const score = (weights[engine] ?? 1) / (FUSION_K + rank);
    const source = sources[engine];
    if (source === undefined) sum += score;
    else shared.push({ source, score });
  }
  const seen = new Map<string, number>();
  for (const { source, score } of shared.sort((a, b) => b.score - a.score)) {
    const share = seen.get(source) ?? 1;
    sum += share * score;
    seen.set(source, share * SAME_SOURCE);
  }
  return sum;
}

function withoutCopies(entries: readonly MergedHit[]): MergedHit[] {
  const kept: MergedHit[] = [];
  const byTitle = new Map<string, { entry: MergedHit; likeness: PageFeatures }[]>();
  for (const [place, entry] of entries.entries()) {
    const likeness = place < MAX_COMPARED ? extractPageFeatures(withSnippet(entry)) : undefined;
    const alike = likeness && byTitle.get(likeness.title);
    const original = likeness && alike?.find((one) => isCopy(one.likeness, likeness));
    if (!original) {
      kept.push(entry);
      if (likeness?.title) byTitle.set(likeness.title, [...(alike ?? []), { entry, likeness }]);
      continue;
    }
    const { snippet, ranks } = original.entry;
    original.entry.snippet = longer(snippet, entry.snippet);
    for (const [engine, rank] of entry.ranks) ranks.set(engine, Math.min(rank, ranks.get(engine) ?? rank));
  }
  return kept;
}

function joined(entry: MergedHit | undefined, { facts: b, snippet }: ShownHit): MergedHit {
  if (!entry) return { facts: b, snippet, ranks: new Map() };
  const { facts: a } = entry;
  const [author, site, host] = [a.author ?? b.author, a.site ?? b.site, a.host ?? b.host];
  const [text, image] = [a.text ?? b.text, a.image ?? b.image];
  entry.facts = {
    url: a.url.startsWith('https:') || b.url.startsWith('http:') ? a.url : b.url,
    title: a.title === a.url ? b.title : a.title,
    published: a.published ?? b.published,
    ...(author && { author }),
    ...(site && { site }),
    ...(host && { host }),
    ...(text !== undefined && { text }),
    ...(image && { image }),
  };
  entry.snippet = longer(entry.snippet, snippet);
  return entry;
}

function longer(one: MakeSnippet, other: MakeSnippet): MakeSnippet {
  return makeLazily(() => (other().length > one().length ? other() : one()));
}

/** Returns a text as a single line, without invisible characters, which could hide instructions. */
function tidy(text: string, limit: number): string {
  const line = withoutInvisible(text.toWellFormed()).replace(/[\s\p{Cc}]+/gu, ' ');
  return takeCharacters(line.trim(), limit);
}

interface ComparedPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

type PageFeatures = ReturnType<typeof extractPageFeatures>;

const SHINGLE_WORDS = 3;
/** Minimum word sequences in a snippet. With fewer, two pages never count as copies. */
const MIN_SHINGLES = 8;
/** Minimum words in the title of a copy, because many pages share a short title such as "About us". */
const MIN_TITLE_WORDS = 3;
/** In copies, the longer snippet has at least this share of the shorter snippet's word sequences. */
const CONTAINED_SHARE = 0.8;
const SITE_NAME = /\s(?:[-–—|·•»]|::)\s[^-–—|·•»]{1,60}$/u;

export function extractPageFeatures(page: ComparedPage) {
  const bare = splitTerms(page.title.replace(SITE_NAME, ''));
  return {
    host: new URL(page.url).hostname,
    title: bare.length >= MIN_TITLE_WORDS ? bare.join(' ') : '',
    words: makeLazily(() => comparedWords(bare, splitTerms(page.snippet))),
  };
}

function comparedWords(title: readonly string[], snippet: readonly string[]) {
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_WORDS <= snippet.length; at++)
    shingles.add(snippet.slice(at, at + SHINGLE_WORDS).join(' '));
  return {
    shingles,
    /** Numbers in title and snippet. Pages with different numbers may be versions or parts of a series. */
    numbers: new Set([...title, ...snippet].filter((word) => /^\d+$/.test(word))),
  };
}

/** True if two results are copies of a text. Returns false in doubt, because a copy is not shown. */
export function isCopy(a: PageFeatures, b: PageFeatures): boolean {
  if (a.title === '' || a.title !== b.title || a.host === b.host) return false;
  const [one, other] = [a.words(), b.words()];
  const [few, many] = one.shingles.size <= other.shingles.size ? [one, other] : [other, one];
  if (few.shingles.size < MIN_SHINGLES || !isSubset(few.numbers, many.numbers)) return false;
  let shared = 0;
  for (const shingle of few.shingles) if (many.shingles.has(shingle)) shared++;
  return shared >= few.shingles.size * CONTAINED_SHARE;
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  for (const one of a) if (!b.has(one)) return false;
  return true;
}
