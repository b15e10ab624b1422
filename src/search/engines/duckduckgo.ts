import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { chooseDuckduckgoRegion } from '../answers/engine-regions.ts';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import type { RawHit } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  newsOrImagesCategory,
  readHtml,
  readRows,
  throwIfCaptcha,
} from '../answers/html-answer.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import selectors from '../answers/result-selectors.json' with { type: 'json' };
import { pageHeaders, scriptHeaders } from '../asking/browser-headers.ts';
import {
  describeEngine,
  EngineError,
  type EngineOptions,
  type SearchEngine,
  type SearchHit,
  type SearchQuery,
} from '../engine.ts';

const SERVICE = { name: 'DuckDuckGo' } as const;
const MAX_QUESTION_CHARS = 499;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;
const FIRST_PAGE = 10;
const NEXT_PAGE = 15;
const PART_PAGE = { news: 30, images: 100 } as const;
const answer = z.object({ results: z.array(z.unknown()) });
const item = z.object({
  url: z.string(),
  title: z.string().nullish(),
  excerpt: z.string().nullish().catch(undefined),
  image: z.string().nullish().catch(undefined),
  date: z.number().nullish().catch(undefined),
});

/** DuckDuckGo's result page without scripts. News and images need a code (`vqd`) from the start page. */
export function duckduckgo({ baseUrl }: EngineOptions = {}): SearchEngine {
  const home = baseUrl ?? 'https://html.duckduckgo.com';
  const main = baseUrl ?? 'https://duckduckgo.com';
  const page = `${home}/${new URL(home).hostname.startsWith('lite.') ? 'lite' : 'html'}/`;
  const post = (query: SearchQuery, body: string) => ({
    url: page,
    method: 'POST' as const,
    headers: pageHeaders({ from: page, form: new URL(home).origin, cookie: settings(query) }),
    body,
  });
  return {
    ...describeEngine('duckduckgo'),
    http2: true,
    ...describeRobotRefusals(403, 418),
    visit: {
      lifetime: 0,
      request(query) {
        if (!newsOrImagesCategory(query)) return (query.page ?? 1) > 1 ? post(query, form(query)) : undefined;
        return {
          url: `${main}/?${new URLSearchParams({ q: questionOf(query), t: 'h_', ia: newsOrImagesCategory(query) ?? '' })}`,
          headers: pageHeaders(),
        };
      },
      read: (body) => /\bvqd=["']([\d-]{3,200})["']/.exec(body)?.[1] ?? nextForm(body),
    },
    request(query, token = '') {
      const part = newsOrImagesCategory(query);
      if (!part) return post(query, (query.page ?? 1) > 1 ? nextFields(query, token) : form(query));
      const { timeRange, region, language, page: place = 1 } = query;
      return createGetRequest(
        `${main}/${part === 'news' ? 'news' : 'i'}.js`,
        {
          l: chooseDuckduckgoRegion(region, language),
          o: 'json',
          q: questionOf(query),
          vqd: token,
          p: '-1',
          df: timeRange && part === 'news' ? SINCE[timeRange] : undefined,
          f:
            timeRange && part === 'images'
              ? `time:${timeRange[0]?.toUpperCase()}${timeRange.slice(1)}`
              : undefined,
          s: place > 1 ? String((place - 1) * PART_PAGE[part]) : undefined,
        },
        scriptHeaders({ from: `${main}/`, site: 'same-origin' }),
      );
    },
    parse: (body, query) => (newsOrImagesCategory(query) ? readPart(body) : readPage(body)),
  };
}

function questionOf({ text, site, excludeSite }: SearchQuery): string {
  return formatQuestion({ text: withoutBangs(text), site, excludeSite }, MAX_QUESTION_CHARS);
}

function settings({ region, language, timeRange }: SearchQuery): string | undefined {
  const chosen = [
    ...(region || language ? [`kl=${chooseDuckduckgoRegion(region, language)}`] : []),
    ...(timeRange ? [`df=${SINCE[timeRange]}`] : []),
  ];
  return chosen.length > 0 ? chosen.join('; ') : undefined;
}

function form(query: SearchQuery): string {
  const { region, language, timeRange } = query;
  return new URLSearchParams(
    omitUndefined({
      q: questionOf(query),
      b: '',
      kl: chooseDuckduckgoRegion(region, language),
      df: timeRange ? SINCE[timeRange] : undefined,
    }),
  ).toString();
}

function nextFields(query: SearchQuery, token: string): string {
  const fields = new URLSearchParams(token || form(query));
  const { page = 1 } = query;
  const offset = FIRST_PAGE + (page - 2) * NEXT_PAGE;
  if (page > 2 || !fields.has('s')) {
    fields.set('s', String(offset));
    fields.set('dc', String(offset + 1));
  }
  return fields.toString();
}

function nextForm(body: string): string {
  const $ = readHtml(body);
  checkCaptcha($);
  const fields = $('input[name="vqd"]').last().closest('form').find('input[type="hidden"][name]').toArray();
  if (fields.length === 0)
    throw new EngineError('changed', 'it has no further page, or its markup has changed');
  return new URLSearchParams(
    fields.map((field) => [$(field).attr('name') ?? '', $(field).attr('value') ?? '']),
  ).toString();
}

function checkCaptcha($: CheerioAPI): void {
  if ($('#challenge-form, [class*="anomaly-modal"]').length === 0) return;
  throw new EngineError('captcha', 'it asks for a captcha');
}

function readPart(body: string): SearchHit[] {
  if (/anomaly\.js|challenge-form/.test(body)) throw new EngineError('captcha', 'it asks for a captcha');
  const { results } = readJson(body, answer, SERVICE);
  return readHits(results, item, SERVICE, ({ date, excerpt, ...rest }) => ({
    ...rest,
    title: escapeHtmlText(rest.title ?? ''),
    snippet: excerpt,
    ...(date && { image: undefined, published: date * 1000 }),
  }));
}

function readPage(body: string): SearchHit[] {
  const $ = readHtml(body);
  checkCaptcha($);
  const rows = $(ROWS).not('.result--ad, .result--no-result').toArray();
  if (rows.length > 0) return readRows(rows, (row) => readRow($(row)));
  const links = $('a.result-link').toArray();
  if (links.length > 0) return readRows(links, (link) => readLiteRow($(link)));
  if ($('.no-results, .result--no-result, .result--ad').length > 0) return [];
  throwIfCaptcha($);
  throw new EngineError('changed', 'the results of its page cannot be separated: the markup has changed');
}

const { rows: ROWS, titles: LINKS, words: WORDS } = selectors.duckduckgo;

function readRow(row: HtmlNodes): RawHit {
  const link = findFirstMatch(row, LINKS);
  const published = row
    .find('.result__extras__url > span, .result__extras > span')
    .toArray()
    .map((part) => row.find(part).text().trim())
    .find((part) => /^\d{4}-\d{2}-\d{2}/.test(part));
  return {
    url: target(link.attr('href') ?? ''),
    title: escapeHtmlText(link.text()),
    snippet: escapeHtmlText(findFirstMatch(row, WORDS).text()),
    published,
  };
}

function readLiteRow(link: HtmlNodes): RawHit | undefined {
  const row = link.closest('tr');
  if (row.is('.result-sponsored')) return undefined;
  const snippet = row.next('tr').find('.result-snippet').first().text();
  return {
    url: target(link.attr('href') ?? ''),
    title: escapeHtmlText(link.text()),
    snippet: escapeHtmlText(snippet),
  };
}

/** Removes bangs such as `!w magpie`, by which DuckDuckGo sends the question to another site. */
function withoutBangs(text: string): string {
  return text.replace(/(^|\s)[!\\]+(?=\S)|(?<=\S)!+(?=\s|$)/g, '$1');
}

function target(href: string): string {
  if (!URL.canParse(href, 'https://duckduckgo.com')) return '';
  const url = new URL(href, 'https://duckduckgo.com');
  if (!/(^|\.)duckduckgo\.com$/.test(url.hostname)) return url.href;
  const behind = url.pathname === '/l/' ? (url.searchParams.get('uddg') ?? '') : '';
  if (!/^https?:\/\//i.test(behind) || !URL.canParse(behind)) return '';
  const page = new URL(behind);
  return page.hostname === 'duckduckgo.com' && page.pathname === '/y.js' ? '' : page.href;
}
