import { z } from 'zod';
import { AppError } from '../../errors.ts';
import { defined } from '../../lib/defined.ts';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { keyWords, readHits, readJson, tooOften } from '../json-answer.ts';
import { siteWords } from '../site-words.ts';

const SERVICE = {
  name: 'Google Programmable Search',
  env: 'GOOGLE_SEARCH_KEY',
  check: "that the Custom Search API is enabled for the key's project",
} as const;
/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 500;
const SINCE = { day: 'd1', week: 'w1', month: 'm1', year: 'y1' } as const;
/** What `lr` takes; Google's own codes where they are not those of ISO 639-1. */
const LANGUAGES =
  'ar bg ca cs da de el en es et fi fr hr hu id is it ja ko lt lv nl no pl pt ro ru sk sl sr sv tr';
const languages = new Map([
  ...LANGUAGES.split(' ').map((code) => [code, `lang_${code}`] as const),
  ['he', 'lang_iw'],
  ['nb', 'lang_no'],
  ['zh', 'lang_zh-CN|lang_zh-TW'],
]);

/** When nothing is found `items` is left out. */
const answer = z.object({
  searchInformation: z.object({ totalResults: z.string().optional() }),
  items: z.array(z.unknown()).optional(),
});
const result = z.object({
  link: z.string(),
  title: z.string().nullish(),
  snippet: z.string().nullish(),
  pagemap: z
    .object({
      metatags: z.array(z.object({ 'article:published_time': z.string(), date: z.string() }).partial()),
    })
    .optional()
    .catch(undefined),
});

/**
 * Google Programmable Search: https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list
 * AppError `bad_request` when the key is not written as `cx:key`.
 */
export function google({
  baseUrl = 'https://customsearch.googleapis.com',
  key: pair = '',
}: EngineOptions): SearchEngine {
  // An old engine's id has a colon of its own; an API key has none.
  const colon = pair.lastIndexOf(':');
  if (colon < 1 || colon === pair.length - 1) {
    throw new AppError(
      'bad_request',
      `the setting googleKey (${SERVICE.env}) takes cx:key: the search engine's id, a colon and the API key`,
    );
  }
  const [cx, key] = [pair.slice(0, colon), pair.slice(colon + 1)];
  return {
    name: 'google',
    about: {
      title: 'Google',
      website: 'https://programmablesearchengine.google.com',
      source: 'google',
      needsKey: true,
      categories: ['general', 'news'],
      takes: ['language', 'region', 'timeRange', 'site', 'sites', 'excludeSite'],
      // 100 a minute; 100 a day are free.
      pace: 600,
    },
    refusals: {
      ...keyWords(SERVICE),
      404: `it knows no such search engine: check the part of ${SERVICE.env} before the colon`,
      429: tooOften(SERVICE),
    },
    // Wrong keys, wrong ids and used up days share these.
    worded: [400, 403],
    request({ text, limit, language = '', region, timeRange, site = [], excludeSite }) {
      const lr = languages.get(language);
      return {
        url: `${baseUrl}/customsearch/v1?${new URLSearchParams(
          defined({
            cx,
            // One host goes by a parameter, several only by words.
            q: takeCharacters(
              siteWords({ site: site.length > 1 ? site : [], excludeSite }) + text,
              MAX_QUESTION_CHARS,
            ),
            num: String(limit),
            lr: lr || undefined,
            gl: region ? region.toLowerCase() : undefined,
            dateRestrict: timeRange ? SINCE[timeRange] : undefined,
            ...(site.length === 1 && { siteSearch: site[0], siteSearchFilter: 'i' }),
          }),
        )}`,
        headers: { accept: 'application/json', 'x-goog-api-key': key },
      };
    },
    parse(body) {
      const { items = [] } = readJson(body, answer, SERVICE);
      return readHits(items, result, SERVICE, ({ link, title, snippet, pagemap }) => {
        // Google gives no date itself; these are the page's own words.
        const [tags] = pagemap?.metatags ?? [];
        return { url: link, title, snippet, published: tags?.['article:published_time'] ?? tags?.date };
      });
    },
  };
}
