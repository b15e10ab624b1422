import type { SearchHit } from './engine.ts';

/** A page as the merged list has it. */
export interface FoundPage extends SearchHit {
  /** Engines that named it, best rank first. */
  readonly engines: readonly string[];
}

/** Reciprocal-rank fusion's constant (Cormack, Clarke and Buettcher 2009). */
const K = 60;

const TRACKING =
  /^(utm_\w+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|igshid|mc_[ce]id|_hs\w+|mkt_tok|ref_src|ref_url|vero_id|wickedid|oly_\w+_id|s_cid|ns_\w+|twclid|ttclid|li_fat_id|_ga|_gl|srsltid|cmpid|spm)$/i;

/** The address without tracking parameters and fragment; undefined for what is no web address. */
export function canonicalUrl(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  if (url.username || url.password) return undefined;
  for (const name of [...url.searchParams.keys()]) if (TRACKING.test(name)) url.searchParams.delete(name);
  // Single-page sites keep the page's address in the fragment.
  if (!/^#!?\//.test(url.hash)) url.hash = '';
  return url.href;
}

/** Two addresses with the same key are one page: http and https, with and without a last slash. */
function pageKey(canonical: string): string {
  return canonical.replace(/^https?:\/\//, '').replace(/\/(?=$|\?)/, '');
}

/** The engines' lists as one: each page once, by the sum of 1 / (60 + rank), at most `limit`. */
export function fuse(
  lists: readonly { engine: string; hits: readonly SearchHit[] }[],
  limit: number,
): FoundPage[] {
  const pages = new Map<string, { hit: SearchHit; score: number; engines: string[]; first: number }>();
  for (const { engine, hits } of lists) {
    const seen = new Set<string>();
    hits.forEach((hit, index) => {
      const url = canonicalUrl(hit.url);
      if (url === undefined) return;
      const key = pageKey(url);
      if (seen.has(key)) return;
      seen.add(key);
      const known = pages.get(key);
      const score = 1 / (K + seen.size);
      if (!known) pages.set(key, { hit: { ...hit, url }, score, engines: [engine], first: index });
      else {
        known.score += score;
        known.engines.push(engine);
        known.hit = better(known.hit, { ...hit, url });
      }
    });
  }
  return [...pages.values()]
    .sort((a, b) => b.score - a.score || a.first - b.first)
    .slice(0, limit)
    .map(({ hit, engines }) => ({ ...hit, engines }));
}

/** https before http, and the longer text of the two. */
function better(a: SearchHit, b: SearchHit): SearchHit {
  return {
    url: a.url.startsWith('https:') ? a.url : b.url,
    title: a.title || b.title,
    snippet: b.snippet.length > a.snippet.length ? b.snippet : a.snippet,
  };
}
