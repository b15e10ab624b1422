import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import type { RawHit } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  type HtmlNodes,
  readEmptyPage,
  readHtml,
  readRows,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import { acceptLanguage } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory, type SearchHit } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const PAGE = 10;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;
/** User agent of an old phone without scripts. Google's page for browsers with scripts has no results. */
const PHONE = 'Nokia6230/2.0 (05.50) Profile/MIDP-2.0 Configuration/CLDC-1.1';
const KINDS: Readonly<Record<string, string>> = { news: 'nws', images: 'isch' };
const EMPTY = {
  captcha: /unusual traffic|captcha|not a robot/i,
  nothing: /did not match any|no results found|your search .{0,200} did not match/i,
};
const DATED =
  /(?:^|\s)(\d{1,2} (?:minute|hour|day|week|month)s? ago|[A-Z][a-z]{2} \d{1,2}, \d{4})(?:\s*[·—-]|$)/;

const HOME = 'https://www.google.com';
/** `REDIRECTS`: result links on pages for phones. `TITLED`: result links on pages for browsers. */
const REDIRECTS = 'a[href*="/url?"], a[href*="/imgres?"]';
const TITLED = 'a[href]:has(h3)';
const RESULT_LINKS = `${TITLED}, a[href*="/url?"]`;
const ADVERTISEMENTS = '#tads *, #tadsb *, #bottomads *, [data-text-ad] *';
const SCRIPTS_WANTED =
  'noscript [src*="enablejs"], noscript [href*="enablejs"], noscript [content*="enablejs"]';

export const googlePage: EngineFactory = ({ baseUrl = 'https://www.google.com' } = {}) => ({
  ...describeEngine('google-page'),
  ...describeRobotRefusals(403, 503),
  request: ({ text, language, region, timeRange, site, excludeSite, category = '', page = 1 }) =>
    createGetRequest(
      `${baseUrl}/wml/search`,
      {
        q: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        sca_esv: '1',
        hl: 'en',
        lr: language && `lang_${language === 'zh' ? 'zh-CN' : language}`,
        gl: region?.toLowerCase(),
        ie: 'utf8',
        oe: 'utf8',
        tbm: KINDS[category],
        tbs: timeRange && `qdr:${SINCE[timeRange]}`,
        start: page > 1 ? (page - 1) * PAGE : undefined,
      },
      { 'user-agent': PHONE, accept: '*/*', 'accept-language': acceptLanguage(), cookie: 'CONSENT=YES+' },
    ),
  parse(body, query) {
    if (body.length < 5000 && /\/sorry\//.test(body))
      throw new EngineError('captcha', 'it asks for a captcha');
    const $ = readHtml(body.replace(/^\s*<\?xml[^>]{0,200}\?>/, ''));
    const titled = $(TITLED).not(ADVERTISEMENTS).toArray();
    const links = titled.length > 0 ? titled : $(REDIRECTS).toArray();
    if (links.length > 0) return firstOfEach(readRows(links, (link) => readLink($(link))));
    if ($(SCRIPTS_WANTED).length > 0) {
      throw new EngineError('captcha', 'it sends results to browsers with scripts only');
    }
    return readEmptyPage($, query.text, EMPTY);
  },
});

function readLink(link: HtmlNodes): RawHit | undefined {
  const href = link.attr('href') ?? '';
  if (!URL.canParse(href, HOME)) return undefined;
  const { searchParams, pathname } = new URL(href, HOME);
  if (pathname === '/imgres') {
    const url = resolveResultLink(searchParams.get('imgrefurl') ?? '', 'google.com');
    const image = searchParams.get('imgurl');
    const title = link.text().trim() || (image ?? '').split('/').at(-1) || '';
    return url && image ? { url, title: escapeHtmlText(title), image } : undefined;
  }
  const behind = searchParams.get('q') ?? searchParams.get('url') ?? '';
  const url = resolveResultLink(pathname === '/url' ? behind : href, 'google.com');
  const title = firstText(link, 'h3') || firstText(link, 'span, div') || link.text().trim();
  if (!url || title === '') return undefined;
  const around = wordsBeside(link).replace(title, ' ').trim();
  return {
    url,
    title: escapeHtmlText(title),
    snippet: escapeHtmlText(around),
    published: DATED.exec(around)?.[1],
  };
}

function firstText(link: HtmlNodes, parts: string): string {
  const found = link.find(parts);
  return [...found.map((at) => found.eq(at).text().trim())].find((text) => text !== '') ?? '';
}

const MAX_LEVELS = 6;

function wordsBeside(link: HtmlNodes): string {
  let around = link.parent();
  for (let level = 0; level < MAX_LEVELS; level++) {
    const next = around.parent();
    if (next.length === 0 || next.is('body, html') || next.find(RESULT_LINKS).length > 1) break;
    around = next;
  }
  const copy = around.clone();
  copy.find(`${RESULT_LINKS}, cite, [role="button"], script, style`).remove();
  return copy.text().replace(/\s+/g, ' ').slice(0, 2000);
}

function firstOfEach(hits: readonly SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ url, image = url }) => !seen.has(image) && seen.add(image));
}
