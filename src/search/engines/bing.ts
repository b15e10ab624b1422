import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import { acceptLanguage, pageHeaders } from '../browser.ts';
import {
  EngineError,
  type EngineOptions,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
} from '../engine.ts';
import { market } from '../engine-places.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, emptyPage, firstOf, pageAddress, readHtml, readRows } from '../html-answer.ts';
import { siteWords } from '../site-words.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
/** Results of a page, and pictures. */
const PAGE = 10;
const PICTURES = 35;
const DAY_MINUTES = 24 * 60;
/** How its pages spell a time: the web's, the news' and the pictures'. */
const SINCE = {
  day: ['ex1:"ez1"', 'interval="4"', DAY_MINUTES],
  week: ['ex1:"ez2"', 'interval="7"', 7 * DAY_MINUTES],
  month: ['ex1:"ez3"', 'interval="9"', 31 * DAY_MINUTES],
  year: ['', 'interval="9"', 365 * DAY_MINUTES],
} as const;
const EMPTY = {
  captcha: /captcha|verify (?:that )?you are (?:a )?human|one last step|unusual traffic|solve the challenge/i,
  nothing: /there are no results for/i,
  sign: '#b_results > .b_no, .no-result',
};
const ROWS = {
  web: '#b_results > li.b_algo, li.b_algo',
  news: '.news-card, .newsitem',
  images: 'a.iusc[m]',
} as const;
const TITLES = ['h2 a[href]', '.b_algoheader a[href]', 'a[href]:has(h2)', '.b_title a[href]'];

const picture = z.object({ purl: z.string(), murl: z.string().nullish(), t: z.string().nullish() });

/** Bing's result pages. Its links lead through a redirect that carries the address. */
export function bing({ baseUrl = 'https://www.bing.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'bing',
    about: {
      title: 'Bing',
      website: 'https://www.bing.com/',
      source: 'bing',
      needsKey: false,
      categories: ['general', 'news', 'images'],
      takes: ['language', 'region', 'timeRange', 'site', 'sites', 'excludeSite'],
      pages: 10,
      pace: 3000,
      resultPage: true,
      lastResort: true,
      facts: {
        limits: 'A page for people: it publishes no number and may refuse a program at any time.',
        atLimit: 'A captcha, 403 or 429.',
        keeps: 'question',
        privacy: 'Microsoft removes the address after six months, and other marks after 18.',
        sources: ['https://privacy.microsoft.com/en-us/privacystatement'],
        checked: '2026-11-27',
      },
    },
    cookies: true,
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request(query) {
      const { text, language, region, site, excludeSite } = query;
      const place = market(language, region);
      const words = {
        q: takeCharacters(`${siteWords({ site, excludeSite })}${text}`, MAX_QUESTION_CHARS),
        mkt: place && `${place.language}-${place.country}`,
        cc: place?.country.toLowerCase(),
        setlang: 'en',
      };
      const { path, fields } = PARTS[partOf(query)](query);
      return {
        url: `${baseUrl}${path}?${new URLSearchParams(defined({ ...words, ...fields }))}`,
        headers: pageHeaders({ language: acceptLanguage(language, region), cookie: 'SRCHHPGUSR=ADLT=OFF' }),
      };
    },
    parse(body, query) {
      const $ = readHtml(body);
      const part = partOf(query);
      const rows = $(ROWS[part]).toArray();
      if (rows.length === 0) return emptyPage($, query.text, EMPTY);
      if (part === 'images') return pictures($, rows);
      return readRows(rows, (row) => {
        const link = firstOf($(row), part === 'web' ? TITLES : ['a.title']);
        const url = target(link.attr('href'));
        return url
          ? { url, title: asHtml(link.text()), ...(part === 'web' ? words($, row) : news($, row)) }
          : undefined;
      });
    },
  };
}

type Part = keyof typeof ROWS;
type Row = Parameters<CheerioAPI>[0];

const PARTS: Record<
  Part,
  (query: SearchQuery) => { path: string; fields: Record<string, string | undefined> }
> = {
  web: ({ page = 1, timeRange }) => ({
    path: '/search',
    fields: {
      form: 'QBLH',
      first: page > 1 ? String((page - 1) * PAGE + 1) : undefined,
      filters: timeRange && (timeRange === 'year' ? lastYear() : SINCE[timeRange][0]),
    },
  }),
  news: ({ page = 1, timeRange }) => ({
    path: '/news/infinitescrollajax',
    fields: {
      InfiniteScroll: '1',
      first: String((page - 1) * PAGE + 1),
      SFX: String(page - 1),
      form: 'PTFTNR',
      qft: timeRange && SINCE[timeRange][1],
    },
  }),
  images: ({ page = 1, timeRange }) => ({
    path: '/images/async',
    fields: {
      async: '1',
      first: String((page - 1) * PICTURES + 1),
      count: String(PICTURES),
      qft: timeRange && `filterui:age-lt${SINCE[timeRange][2]}`,
    },
  }),
};

function partOf({ category }: SearchQuery): Part {
  return category === 'news' || category === 'images' ? category : 'web';
}

/** It has no year of its own: a range of days since 1970. */
function lastYear(): string {
  const today = Math.floor(Date.now() / (DAY_MINUTES * 60_000));
  return `ex1:"ez5_${today - 365}_${today}"`;
}

function words($: CheerioAPI, row: Row) {
  const text = $(row as never)
    .find('.b_caption p, .b_lineclamp2, .b_lineclamp3, .b_algoSlug, .b_snippet, p')
    .first();
  text.find('.algoSlug_icon').remove();
  const date = text.find('.news_dt').first();
  const published = date.text();
  date.remove();
  return { snippet: asHtml(text.text().replace(/^\s*·\s*/, '')), published };
}

function news($: CheerioAPI, row: Row) {
  const when = $(row as never)
    .find('[aria-label$=" ago"], .source [aria-label]')
    .first()
    .attr('aria-label');
  return {
    snippet: asHtml(
      $(row as never)
        .find('.snippet')
        .first()
        .text(),
    ),
    published: when,
  };
}

/** What a picture is stands as JSON in an attribute of its link. */
function pictures($: CheerioAPI, rows: readonly Row[]): SearchHit[] {
  const read = rows.flatMap((row) => {
    const given = picture.safeParse(json($(row as never).attr('m')));
    return given.success ? [given.data] : [];
  });
  if (read.length === 0) throw new EngineError('changed', 'its pictures are not what Bing answers');
  return read.flatMap(({ purl, murl, t }) => toHits({ url: purl, title: asHtml(t ?? ''), image: murl }));
}

function json(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `/ck/a?...&u=a1<address in base64url>`; its other own links are advertisements and further searches. */
function target(href: string | undefined): string | undefined {
  const url =
    href && URL.canParse(href, 'https://www.bing.com') ? new URL(href, 'https://www.bing.com') : undefined;
  const packed = url?.pathname === '/ck/a' ? url.searchParams.get('u') : undefined;
  if (packed?.startsWith('a1'))
    return pageAddress(Buffer.from(packed.slice(2), 'base64url').toString(), 'bing.com');
  return pageAddress(href, 'bing.com');
}
