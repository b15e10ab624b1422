import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the Brave Search API', env: 'BRAVE_API_KEY' } as const;
const MAX_QUESTION_CHARS = 400;
const MAX_WORDS = 50;

/** Countries that the API accepts. The API answers 422 for other countries. */
const COUNTRIES =
  'AR AU AT BE BR CA CL DK FI FR DE GR HK IN ID IT JP KR MY MX NL NZ NO CN PL PT PH RU SA ZA ES SE CH TW TR GB US';
const LANGUAGES =
  'ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi';
const countries = new Set(COUNTRIES.split(' '));
const languages = new Map([
  ...LANGUAGES.split(' ').map((code) => [code, code] as const),
  ['ja', 'jp'],
  ['no', 'nb'],
  ['pt', 'pt-br'],
  ['zh', 'zh-hans'],
]);
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
    const search_lang = languages.get(language);
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
        country: countries.has(region) ? region : undefined,
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
