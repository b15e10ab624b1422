import type { SearchQuery } from '../engine.ts';

/** Characters of these words at most: those of the question need place too, and `withinFilters` sees to the rest. */
const MAX_CHARS = 250;

export interface SiteWordsOptions {
  /** How the engine spells "one or the other". */
  readonly or?: string;
  /** How it spells "of this host". */
  readonly of?: string;
}

/**
 * The hosts of a query as most engines read them, to stand before its words: `site:a `, `(site:a OR site:b) ` and
 * `-site:c `; empty without any. As many as have place, and of the hosts to search within at least one.
 */
export function siteWords(
  { site = [], excludeSite = [] }: Pick<SearchQuery, 'site' | 'excludeSite'>,
  { or = 'OR', of = 'site:' }: SiteWordsOptions = {},
): string {
  const within: string[] = [];
  let length = 0;
  const fits = (word: string) => {
    length += word.length + or.length + 2;
    return length <= MAX_CHARS;
  };
  for (const word of site.map((host) => of + host)) if (fits(word) || within.length === 0) within.push(word);
  const without = excludeSite.map((host) => `-${of}${host}`).filter(fits);
  const asked = within.length > 1 ? `(${within.join(` ${or} `)})` : within[0];
  return [asked, ...without].flatMap((word) => (word ? [`${word} `] : [])).join('');
}
