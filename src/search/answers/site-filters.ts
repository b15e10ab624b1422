import type { SearchQuery } from '../engine.ts';

/** Maximum length of the site filters in a query, in characters. `createHitFilter` applies the filters that do not fit. */
const MAX_CHARS = 250;

export interface SiteFilterSyntax {
  /** The engine's operator for "or". Default `OR`. */
  readonly or?: string;
  /** The engine's operator for "of this host". Default `site:`. */
  readonly of?: string;
}

/** Returns the host filters of a query: `(site:a OR site:b) `, `-site:c `. Includes as many hosts as fit, at least one. */
export function formatSiteFilters(
  { site = [], excludeSite = [] }: Pick<SearchQuery, 'site' | 'excludeSite'>,
  { or = 'OR', of = 'site:' }: SiteFilterSyntax = {},
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
