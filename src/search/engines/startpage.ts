import { z } from 'zod';
import { memberOf } from '../../lib/json-members.ts';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { STARTPAGE_LANGUAGES, STARTPAGE_REGIONS } from '../answers/engine-regions.ts';
import { formatQuestion } from '../answers/engine-requests.ts';
import { toHits } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  newsOrImagesCategory,
  readEmptyPage,
  readHtml,
  readRows,
} from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import { readScriptLiteral } from '../answers/script-literal.ts';
import { pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory, type SearchHit } from '../engine.ts';
import preferences from './startpage-preferences.json' with { type: 'json' };

const MAX_QUESTION_CHARS = 400;
const SINCE = { day: 'd', week: 'w', month: 'm', year: 'y' } as const;
const CALL = 'React.createElement(UIStartpage.AppSerp';
const CODE_LIFETIME_MS = 3_600_000;
const PARTS = { general: ['web', 'web-'], news: ['news', 'news-'], images: ['images', 'images-'] } as const;
const PREFERENCES = preferences;
const DATED = /^\s*(\d{1,2} [A-Z][a-z]{2} \d{4}|\d{1,3} (?:hour|day)s? ago)\s+(?:<b>)?\.\.\.(?:<\/b>)?\s+/;
const ROWS = '.result:has(a), .w-gl__result';
const ADVERTISEMENTS = '[id*="sponsored"] *, [class*="sponsored"], [class*="sponsored"] *, [class*="gcsa"] *';
const GUARDED =
  /\/sp\/captcha|captcha-block|captcha-section|id="captcha|anubis_challenge|\/[a-z]{2}\/errors\b/;
const EMPTY = { captcha: /captcha|not a robot/i, nothing: /did not match any|no results/i };

const MAINLINE = ['render', 'presenter', 'regions', 'mainline'];
const box = z.object({ display_type: z.string(), results: z.array(z.unknown()).catch([]) });
const result = z
  .object({
    clickUrl: z.string().nullish(),
    altClickUrl: z.string().nullish().catch(undefined),
    rawImageUrl: z.string().nullish().catch(undefined),
    date: z.coerce.number().positive().optional().catch(undefined),
    title: z.string().nullish().catch(undefined),
    description: z.string().nullish().catch(undefined),
  })
  .refine(({ clickUrl, altClickUrl }) => clickUrl || altClickUrl);

/** Results of Google from Startpage. Each request needs a code (`sc`) from the start page. */
export const startpage: EngineFactory = ({ baseUrl = 'https://www.startpage.com' } = {}) => ({
  ...describeEngine('startpage'),
  http2: true,
  ...describeRobotRefusals(403),
  visit: {
    lifetime: CODE_LIFETIME_MS,
    request: () => ({ url: `${baseUrl}/`, headers: pageHeaders() }),
    read(body) {
      const code = readHtml(body)('form input[name="sc"]').first().attr('value');
      if (code) return code;
      checkCaptcha(body);
      throw new EngineError('changed', 'its start page has no code for a search: the markup has changed');
    },
  },
  request(query, token = '') {
    const { text, language = '', region, timeRange, site, excludeSite, page: number = 1 } = query;
    const tongue = STARTPAGE_LANGUAGES.get(language) ?? 'english';
    const place = (region && regionCodeOf(region, language)) || 'all';
    const chosen = { language: tongue, language_ui: tongue, search_results_region: place };
    const preferences = Object.entries({ ...PREFERENCES, ...chosen });
    return {
      url: `${baseUrl}/sp/search`,
      method: 'POST',
      headers: pageHeaders({
        from: `${baseUrl}/`,
        form: new URL(baseUrl).origin,
        cookie: `preferences=${preferences.map((pair) => pair.join('EEE')).join('N1N')}`,
      }),
      body: new URLSearchParams(
        omitUndefined({
          query: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
          cat: PARTS[newsOrImagesCategory(query) ?? 'general'][0],
          t: 'device',
          sc: token,
          lui: tongue,
          language: tongue,
          abd: '1',
          abe: '1',
          qsr: place,
          qadf: 'none',
          with_date: timeRange ? SINCE[timeRange] : '',
          ...(number > 1 && { page: String(number), segment: 'startpage.udog' }),
        }),
      ).toString(),
    };
  },
  parse(body, query) {
    const part = newsOrImagesCategory(query) ?? 'general';
    const stated = readState(body, part);
    if (stated && (stated.length > 0 || part !== 'general')) return stated;
    const $ = readHtml(body);
    const rows = part === 'general' ? $(ROWS).not(ADVERTISEMENTS).toArray() : [];
    if (rows.length === 0) {
      if (stated) return stated;
      checkCaptcha(body);
      return readEmptyPage($, query.text, EMPTY);
    }
    return readRows(rows, (row) => {
      const title = $(row)
        .find('a.result-title, a[data-testid="gl-title-link"], a:has(h2), h2 a, h3 a')
        .first();
      const heading = title.find('h2, h3').first();
      title.find('style').remove();
      const words = $(row).find('.description, p').first().text();
      return {
        url: behind(title.attr('href') ?? ''),
        title: escapeHtmlText((heading.length > 0 ? heading : title).text()),
        ...undated(escapeHtmlText(words)),
      };
    });
  },
});

function readState(body: string, part: keyof typeof PARTS): SearchHit[] | undefined {
  const call = body.indexOf(CALL);
  const comma = call < 0 ? -1 : body.indexOf(',', call);
  const state = comma < 0 ? undefined : readScriptLiteral(body, comma + 1);
  const mainline = MAINLINE.reduce<unknown>(memberOf, state);
  if (!Array.isArray(mainline)) return undefined;
  const found = mainline.flatMap((one) => {
    const { display_type: kind, results = [] } = box.safeParse(one).data ?? {};
    return kind?.startsWith(PARTS[part][1]) ? results : [];
  });
  const good = found.flatMap((one) => result.safeParse(one).data ?? []);
  const hits = good.flatMap(({ clickUrl, altClickUrl, title, description, date, rawImageUrl }) => {
    const words = undated(description ?? '');
    return toHits({
      url: behind((part === 'images' ? altClickUrl : clickUrl) ?? ''),
      title,
      ...words,
      published: date ?? words.published,
      image: part === 'images' ? rawImageUrl : undefined,
    });
  });
  return hits.length === 0 && found.length > 0 ? undefined : hits;
}

function undated(words: string): { snippet: string; published: string | undefined } {
  const dated = DATED.exec(words);
  return { snippet: dated ? words.slice(dated[0].length) : words, published: dated?.[1] };
}

function checkCaptcha(body: string): void {
  if (GUARDED.test(body)) throw new EngineError('captcha', 'it asks for a captcha');
}

function behind(link: string): string {
  if (!link || !URL.canParse(link, 'https://www.startpage.com')) return '';
  const url = new URL(link, 'https://www.startpage.com');
  if (!/(^|\.)startpage\.com$/.test(url.hostname)) return url.href;
  return url.searchParams.get('url') ?? '';
}

function regionCodeOf(region: string, language: string): string | undefined {
  const places = STARTPAGE_REGIONS.filter((place) => place.endsWith(`_${region}`));
  return places.find((place) => place.startsWith(language)) ?? places[0];
}
