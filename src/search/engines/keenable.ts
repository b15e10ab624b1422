import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createJsonRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import { describeOptionalKey, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 1000;
const SINCE = { day: '1d', week: '7d', month: '1mo', year: '1y' } as const;
const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['snippet', 'description'], published: 'published_at' });

export function keenable({ baseUrl = 'https://api.keenable.ai', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Keenable', env: 'KEENABLE_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('keenable'),
    ...describeOptionalKey(service),
    request({ text, limit, timeRange, site = [], excludeSite }) {
      // The API's site filter accepts a single host. Several hosts are therefore written into the query.
      const words = formatSiteFilters({ site: site.length > 1 ? site : [], excludeSite });
      return createJsonRequest(
        `${baseUrl}/v1/search${key ? '' : '/public'}`,
        { 'x-keenable-title': 'Magpie', ...(key && { 'x-api-key': key }) },
        {
          query: takeCharacters(`${words}${text}`, MAX_QUESTION_CHARS),
          max_results: limit,
          site: site.length === 1 ? site[0] : undefined,
          published_after: timeRange ? SINCE[timeRange] : undefined,
        },
      );
    },
    parse: (body) => readHits(readJson(body, answer, service).results, result, service, (hit) => hit),
  };
}
