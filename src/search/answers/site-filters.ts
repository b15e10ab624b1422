import type { SearchQuery } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

/** Maximum length of the site filters in a query. Further filters are applied to the engine's hits. */
const MAX_CHARS = 250;

export interface SiteFilterSyntax {
  readonly or?: string;
  readonly of?: string;
}

/** Returns site filters as search operators, such as `(site:a OR site:b) -site:c`, with as many hosts as fit. */
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

/** Returns a question with its site filters before the words, cut to `maxChars` characters. */
export function formatQuestion(
  { text, ...filters }: Pick<SearchQuery, 'text' | 'site' | 'excludeSite'>,
  maxChars: number,
): string {
  return takeCharacters(`${formatSiteFilters(filters)}${text}`, maxChars);
}
