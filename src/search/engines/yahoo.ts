import type { CheerioAPI } from 'cheerio';
import { YAHOO_HOSTS } from '../answers/engine-regions.ts';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  type HtmlNodes,
  readResultPage,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const PAGE = 7;
const NEWS_PAGE = 10;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;
const LANGUAGES =
  /^(?:ar|bg|cs|da|de|el|en|es|et|fi|fr|he|hr|hu|it|ja|ko|lt|lv|nl|no|pl|pt|ro|ru|sk|sl|sv|th|tr)$/;
const EMPTY = {
  captcha: /captcha|are you a robot|unusual traffic|verify (?:that )?you/i,
  nothing: /we did not find (?:any )?results/i,
};
const OWN = 'search.yahoo.com';
const DATED = /^([A-Z][a-z]{2} \d{1,2}, \d{4}|\d{1,3} (?:minute|hour|day|week|month|year)s? ago) ?·$/;
const AGO = /\d{1,3} (?:minute|hour|day|week|month|year)s? ago/;

/** Yahoo's HTML result pages. A redirect sets the cookie `YBV`, which later requests must send. */
export const yahoo: EngineFactory = ({ baseUrl } = {}) => ({
  ...describeEngine(
    'yahoo',
    baseUrl === undefined ? {} : { takes: ['language', 'timeRange', 'site', 'sites', 'excludeSite'] },
  ),
  ...describeRobotRefusals(403, 999),
  request: ({ text, language = '', region = '', timeRange, site, excludeSite, category, page = 1 }) => {
    const news = category === 'news';
    const tongue = language === 'nb' ? 'no' : language;
    const host = YAHOO_HOSTS.get(region);
    const first = host === undefined ? '' : `${host}.`;
    const home = baseUrl ?? `https://${news ? 'news.' : first}search.yahoo.com`;
    const offset = (page - 1) * (news ? NEWS_PAGE : PAGE) + 1;
    return createGetRequest(
      `${home}/search`,
      {
        p: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        // Without an empty `iscqry`, Yahoo sends some users a first page without results.
        iscqry: page > 1 || news ? undefined : '',
        btf: timeRange ? SINCE[timeRange] : undefined,
        ...(page > 1 && { b: String(offset), pz: PAGE }),
      },
      pageHeaders({
        cookie: `sB=v=1&vm=p&fl=1&vl=lang_${LANGUAGES.test(tongue) ? tongue : 'any'}&pn=10&rw=new&userset=1`,
      }),
    );
  },
  parse(body, query) {
    const news = query.category === 'news';
    return readResultPage(body, query, { ...EMPTY, rows: news ? findNews : findRows }, (row) => {
      const title = row.find(news ? 'h4' : '.compTitle, h3').first();
      const around = title.closest('a[href]');
      const link = around.length > 0 ? around : title.find('a[href]').first();
      const url = resolveResultLink(target(link.attr('href')), OWN);
      if (!url) return undefined;
      const heading = link.find('h3, h4').first();
      link.find('.p-abs').remove();
      const label = heading.length > 0 ? '' : link.attr('aria-label');
      const text = findFirstMatch(row, ['.compText', 'p']);
      const beside = row.find('.s-time, .fc-2nd').text();
      const date = text.find('span').first();
      const before = DATED.exec(date.text().trim())?.[1];
      if (before) date.remove();
      return {
        url,
        title: label || (heading.length > 0 ? heading : link).text(),
        snippet: text.text(),
        published: before ?? AGO.exec(beside)?.[0],
      };
    });
  },
});

const findNews = ($: CheerioAPI) => orReportProblems($, $('#web li, ol.searchCenterMiddle li').has('h4'));
const findRows = ($: CheerioAPI) => orReportProblems($, $('div.algo-sr, div.algo, div.relsrch'));

function orReportProblems($: CheerioAPI, rows: HtmlNodes): HtmlNodes {
  if (rows.length === 0 && /temporary problems/i.test($('.zrpmsg, .zrp_yst').text())) {
    throw new EngineError('rate_limited', 'it says that it has temporary problems');
  }
  return rows;
}

/** Returns the address inside a redirect `.../RU=<address>/RK=2/RS=...`, or '' for an advertisement. */
function target(href = ''): string {
  const from = href.indexOf('/RU=');
  const packed = from < 0 ? href : (href.slice(from + 4).split(/\/R[KS]=/, 1)[0] ?? '');
  let address = packed;
  try {
    if (from >= 0) address = decodeURIComponent(packed.replaceAll('+', ' '));
  } catch {
    return '';
  }
  return /^https?:\/\/(?:www\.)?bing\.com\/aclick/.test(address) ? '' : address;
}
