import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import { toHits } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  readHtml,
  readRows,
  readTextWithoutQuestion,
  resolveResultLink,
  throwIfCaptcha,
} from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import selectors from '../answers/result-selectors.json' with { type: 'json' };
import { readScriptLiteral } from '../answers/script-literal.ts';
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory, type SearchQuery } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const SINCE = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
const COUNTRIES =
  /^(?:ar|at|au|be|br|ca|ch|cl|cn|de|dk|es|fi|fr|gb|hk|id|in|it|jp|kr|mx|my|nl|no|nz|ph|pl|pt|ru|sa|se|tr|tw|us|za)$/;
const DATED = /^([^-–]{4,19}[^-–\s])\s{0,9}[-–]?$/;
const { titles: TITLES, words: WORDS } = selectors.brave;

const OWN = 'search.brave.com';
const STATE = 'data: [';
const list = z.array(z.unknown()).nullish().catch(undefined);
const box = z.object({ results: list }).nullish().catch(undefined);
const state = z.object({
  data: z.object({ body: z.object({ response: z.object({ web: box, news: box, results: list }) }) }),
});
const stated = z.object({
  title: z.string(),
  url: z.string(),
  description: z.string().nullish().catch(undefined),
  page_age: z.string().nullish().catch(undefined),
});

/** Brave's HTML result page. Images are only in the page's script. https://search.brave.com/help/operators */
export const brave: EngineFactory = ({ baseUrl = 'https://search.brave.com' } = {}) => ({
  ...describeEngine('brave'),
  http2: true,
  ...describeRobotRefusals(403),
  request: ({ text, language, region, timeRange, site, excludeSite, category, page = 1 }) => {
    const country = region?.toLowerCase() ?? '';
    const words = `${formatSiteFilters({ site, excludeSite })}${text}`;
    const operators = language ? ` lang:${language}` : '';
    return createGetRequest(
      `${baseUrl}/${category === 'news' ? 'news' : 'search'}`,
      {
        q: takeCharacters(words, MAX_QUESTION_CHARS - operators.length) + operators,
        source: category === 'news' ? undefined : 'web',
        offset: page > 1 ? page - 1 : undefined,
        tf: timeRange ? SINCE[timeRange] : undefined,
      },
      pageHeaders({
        // `useLocation=0` makes the results independent of the server's location.
        cookie: `safesearch=off; country=${COUNTRIES.test(country) ? country : 'all'}; useLocation=0; summarizer=0; ui_lang=en-us`,
      }),
    );
  },
  parse(body, query) {
    const $ = readHtml(body);
    const rows = rowsOf($, query);
    if (rows.length === 0) {
      const stated = readState(body, query);
      return stated.length > 0 ? stated : emptyAnswer($, query);
    }
    return readRows(rows, (row) => {
      const { link, title, words } = readRow($(row));
      const url = resolveResultLink(link, OWN);
      if (!url || title === '') return undefined;
      const date = words.find('span.t-secondary').first();
      const published = DATED.exec(date.text().trim())?.[1];
      if (published) date.remove();
      return { url, title: escapeHtmlText(title), snippet: escapeHtmlText(words.text()), published };
    });
  },
});

function readState(body: string, { category }: SearchQuery) {
  const start = body.indexOf(STATE);
  if (start < 0) return [];
  const parts = readScriptLiteral(body, start + STATE.length - 1);
  const found = (Array.isArray(parts) ? parts : []).flatMap((part) => state.safeParse(part).data ?? []);
  return found.flatMap(({ data }) => {
    const { web, news, results } = data.body.response;
    const list = category === 'news' ? (results ?? news?.results) : web?.results;
    return (list ?? []).flatMap((one) => {
      const { data: hit } = stated.safeParse(one);
      const url = resolveResultLink(hit?.url, OWN);
      return hit && url
        ? toHits({ url, title: hit.title, snippet: hit.description, published: hit.page_age })
        : [];
    });
  });
}

function rowsOf($: CheerioAPI, { category }: SearchQuery) {
  const kind = category === 'news' ? 'news' : 'web';
  const named = $(`[data-type="${kind}"]`).toArray();
  if (named.length > 0) return named;
  const wrapped = $('#results .result-wrapper').not('.snippet .result-wrapper').toArray();
  if (wrapped.length > 0) return wrapped;
  return $('#results .snippet')
    .not('[data-type], #llm-snippet, #pagination-snippet, .standalone, [id*="ad-"]')
    .toArray()
    .filter((row) => $(row).find('a[href^="http"]').length > 0);
}

function readRow(row: HtmlNodes): { link: string | undefined; title: string; words: HtmlNodes } {
  const title = findFirstMatch(row, TITLES);
  const around = title.closest('a[href]');
  const inside = title.find('a[href]').first();
  const link = around.attr('href') ?? inside.attr('href') ?? row.find('a[href]').first().attr('href');
  return { link, title: title.text().trim(), words: findFirstMatch(row, WORDS) };
}

function emptyAnswer($: CheerioAPI, query: SearchQuery) {
  throwIfCaptcha($);
  const told = readTextWithoutQuestion($, query.text);
  const asks = $('[href*="pow-captcha"], [name="captcha-button"]').length > 0;
  if (asks || /captcha|flagged as being suspicious|not a robot/i.test(told)) {
    throw new EngineError('captcha', 'it asks for a captcha');
  }
  if (/not many great matches|no (?:news )?results found|no more results/i.test(told)) return [];
  throw new EngineError('changed', 'its page has no results: the markup has changed');
}
