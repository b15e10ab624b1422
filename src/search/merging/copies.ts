import { lazy } from '../../lib/concurrency/lazy.ts';
import { terms } from '../../lib/text/text.ts';

export interface ComparedPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface PageFeatures {
  readonly host: string;
  readonly title: string;
  words(): ComparedWords;
}

interface ComparedWords {
  readonly shingles: ReadonlySet<string>;
  /** Pages with different numbers may be versions, years or parts of a series. */
  readonly numbers: ReadonlySet<string>;
}

const SHINGLE_WORDS = 3;
/** Minimum number of word sequences in a snippet. Shorter snippets prove too little. */
const MIN_SHINGLES = 8;
/** Shorter titles, such as "Terms of use", occur on many different pages. */
const MIN_TITLE_WORDS = 3;
/** Share of the shorter snippet's word sequences that the longer snippet of a copy contains. */
const CONTAINED_SHARE = 0.8;
const SITE_NAME = /\s(?:[-–—|·•»]|::)\s[^-–—|·•»]{1,60}$/u;

export function extractPageFeatures(page: ComparedPage): PageFeatures {
  const bare = terms(page.title.replace(SITE_NAME, ''));
  return {
    host: new URL(page.url).hostname,
    title: bare.length >= MIN_TITLE_WORDS ? bare.join(' ') : '',
    words: lazy(() => comparedWords(bare, terms(page.snippet))),
  };
}

function comparedWords(title: readonly string[], snippet: readonly string[]): ComparedWords {
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_WORDS <= snippet.length; at++)
    shingles.add(snippet.slice(at, at + SHINGLE_WORDS).join(' '));
  return { shingles, numbers: new Set([...title, ...snippet].filter((word) => /^\d+$/.test(word))) };
}

/** True if two results are copies of one text. False in doubt, because copies are left out. */
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
