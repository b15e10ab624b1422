import type { CheerioAPI } from 'cheerio';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  readResultPage,
  resolveResultLink,
} from '../answers/html-answer.ts';
import selectors from '../answers/result-selectors.json' with { type: 'json' };
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const LANGUAGES = /^(?:be|de|en|fr|id|kk|ru|tr|tt|uk)$/;
/** Id of a Yandex search form that another website embeds. The form searches the whole web. */
const FORM = '3131712';
const PAGE = {
  rows($: CheerioAPI) {
    const named = $('li.b-serp-item, li.serp-item').not('[class*="_adv"], [data-fast-name="adv"]');
    // If the class of the rows has changed, finds the rows by the class of their titles.
    const rows = named.length > 0 ? named : $('li:has(.OrganicTitle-Link)');
    return rows.filter((_, row) => !isAdvertised($(row)));
  },
  captcha: /smartcaptcha|not a robot|confirm that you|вы не робот|автоматические/i,
  nothing: /no results|no search results|nothing (?:was )?found|ничего не наш/i,
  sign: '.EmptySearchResults, .b-error__title',
};
const { titles: TITLES, words: WORDS } = selectors.yandex;
const ADVERTISED = /^(?:промо|реклама|ad|ads|sponsored)$/i;

export const yandex: EngineFactory = ({ baseUrl = 'https://yandex.com' } = {}) => ({
  ...describeEngine('yandex'),
  http2: true,
  ...describeRobotRefusals(403),
  request: ({ text, language = '', site, excludeSite, page = 1 }) =>
    createGetRequest(
      `${baseUrl}/search/site/`,
      {
        tmpl_version: 'releases',
        text: takeCharacters(
          `${formatSiteFilters({ site, excludeSite }, { or: '|' })}${text}`,
          MAX_QUESTION_CHARS,
        ),
        web: '1',
        frame: '1',
        searchid: FORM,
        lang: LANGUAGES.test(language) ? language : undefined,
        p: page > 1 ? page - 1 : undefined,
      },
      pageHeaders(),
    ),
  parse: (body, query) =>
    readResultPage(body, query, PAGE, (row) => {
      const link = findFirstMatch(row, TITLES);
      const url = resolveResultLink(link.attr('href'), 'yandex.com');
      if (!url || /^https?:\/\/(?:yabs\.)?yandex\.ru\//.test(url)) return undefined;
      return { url, title: link.text(), snippet: findFirstMatch(row, WORDS).text() };
    }),
});

function isAdvertised(row: HtmlNodes): boolean {
  const labels = row.find('span:not(:has(*)), div:not(:has(*))').not('h2 *, h3 *, b');
  return labels.toArray().some((label) => ADVERTISED.test(row.find(label).text().trim()));
}
