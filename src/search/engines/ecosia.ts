import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  readResultPage,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const PAGE = {
  rows: '[data-test-id="mainline-result-web"]',
  captcha: /just a moment|verify(?:ing)? (?:that )?you are (?:a )?human|captcha|attention required/i,
  nothing: /no results|unfortunately we didn.t find/i,
  sign: '[data-test-id="web-no-results"]',
};
const TITLES = ['[data-test-id="result-title"]', 'h2', '.result__title'];
const LINKS = ['.result__title a[href]', 'a[data-test-id="result-link"]', 'a[href^="http"]'];
const WORDS = [
  '[data-test-id="web-result-description"]',
  '[data-test-id="result-description"]',
  '.result__description',
  'p',
];
const DATED = /^\s*([A-Z][a-z]{2} \d{1,2}, \d{4}) \.\.\. /;

/** Ecosia's HTML result page. Cloudflare, its host, often refuses programs because of their TLS handshake. */
export const ecosia: EngineFactory = ({ baseUrl = 'https://www.ecosia.org' } = {}) => ({
  ...describeEngine('ecosia'),
  http2: true,
  ...describeRobotRefusals(403, 503),
  request: ({ text, region, timeRange, site, excludeSite, page = 1 }) =>
    createGetRequest(
      `${baseUrl}/search`,
      {
        method: 'index',
        q: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        freshness: timeRange,
        p: page > 1 ? page - 1 : undefined,
      },
      pageHeaders({
        from: page > 1 ? `${baseUrl}/` : undefined,
        cookie: `ECFG=as=1:f=i:hs=1:mc=${region ? `en-${region.toLowerCase()}` : 'en-us'}:nt=0:t=0`,
      }),
    ),
  parse: (body, query) =>
    readResultPage(body, query, PAGE, (row) => {
      const title = findFirstMatch(row, TITLES);
      const inside = title.find('a[href]').first();
      const around = title.closest('a[href]');
      const link = around.length > 0 ? around : inside.length > 0 ? inside : findFirstMatch(row, LINKS);
      const url = resolveResultLink(link.attr('href'), 'ecosia.org');
      const words = findFirstMatch(row, WORDS).text();
      const published = DATED.exec(words);
      if (!url) return undefined;
      const snippet = published ? words.slice(published[0].length) : words;
      return { url, title: title.text(), snippet, published: published?.[1] };
    }),
});
