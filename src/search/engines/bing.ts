import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { resolveMarket } from '../answers/engine-regions.ts';
import { toHits } from '../answers/hit.ts';
import {
  escapeHtmlText,
  findFirstMatch,
  readEmptyPage,
  readHtml,
  readRows,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { formatSiteFilters } from '../answers/site-filters.ts';
import { acceptLanguage, pageHeaders } from '../asking/browser-headers.ts';
import {
  EngineError,
  type EngineOptions,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
} from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

/** Maximum length of a question in characters; it is part of the URL. */
const MAX_QUESTION_CHARS = 400;
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

/** Bing's result pages. Their links lead through a redirect that contains the target address. */
export function bing({ baseUrl = 'https://www.bing.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'bing',
    about: {
      title: 'Bing',
      website: 'https://www.bing.com/',
      source: 'bing',
      needsKey: false,
      categories: ['general', 'news', 'images'],
      // Lists no time range, because Bing offers neither this nor further pages without scripts.
      takes: ['language', 'region', 'site', 'sites', 'excludeSite'],
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
    http2: true,
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request(query) {
      const { text, language, region, site, excludeSite } = query;
      // Always sets a country and language: without them Bing uses the server's location and returns unrelated pages.
      const place = resolveMarket(language, region) ?? { language: 'en', country: 'US' };
      const { path, fields } = PARTS[partOf(query)];
      return {
        url: `${baseUrl}${path}?${new URLSearchParams({
          q: takeCharacters(`${formatSiteFilters({ site, excludeSite })}${text}`, MAX_QUESTION_CHARS),
          mkt: `${place.language}-${place.country}`,
          cc: place.country.toLowerCase(),
          setlang: 'en',
          ...fields,
        })}`,
        headers: pageHeaders({ language: acceptLanguage(language, region), cookie: 'SRCHHPGUSR=ADLT=OFF' }),
      };
    },
    parse(body, query) {
      const $ = readHtml(body);
      const part = partOf(query);
      const rows = $(ROWS[part]).toArray();
      if (rows.length === 0) return readEmptyPage($, query.text, EMPTY);
      if (part === 'images') return pictures($, rows);
      return readRows(rows, (row) => {
        const link = findFirstMatch($(row), part === 'web' ? TITLES : ['a.title']);
        const url = target(link.attr('href'));
        return url
          ? { url, title: escapeHtmlText(link.text()), ...(part === 'web' ? words($, row) : news($, row)) }
          : undefined;
      });
    },
  };
}

type Part = keyof typeof ROWS;
type Row = Parameters<CheerioAPI>[0];

const PARTS: Record<Part, { path: string; fields: Readonly<Record<string, string>> }> = {
  web: { path: '/search', fields: { form: 'QBLH' } },
  news: {
    path: '/news/infinitescrollajax',
    fields: { InfiniteScroll: '1', first: '1', SFX: '0', form: 'PTFTNR' },
  },
  images: { path: '/images/async', fields: { async: '1', first: '1', count: '35' } },
};

function partOf({ category }: SearchQuery): Part {
  return category === 'news' || category === 'images' ? category : 'web';
}

function words($: CheerioAPI, row: Row) {
  const text = $(row as never)
    .find('.b_caption p, .b_lineclamp2, .b_lineclamp3, .b_algoSlug, .b_snippet, p')
    .first();
  text.find('.algoSlug_icon').remove();
  const date = text.find('.news_dt').first();
  const published = date.text();
  date.remove();
  return { snippet: escapeHtmlText(text.text().replace(/^\s*·\s*/, '')), published };
}

function news($: CheerioAPI, row: Row) {
  const when = $(row as never)
    .find('[aria-label$=" ago"], .source [aria-label]')
    .first()
    .attr('aria-label');
  return {
    snippet: escapeHtmlText(
      $(row as never)
        .find('.snippet')
        .first()
        .text(),
    ),
    published: when,
  };
}

function pictures($: CheerioAPI, rows: readonly Row[]): SearchHit[] {
  const read = rows.flatMap((row) => {
    const given = picture.safeParse(json($(row as never).attr('m')));
    return given.success ? [given.data] : [];
  });
  if (read.length === 0) throw new EngineError('changed', 'its pictures are not what Bing answers');
  return read.flatMap(({ purl, murl, t }) =>
    toHits({ url: purl, title: escapeHtmlText(t ?? ''), image: murl }),
  );
}

function json(text = ''): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Extracts the target of `/ck/a?...&u=a1<address in base64url>`. Other links to Bing are not results. */
function target(href: string | undefined): string | undefined {
  const url =
    href && URL.canParse(href, 'https://www.bing.com') ? new URL(href, 'https://www.bing.com') : undefined;
  const packed = url?.pathname === '/ck/a' ? url.searchParams.get('u') : undefined;
  if (packed?.startsWith('a1'))
    return resolveResultLink(Buffer.from(packed.slice(2), 'base64url').toString(), 'bing.com');
  return resolveResultLink(href, 'bing.com');
}
