import type { CheerioAPI } from 'cheerio';
import { z } from 'zod';
import { parseJsonOrNothing } from '../../lib/text/parse-json-or-nothing.ts';
import { resolveMarket } from '../answers/engine-regions.ts';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import { toHits } from '../answers/hit.ts';
import {
  describeRobotRefusals,
  findFirstMatch,
  newsOrImagesCategory,
  readEmptyPage,
  readHtml,
  readRows,
  resolveResultLink,
} from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import selectors from '../answers/result-selectors.json' with { type: 'json' };
import { acceptLanguage, pageHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory, type SearchHit } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const EMPTY = {
  captcha: /captcha|verify (?:that )?you are (?:a )?human|one last step|unusual traffic|solve the challenge/i,
  nothing: /there are no results for/i,
  sign: '#b_results > .b_no, .no-result',
};
const { rows: ROWS, titles: TITLES } = selectors.bing;
const picture = z.object({ purl: z.string(), murl: z.string().nullish(), t: z.string().nullish() });

export const bing: EngineFactory = ({ baseUrl = 'https://www.bing.com' } = {}) => ({
  ...describeEngine('bing'),
  http2: true,
  ...describeRobotRefusals(403),
  request(query) {
    const { text, language, region, site, excludeSite } = query;
    // Without a country and language, Bing uses the server's location and returns unrelated pages.
    const place = resolveMarket(language, region) ?? { language: 'en', country: 'US' };
    const { path, fields } = PARTS[newsOrImagesCategory(query) ?? 'web'];
    return createGetRequest(
      `${baseUrl}${path}`,
      {
        q: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        mkt: `${place.language}-${place.country}`,
        cc: place.country.toLowerCase(),
        setlang: 'en',
        ...fields,
      },
      pageHeaders({ language: acceptLanguage(language, region), cookie: 'SRCHHPGUSR=ADLT=OFF' }),
    );
  },
  parse(body, query) {
    const $ = readHtml(body);
    const part = newsOrImagesCategory(query) ?? 'web';
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
});

type BingRow = Parameters<CheerioAPI>[0];

const PARTS: Record<keyof typeof ROWS, { path: string; fields: Readonly<Record<string, string>> }> = {
  web: { path: '/search', fields: { form: 'QBLH' } },
  news: {
    path: '/news/infinitescrollajax',
    fields: { InfiniteScroll: '1', first: '1', SFX: '0', form: 'PTFTNR' },
  },
  images: { path: '/images/async', fields: { async: '1', first: '1', count: '35' } },
};

function words($: CheerioAPI, row: BingRow) {
  const text = $(row as never)
    .find('.b_caption p, .b_lineclamp2, .b_lineclamp3, .b_algoSlug, .b_snippet, p')
    .first();
  text.find('.algoSlug_icon').remove();
  const date = text.find('.news_dt').first();
  const published = date.text();
  date.remove();
  return { snippet: escapeHtmlText(text.text().replace(/^\s*·\s*/, '')), published };
}

function news($: CheerioAPI, row: BingRow) {
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

function pictures($: CheerioAPI, rows: readonly BingRow[]): SearchHit[] {
  const read = rows.flatMap((row) => {
    const given = picture.safeParse(parseJsonOrNothing($(row as never).attr('m') ?? ''));
    return given.success ? [given.data] : [];
  });
  if (read.length === 0) throw new EngineError('changed', 'its pictures are not what Bing answers');
  return read.flatMap(({ purl, murl, t }) =>
    toHits({ url: purl, title: escapeHtmlText(t ?? ''), image: murl }),
  );
}

function target(href: string | undefined): string | undefined {
  const url =
    href && URL.canParse(href, 'https://www.bing.com') ? new URL(href, 'https://www.bing.com') : undefined;
  const packed = url?.pathname === '/ck/a' ? url.searchParams.get('u') : undefined;
  if (packed?.startsWith('a1'))
    return resolveResultLink(Buffer.from(packed.slice(2), 'base64url').toString(), 'bing.com');
  return resolveResultLink(href, 'bing.com');
}
