import { z } from 'zod';
import { createGetRequest } from '../answers/engine-requests.ts';
import {
  describeKeyRefusals,
  describeRateLimit,
  readHits,
  readJson,
  resultSchema,
} from '../answers/json-answer.ts';
import { formatSiteFilters } from '../answers/site-filters.ts';
import type { EngineFactory } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const SERVICE = { name: 'the Brave Search API', env: 'BRAVE_API_KEY' } as const;
const MAX_QUESTION_CHARS = 400;
const MAX_WORDS = 50;

/** The API answers 422 to other countries and languages. */
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
  name: 'brave-api',
  about: {
    title: 'Brave Search API',
    website: 'https://brave.com/search/api/',
    needsKey: true,
    categories: ['general', 'news'],
    takes: ['language', 'region', 'timeRange', 'site', 'sites', 'excludeSite'],
    pace: 1000,
    facts: {
      limits: 'Nothing without a key.',
      atLimit: '429 for too many a second, 402 for used up credits.',
      withKey:
        'A card is wanted for every plan, also for the $5 of credits that are free each month; a question costs $0.005.',
      keeps: 'question',
      privacy: 'Questions are kept for at most 90 days, for billing and for repairs.',
      sources: [
        'https://api-dashboard.search.brave.com/privacy-policy',
        'https://apidog.com/blog/brave-api-key/',
      ],
      checked: '2026-11-27',
    },
  },
  refusals: { ...describeKeyRefusals(SERVICE), 429: describeRateLimit(SERVICE) },
  pauses: [402],
  // Status 422 means a wrong key or an invalid request. The body says which.
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
