import { z } from 'zod';
import { createGetRequest, formatQuestion, formatSiteFilters } from '../answers/engine-requests.ts';
import { readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'SearXNG' } as const;
const ENABLE_JSON = 'add json to search.formats in its settings.yml';
const MAX_QUESTION_CHARS = 500;

const answer = z.object({
  results: z.array(z.unknown()),
  unresponsive_engines: z.array(z.array(z.string())).catch([]).optional(),
});
/** All fields may be missing. For example, results that are key-value tables have no address. */
const result = z.object({
  url: z.string().nullish(),
  title: z.string().nullish(),
  content: z.string().nullish(),
  publishedDate: z.string().nullish().catch(undefined),
  img_src: z.string().nullish().catch(undefined),
});

export const searxng: EngineFactory = ({ baseUrl = '' } = {}) => ({
  ...describeEngine('searxng'),
  refusals: { 403: `it refuses the request: ${ENABLE_JSON}` },
  request({ text, language, region, timeRange, site, excludeSite, category = '', page = 1 }) {
    const locale = localeOf(language, region);
    return createGetRequest(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/search`, {
      q: `${formatSiteFilters({ site, excludeSite })}${formatQuestion({ text }, MAX_QUESTION_CHARS)}`,
      format: 'json',
      language: locale || undefined,
      time_range: timeRange,
      categories: ['news', 'images'].includes(category) ? category : undefined,
      pageno: page > 1 ? page : undefined,
    });
  },
  parse(body) {
    if (/^\s*</.test(body)) {
      throw new EngineError('refused', `it answered with a page and not with JSON: ${ENABLE_JSON}`);
    }
    const { results, unresponsive_engines: silent = [] } = readJson(body, answer, SERVICE);
    const hits = readHits(results, result, SERVICE, ({ url, title, content, publishedDate, img_src }) =>
      url
        ? {
            url,
            title,
            snippet: content,
            published: publishedDate,
            image: img_src?.replace(/^\/\//, 'https://'),
          }
        : undefined,
    );
    if (hits.length === 0 && silent.length > 0) {
      const reasons = silent.slice(0, 5).map((one) => one.slice(0, 2).join(': ').slice(0, 80));
      throw new EngineError('refused', `its own engines failed (${reasons.join(', ')})`);
    }
    return hits;
  },
});

function localeOf(language?: string, region?: string): string | undefined {
  if (!region) return language;
  return `${language ?? new Intl.Locale(`und-${region}`).maximize().language}-${region}`;
}
