import { z } from 'zod';
import { createJsonRequest } from '../answers/engine-requests.ts';
import {
  describeOptionalKey,
  readHits,
  readJson,
  readRetryAfterMs,
  resultSchema,
} from '../answers/json-answer.ts';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const MAX_QUESTION_CHARS = 500;
const SINCE = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const;
const list = z.array(z.unknown()).nullish();
const answer = z.object({ success: z.literal(true), data: z.object({ web: list, news: list }) });
const result = resultSchema({ snippet: ['description', 'snippet'], published: 'date' });

export function firecrawl({ baseUrl = 'https://api.firecrawl.dev', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Firecrawl', env: 'FIRECRAWL_API_KEY', isKeyless: !key };
  return {
    name: 'firecrawl',
    about: {
      title: 'Firecrawl',
      website: 'https://www.firecrawl.dev',
      categories: ['general', 'news'],
      takes: ['region', 'timeRange', 'site', 'sites', 'excludeSite'],
      pace: key ? 6000 : 1000,
      facts: {
        limits:
          'Free without a key: so many requests and so many credits a day for an address, in numbers that it does not publish.',
        atLimit: '429, with the seconds to wait where it knows them.',
        withKey: 'A free key has 1,000 credits, two of which are one question, and 10 questions a minute.',
        keeps: 'question',
        privacy:
          'Only an enterprise contract has a search without retention; else it and the search provider that it asks may keep a question.',
        sources: [
          'https://docs.firecrawl.dev/rate-limits#keyless-no-api-key',
          'https://docs.firecrawl.dev/features/search',
          'https://docs.firecrawl.dev/api-reference/errors',
        ],
        checked: '2026-11-27',
      },
    },
    ...describeOptionalKey(service),
    readWait: readRetryAfterMs,
    request: ({ text, limit, region, timeRange, site, excludeSite, category }) =>
      createJsonRequest(`${baseUrl}/v2/search`, key ? { authorization: `Bearer ${key}` } : {}, {
        query: takeCharacters(text, MAX_QUESTION_CHARS),
        limit,
        sources: category === 'news' ? [{ type: 'news' }] : undefined,
        tbs: timeRange ? SINCE[timeRange] : undefined,
        country: region || undefined,
        includeDomains: site,
        // The API accepts only one of the two filters.
        excludeDomains: site ? undefined : excludeSite,
      }),
    parse(body) {
      const { web, news } = readJson(body, answer, service).data;
      const found = [...(web ?? []), ...(news ?? [])];
      return readHits(found, result, service, (hit) => hit);
    },
  };
}
