import { omitUndefined } from '../../lib/omit-undefined.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import type { TimeRange } from '../../lib/time/date-range.ts';
import type { EngineRequest, SearchQuery } from '../engine.ts';

const JSON_WANTED: Readonly<Record<string, string>> = { accept: 'application/json' };

export function createGetRequest(
  url: string,
  fields: Readonly<Record<string, string | number | undefined>>,
  headers = JSON_WANTED,
): EngineRequest {
  const set = Object.entries(omitUndefined(fields)).map(([name, value]) => [name, String(value)]);
  return { url: `${url}?${new URLSearchParams(set)}`, headers };
}

export function createJsonRequest(
  url: string,
  headers: Readonly<Record<string, string>>,
  content: Readonly<Record<string, unknown>>,
): EngineRequest {
  return {
    url,
    method: 'POST',
    headers: { ...JSON_WANTED, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(content),
  };
}

/** Maximum characters of the site filters in a query. Further site filters are applied only to the hits. */
const MAX_CHARS = 250;

/** Writes site filters such as `(site:a OR site:b) -site:c`, within `MAX_CHARS` characters. */
export function formatSiteFilters(
  { site = [], excludeSite = [] }: Pick<SearchQuery, 'site' | 'excludeSite'>,
  { or = 'OR', of = 'site:' }: { readonly or?: string; readonly of?: string } = {},
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

export function formatQuestion(
  { text, ...filters }: Pick<SearchQuery, 'text' | 'site' | 'excludeSite'>,
  maxChars: number,
): string {
  return takeCharacters(`${formatSiteFilters(filters)}${text}`, maxChars);
}

const DAYS: Readonly<Record<TimeRange, number>> = { day: 1, week: 7, month: 31, year: 365 };

export function startOfTimeRange(range: TimeRange, now = Date.now()): string {
  return new Date(now - DAYS[range] * 24 * 3_600_000).toISOString();
}

const BEFORE =
  /^(?:what(?:'s| is| are| does| do)|who(?:'s| is| was)|define|definition of|(?:the )?meaning of|etymology of|was (?:ist|sind|bedeutet)|qu'est[- ]ce que?|qué (?:es|son|significa)|что такое)\s+(?:(?:an?|the|der|die|das|eine?|un|une|el|la) )?/i;
const AFTER = / (?:mean|means|stand for|definition|meaning|etymology|synonyms?|antonyms?)$/i;

/** Returns the term in a question about a term, for example `ubiquity` in `what does "ubiquity" mean?`. */
export function extractTerm(question: string, maxChars: number): string {
  const words = question
    .replace(/\s+/g, ' ')
    .replace(/["“”„«»?!]/g, '')
    .trim();
  const term = words.replace(BEFORE, '').replace(AFTER, '').trim();
  const asked = term || words || question.trim();
  // A term that is only dots becomes `-`, because `..` in a URL path means the parent folder.
  return /^\.*$/.test(asked) ? '-' : takeCharacters(asked, maxChars);
}
