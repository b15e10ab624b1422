import type { CheerioAPI } from 'cheerio';
import { defined } from '../../lib/defined.ts';
import { pageHeaders } from '../browser.ts';
import { EngineError, type EngineOptions, type SearchEngine, type SearchHit } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { toHits } from '../hit.ts';
import { asHtml, emptyPage, pageAddress, readHtml } from '../html-answer.ts';
import { siteWords } from '../site-words.ts';
import { startOf } from '../time-range.ts';

/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
/** Results of a page. */
const PAGE = 10;
/** What Mojeek's preferences offer; it knows the pages of no other language. */
const LANGUAGES =
  /^(?:af|an|br|ca|co|cy|da|de|dz|en|es|fi|fr|ga|gd|gl|hr|ht|ia|id|ie|io|it|kw|la|lb|nb|nl|nn|no|oc|pl|pt|rm|rn|rw|sg|so|sq|ss|sv|sw|to|ts|vo|wa|xh|zu)$/;

/** Mojeek's own index: https://www.mojeek.com/support/search-operators.html */
export function mojeek({ baseUrl = 'https://www.mojeek.com' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'mojeek',
    about: {
      title: 'Mojeek',
      website: 'https://www.mojeek.com/',
      needsKey: false,
      categories: ['general', 'news', 'images'],
      takes: ['language', 'region', 'timeRange', 'site'],
      pages: 10,
      // Its users measured about ten requests from one address before it refuses for some minutes.
      pace: 5000,
      resultPage: true,
      facts: {
        limits: 'A page for people: it publishes no number and may refuse a program at any time.',
        atLimit: 'A captcha, 403 or 429.',
        keeps: 'question',
        privacy: 'Its logs keep the page that was asked for, with the country in place of the address.',
        sources: ['https://www.mojeek.com/about/privacy/'],
        checked: '2026-11-27',
      },
    },
    cookies: true,
    pauses: [403],
    refusals: { 403: 'it refuses what seems to be a robot' },
    request: ({ text, language, region, timeRange, site, category, page = 1 }) => {
      const part = category === 'news' || category === 'images' ? category : undefined;
      // Preferences are cookies there; `none` is a region too: it would else go by the server's own place.
      const preferences = [
        ...(language && LANGUAGES.test(language) ? [`lb=${language}`] : []),
        `arc=${region ? region.toLowerCase() : 'none'}`,
      ];
      return {
        url: `${baseUrl}/search?${new URLSearchParams(
          defined({
            q: takeCharacters(`${siteWords({ site })}${asWords(text)}`, MAX_QUESTION_CHARS),
            fmt: part,
            // A place on the first page counts there as a second request.
            s: page > 1 ? String((page - 1) * PAGE + 1) : undefined,
            since: timeRange ? startOf(timeRange).slice(0, 10).replaceAll('-', '') : undefined,
          }),
        )}`,
        headers: pageHeaders({ cookie: preferences.join('; ') }),
      };
    },
    parse(body, query) {
      const $ = readHtml(body);
      if (query.category === 'images') return pictures($, query.text);
      const rows = $(query.category === 'news' ? NEWS : 'ul.results-standard > li').toArray();
      if (rows.length === 0) return emptyPage($, query.text, EMPTY);
      const links = rows.map((row) => $(row).find('a.title, h2 > a').first());
      if (links.every((link) => !link.attr('href'))) {
        throw new EngineError('changed', 'its results have no links: the markup has changed');
      }
      return rows.flatMap((row, at) => {
        const link = links[at];
        const url = pageAddress(link?.attr('href'), 'mojeek.com');
        if (!link || !url) return [];
        const date = $(row).find('.mdate').first();
        const published = date.text();
        date.remove();
        const snippet = $(row).find('p.s').first().text();
        return toHits({ url, title: asHtml(link.text()), snippet: asHtml(snippet), published });
      });
    },
  };
}

const NEWS = 'section[class*="news-search-result"] article';
const EMPTY = {
  captcha: /captcha|complete this challenge|automated (?:queries|requests)/i,
  nothing: /no (?:pages|results|images|news|articles) found/i,
};

/** The picture itself is Mojeek's own small copy of it: its address is left out. */
function pictures($: CheerioAPI, question: string): SearchHit[] {
  const links = $('#results [class*="image"] > a[href], .results [class*="image"] > a[href]').toArray();
  if (links.length === 0) return emptyPage($, question, EMPTY);
  return links.flatMap((link) => {
    const url = pageAddress($(link).attr('href'), 'mojeek.com');
    if (!url) return [];
    return toHits({
      url,
      title: asHtml($(link).attr('data-title') ?? $(link).find('img').attr('alt') ?? ''),
    });
  });
}

/** It answers 403 to an operator that stands alone and to quotation marks beside one. */
function asWords(text: string): string {
  return text
    .replaceAll('"', ' ')
    .replace(/\b((?:all)?in(?:anchor|text|title|url)|since|before|site):/gi, '$1 ');
}
