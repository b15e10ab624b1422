import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { BRAVE_API_COUNTRIES, BRAVE_API_LANGUAGES } from '../answers/engine-regions.ts';
import { createGetRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the Brave Search API', env: 'BRAVE_API_KEY' } as const;
const MAX_QUESTION_CHARS = 400;
const MAX_WORDS = 50;

const FRESHNESS = { day: 'pd', week: 'pw', month: 'pm', year: 'py' } as const;
const list = z.object({ results: z.array(z.unknown()) }).nullish();
const answer = z.object({ type: z.literal('search'), web: list, news: list });
const result = resultSchema({ snippet: ['description'], published: 'page_age' });

export const braveApi: EngineFactory = ({ baseUrl = 'https://api.search.brave.com', key = '' } = {}) => ({
  ...describeEngine('brave-api'),
  refusals: describeKeyRefusals(SERVICE),
  pauses: [402],
  // Status 422 means an invalid key or an invalid request. Only the body says which.
  worded: [422],
  request({ text, limit, language = '', region = '', timeRange, site, excludeSite }) {
    const search_lang = BRAVE_API_LANGUAGES.get(language);
    const words = `${formatSiteFilters({ site, excludeSite })}${text}`
      .split(/\s+/)
      .slice(0, MAX_WORDS)
      .join(' ');
    return createGetRequest(
      `${baseUrl}/res/v1/web/search`,
      {
        q: takeCharacters(words, MAX_QUESTION_CHARS),
        count: limit,
        result_filter: 'web,news',
        text_decorations: 'false',
        search_lang: search_lang || undefined,
        country: BRAVE_API_COUNTRIES.has(region) ? region : undefined,
        freshness: timeRange ? FRESHNESS[timeRange] : undefined,
      },
      { accept: 'application/json', 'x-subscription-token': key },
    );
  },
  parse(body) {
    const { web, news } = readJson(body, answer, SERVICE);
    const found = [...(web?.results ?? []), ...(news?.results ?? [])];
    return readHits(found, result, SERVICE, (hit) => hit);
  },
});
