import { lazy } from '../../lib/concurrency/lazy.ts';
import { terms } from '../../lib/text/text.ts';

/** What a page shows of itself in a list of results. */
export interface Shown {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

/** What is compared of a page. */
export interface Likeness {
  readonly host: string;
  /** The words of the title; pages with other words in it are never compared. */
  readonly title: string;
  /** Made once, where another page has the title. */
  words(): ComparedWords;
}

interface ComparedWords {
  readonly shingles: ReadonlySet<string>;
  /** The numbers of title and snippet: versions, years and parts differ in little else. */
  readonly numbers: ReadonlySet<string>;
}

/** Words of a shingle. */
const SHINGLE_WORDS = 3;
/** Shingles of the shorter snippet below which it says too little. */
const MIN_SHINGLES = 8;
/** Words of a title below which many pages have the same: "Home", "Terms of use". */
const MIN_TITLE_WORDS = 3;
/** Share of the shorter snippet's shingles that the longer has too: engines cut one text at different places. */
const CONTAINED_SHARE = 0.8;

/** A site's own name behind its pages' titles. */
const SITE_NAME = /\s(?:[-–—|·•»]|::)\s[^-–—|·•»]{1,60}$/u;

export function likenessOf(page: Shown): Likeness {
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

/**
 * Whether two entries are copies of one text: on different hosts (a site's own pages differ by more than their
 * first lines), with the same title, no number of the one against the other's, and one snippet for the most
 * part within the other. A copy that is missed costs a place in the list; two pages taken for one hide one,
 * so in doubt they stay two.
 */
export function isCopy(a: Likeness, b: Likeness): boolean {
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
