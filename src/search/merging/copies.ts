import { lazy } from '../../lib/concurrency/lazy.ts';
import { terms } from '../../lib/text/text.ts';

export interface ComparedPage {
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
}

export interface PageFeatures {
  readonly host: string;
  /** Words of the title, joined by spaces. Pages with different titles are never compared. */
  readonly title: string;
  /** Returns the words to compare. They are computed once, and only if another page has the same title. */
  words(): ComparedWords;
}

interface ComparedWords {
  readonly shingles: ReadonlySet<string>;
  /** Numbers in the title and the snippet. Versions, years and parts of a series often differ only in a number. */
  readonly numbers: ReadonlySet<string>;
}

const SHINGLE_WORDS = 3;
/** Minimum number of shingles (word sequences) in the shorter snippet, because a shorter text proves too little. */
const MIN_SHINGLES = 8;
/** Minimum number of words in a title. Many pages share shorter titles, such as "Home" or "Terms of use". */
const MIN_TITLE_WORDS = 3;
/** Share of the shorter snippet's shingles that must also be in the longer one, because engines cut texts differently. */
const CONTAINED_SHARE = 0.8;

/** Matches the name of a site after the title of its page. */
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

/** True if two results are copies of one text. Returns false in doubt, because a wrong match hides a page. */
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
