import type { SearchHit } from './engine.ts';
import { takeCharacters } from './excerpt.ts';

/** A page as the merged list has it. */
export interface FoundPage extends SearchHit {
  /** Engines that named it, best rank first. */
  readonly engines: readonly string[];
}

/** Reciprocal-rank fusion's constant (Cormack, Clarke and Buettcher 2009). */
const K = 60;
/** Pages of a merged list. */
const MOST = 10;
/** Characters; what is longer is no address that a page is found under. */
const ADDRESS = 4000;
const TITLE = 300;
const SNIPPET = 1000;

const TRACKING =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs(enc|mi)|mkt_tok|ref_src|ref_url|vero_(id|conv)|wickedid|oly_(anon|enc)_id|s_cid|twclid|ttclid|li_fat_id|_ga|_gl|srsltid)$/i;

/**
 * The address without tracking parameters and fragment, the other parameters as they are; undefined for what
 * is no web address.
 */
export function canonicalUrl(address: string): string | undefined {
  if (address.length > ADDRESS || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username || url.password) return undefined;
  // Cut out as text: URLSearchParams would write the remaining parameters anew, and some sites mind.
  const parameters = url.search.slice(1).split('&');
  const kept = parameters.filter((one) => !TRACKING.test(one.split('=', 1)[0] ?? ''));
  if (kept.length < parameters.length) url.search = kept.join('&');
  // Single-page sites keep the page's address in the fragment.
  if (!/^#!?\//.test(url.hash)) url.hash = '';
  return url.href;
}

/**
 * Two canonical addresses with the same key are one page: http and https, with and without a last slash,
 * signs escaped or not, Wikimedia's mobile hosts and its others.
 */
function pageKey(canonical: string): string {
  const { hostname, port, pathname, search, hash } = new URL(canonical);
  const host = hostname.replace(/^([a-z-]+)\.m\.(wik[a-z]+\.org)$/, '$1.$2');
  return `${host}:${port}${unescaped(pathname.replace(/\/$/, ''))}${search}${hash}`;
}

function unescaped(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

interface Entry {
  hit: SearchHit;
  score: number;
  readonly ranks: { readonly engine: string; readonly rank: number }[];
}

/** The engines' lists as one: each page once, by the sum of 1 / (60 + rank), at most `limit` and 10. */
export function fuse(
  lists: readonly { engine: string; hits: readonly SearchHit[] }[],
  limit: number,
): FoundPage[] {
  const pages = new Map<string, Entry>();
  for (const { engine, hits } of lists) {
    const seen = new Set<string>();
    for (const { url: address, title, snippet, published } of hits) {
      const url = canonicalUrl(address);
      if (url === undefined) continue;
      const key = pageKey(url);
      if (seen.has(key)) continue;
      seen.add(key);
      const rank = seen.size;
      const hit: SearchHit = {
        url,
        title: tidy(title, TITLE) || url,
        snippet: tidy(snippet, SNIPPET),
        ...(published !== undefined && { published }),
      };
      const entry: Entry = pages.get(key) ?? { hit, score: 0, ranks: [] };
      entry.hit = better(entry.hit, hit);
      entry.score += 1 / (K + rank);
      entry.ranks.push({ engine, rank });
      pages.set(key, entry);
    }
  }
  for (const { ranks } of pages.values()) ranks.sort((a, b) => a.rank - b.rank);
  return [...pages.values()]
    .sort((a, b) => b.score - a.score || bestRank(a) - bestRank(b))
    .slice(0, Math.min(limit, MOST))
    .map(({ hit, ranks }) => ({ ...hit, engines: ranks.map(({ engine }) => engine) }));
}

function bestRank({ ranks }: Entry): number {
  return ranks[0]?.rank ?? Number.POSITIVE_INFINITY;
}

/** https before http, words before an address, and the longer text of the two. */
function better(a: SearchHit, b: SearchHit): SearchHit {
  const published = a.published ?? b.published;
  return {
    url: a.url.startsWith('https:') || b.url.startsWith('http:') ? a.url : b.url,
    title: a.title === a.url ? b.title : a.title,
    snippet: b.snippet.length > a.snippet.length ? b.snippet : a.snippet,
    ...(published !== undefined && { published }),
  };
}

/** One line of at most `limit` characters without invisible ones, which could carry words to a model. */
function tidy(text: string, limit: number): string {
  const line = text
    .toWellFormed()
    .replace(/\s+/g, ' ')
    .replace(/(?![\u200c\u200d])[\p{Cc}\p{Cf}]/gu, '')
    .trim();
  return takeCharacters(line, limit);
}
