import { z } from 'zod';
import { resolveMarket } from '../answers/engine-regions.ts';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import { newsOrImagesCategory } from '../answers/html-answer.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { scriptHeaders } from '../asking/browser-headers.ts';
import { describeEngine, EngineError, type EngineFactory, type SearchHit } from '../engine.ts';

const SERVICE = { name: 'Qwant' } as const;
const MAX_QUESTION_CHARS = 400;
/** Results on each page. Qwant rejects other numbers. */
const PAGE = { web: 10, news: 10, images: 50 } as const;
const SITE = 'https://www.qwant.com/';
const TOO_OFTEN = 24;
const CAPTCHA = 27;
const LOCALES =
  'bg_BG ca_ES cs_CZ da_DK de_AT de_CH de_DE el_GR en_AU en_CA en_GB en_IE en_MY en_NZ en_US es_AR es_CL es_CO es_ES es_MX es_PE et_EE eu_ES fi_FI fr_BE fr_CA fr_CH fr_FR gd_GB he_IL hu_HU it_CH it_IT ja_JP ko_KR nb_NO nl_BE nl_NL pl_PL pt_PT ro_RO sv_SE th_TH zh_CN zh_HK'.split(
    ' ',
  );

const box = z.object({ type: z.string(), items: z.array(z.unknown()).catch([]) });
const answer = z.union([
  z.object({
    status: z.literal('success'),
    data: z.object({
      result: z.object({
        items: z.union([z.array(z.unknown()), z.object({ mainline: z.array(box).catch([]) })]),
      }),
    }),
  }),
  z.object({ status: z.literal('error'), data: z.object({ error_code: z.number() }) }),
  z.object({ url: z.string().regex(/captcha/) }),
]);
const item = z.object({
  url: z.string(),
  title: z.string().nullish(),
  desc: z.string().nullish().catch(undefined),
  date: z.number().nullish().catch(undefined),
  media: z.string().optional().catch(undefined),
});

/** Reads the JSON that Qwant's page requests. Qwant's robot protection checks that cookies are sent back. */
export const qwant: EngineFactory = ({ baseUrl = 'https://api.qwant.com' } = {}) => ({
  ...describeEngine('qwant'),
  cookies: true,
  http2: true,
  worded: [400, 403],
  request: (query) => {
    const { text, site, excludeSite, language, region, page = 1 } = query;
    const part = newsOrImagesCategory(query) ?? 'web';
    return createGetRequest(
      `${baseUrl}/v3/search/${part}`,
      {
        q: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        count: PAGE[part],
        locale: localeOf(language, region),
        offset: (page - 1) * PAGE[part],
        tgp: '1',
        device: 'desktop',
        safesearch: '0',
        displayed: 'true',
        llm: 'true',
      },
      scriptHeaders({ from: SITE, site: 'same-site', accept: 'application/json' }),
    );
  },
  parse(body, query): SearchHit[] {
    if (/captcha-delivery|geo\.captcha|<title>[^<]{0,80}(?:denied|blocked)/i.test(body)) {
      throw new EngineError('captcha', 'it asks for a captcha');
    }
    if (/<title>[^<]{0,80}unavailable/i.test(body)) {
      throw new EngineError('rate_limited', 'it says that it is not available');
    }
    const read = readJson(body, answer, SERVICE);
    if ('url' in read) throw new EngineError('captcha', 'it asks for a captcha');
    if (read.status === 'error') throw refusal(read.data.error_code);
    const { items } = read.data.result;
    const part = newsOrImagesCategory(query) ?? 'web';
    const rows = Array.isArray(items)
      ? items
      : items.mainline.flatMap((one) => (one.type === part ? one.items : []));
    return readHits(rows, item, SERVICE, ({ url, title, desc, date, media }) => ({
      url,
      title: escapeHtmlText(title ?? ''),
      snippet: escapeHtmlText(desc ?? ''),
      published: date && (date < 1e11 ? date * 1000 : date),
      image: part === 'images' ? media : undefined,
    }));
  },
});

function refusal(code: number): EngineError {
  if (code === TOO_OFTEN) return new EngineError('rate_limited', 'it is asked too often');
  if (code === CAPTCHA) return new EngineError('captcha', 'it asks for a captcha');
  return new EngineError('refused', `it refuses the question (its error ${code})`);
}

function localeOf(language?: string, region?: string): string {
  const place = resolveMarket(language, region) ?? { language: 'en', country: 'US' };
  const whole = `${place.language}_${place.country}`;
  if (LOCALES.includes(whole)) return whole;
  const near =
    LOCALES.find((one) => one.endsWith(`_${place.country}`)) ??
    LOCALES.find((one) => one.startsWith(place.language));
  return near ?? 'en_US';
}
