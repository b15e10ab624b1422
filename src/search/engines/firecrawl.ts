import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import { describeOptionalKey, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 500;
const SINCE = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const;
const list = z.array(z.unknown()).nullish();
const answer = z.object({ success: z.literal(true), data: z.object({ web: list, news: list }) });
const result = resultSchema({ snippet: ['description', 'snippet'], published: 'date' });

export function firecrawl({ baseUrl = 'https://api.firecrawl.dev', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Firecrawl', env: 'FIRECRAWL_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('firecrawl', { pace: key ? 6000 : 1000 }),
    ...describeOptionalKey(service),
    request: ({ text, limit, region, timeRange, site, excludeSite, category }) =>
      createJsonRequest(`${baseUrl}/v2/search`, key ? { authorization: `Bearer ${key}` } : {}, {
        query: formatQuestion({ text }, MAX_QUESTION_CHARS),
        limit,
        sources: category === 'news' ? [{ type: 'news' }] : undefined,
        tbs: timeRange ? SINCE[timeRange] : undefined,
        country: region || undefined,
        includeDomains: site,
        // The API accepts either included or excluded sites, but not both.
        excludeDomains: site ? undefined : excludeSite,
      }),
    parse(body) {
      const { web, news } = readJson(body, answer, service).data;
      const found = [...(web ?? []), ...(news ?? [])];
      return readHits(found, result, service, (hit) => hit);
    },
  };
}
