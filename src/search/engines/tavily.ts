import { z } from 'zod';
import { TAVILY_COUNTRIES } from '../answers/engine-regions.ts';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import {
  describeKeyRefusals,
  describeUsedUpQuota,
  KEYLESS_PAUSE_STATUSES,
  readHits,
  readJson,
  readRetryAfterMs,
  resultSchema,
} from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;

const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['content'], published: 'published_date' });

export function tavily({ baseUrl = 'https://api.tavily.com', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Tavily', env: 'TAVILY_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('tavily', { pace: key ? 600 : 1000 }),
    refusals: {
      ...describeKeyRefusals(service),
      432: describeUsedUpQuota(service),
      433: describeUsedUpQuota(service),
    },
    pauses: [432, 433, ...(key ? [] : KEYLESS_PAUSE_STATUSES)],
    readWait: readRetryAfterMs,
    request({ text, limit, region = '', timeRange, site, excludeSite }) {
      const country = TAVILY_COUNTRIES.get(region);
      return createJsonRequest(
        `${baseUrl}/search`,
        key ? { authorization: `Bearer ${key}` } : { 'x-tavily-access-mode': 'keyless' },
        {
          query: formatQuestion({ text }, MAX_QUESTION_CHARS),
          search_depth: 'basic',
          max_results: limit,
          country: country || undefined,
          time_range: timeRange,
          include_domains: site,
          exclude_domains: excludeSite,
        },
      );
    },
    parse: (body) => readHits(readJson(body, answer, service).results, result, service, (hit) => hit),
  };
}
