import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, formatSiteFilters, startOfTimeRange } from '../answers/engine-requests.ts';
import type { RawHit } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  newsOrImagesCategory,
  readResultPage,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const PAGE = 10;
/** Languages in Mojeek's preferences. Other languages are not sent to Mojeek. */
const LANGUAGES =
  /^(?:af|an|br|ca|co|cy|da|de|dz|en|es|fi|fr|ga|gd|gl|hr|ht|ia|id|ie|io|it|kw|la|lb|nb|nl|nn|no|oc|pl|pt|rm|rn|rw|sg|so|sq|ss|sv|sw|to|ts|vo|wa|xh|zu)$/;

export const mojeek: EngineFactory = ({ baseUrl = 'https://www.mojeek.com' } = {}) => ({
  // The pace is slow: users report that Mojeek refuses requests for minutes after about ten.
  ...describeEngine('mojeek'),
  http2: true,
  ...describeRobotRefusals(403),
  request: (query) => {
    const { text, language, region, timeRange, site, page = 1 } = query;
    const preferences = [
      ...(language && LANGUAGES.test(language) ? [`lb=${language}`] : []),
      `arc=${region ? region.toLowerCase() : 'none'}`,
    ];
    return createGetRequest(
      `${baseUrl}/search`,
      {
        q: takeCharacters(`${formatSiteFilters({ site })}${asWords(text)}`, MAX_QUESTION_CHARS),
        safe: '0',
        fmt: newsOrImagesCategory(query),
        // The first page is requested without an offset, because Mojeek counts an offset as a second request.
        s: page > 1 ? (page - 1) * PAGE + 1 : undefined,
        since: timeRange ? startOfTimeRange(timeRange).slice(0, 10).replaceAll('-', '') : undefined,
      },
      pageHeaders({ cookie: preferences.join('; ') }),
    );
  },
  parse(body, query) {
    const part = newsOrImagesCategory(query) ?? 'web';
    return readResultPage(body, query, { ...EMPTY, rows: ROWS[part] }, (row) => {
      if (part === 'images') return readPicture(row);
      const link = findFirstMatch(row, ['a.title[href]', 'h2 a[href]', 'a[href]:has(h2)']);
      const url = resolveResultLink(link.attr('href'), 'mojeek.com');
      if (!url) return undefined;
      const date = row.find('.mdate').first();
      const published = date.text();
      date.remove();
      return { url, title: link.text(), snippet: row.find('p.s').first().text(), published };
    });
  },
});

const ROWS = {
  web: 'ul[class*="results"] > li',
  news: 'section[class*="news-search-result"] article',
  images: '#results [class*="image"] > a[href], .results [class*="image"] > a[href]',
};
const EMPTY = {
  captcha: /captcha|complete this challenge|automated (?:queries|requests)/i,
  nothing: /no (?:pages|results|images|news|articles) found/i,
};

function readPicture(link: HtmlNodes): RawHit | undefined {
  const url = resolveResultLink(link.attr('href'), 'mojeek.com');
  return url ? { url, title: link.attr('data-title') ?? link.find('img').attr('alt') } : undefined;
}

/** Removes quotes and the colons of operators such as `site:`, because Mojeek may answer them with 403. */
function asWords(text: string): string {
  return text
    .replaceAll('"', ' ')
    .replace(/\b((?:all)?in(?:anchor|text|title|url)|since|before|site):/gi, '$1 ');
}
