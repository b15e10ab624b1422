import { z } from 'zod';
import { createJsonRequest } from '../answers/engine-requests.ts';
import {
  describeOptionalKey,
  readHits,
  readJson,
  readRetryAfterMs,
  resultSchema,
} from '../answers/json-answer.ts';
import { formatSiteFilters } from '../answers/site-filters.ts';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const MAX_QUESTION_CHARS = 1000;
const SINCE = { day: '1d', week: '7d', month: '1mo', year: '1y' } as const;
const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['snippet', 'description'], published: 'published_at' });

export function keenable({ baseUrl = 'https://api.keenable.ai', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Keenable', env: 'KEENABLE_API_KEY', isKeyless: !key };
  return {
    name: 'keenable',
    about: {
      title: 'Keenable',
      website: 'https://keenable.ai',
      categories: ['general', 'news'],
      takes: ['timeRange', 'site', 'sites', 'excludeSite'],
      pace: 100,
      facts: {
        limits: 'Free without a key: 10 questions a second and 1,000 an hour for an address.',
        atLimit: '429.',
        withKey: 'A free key has 100,000 questions a month.',
        keeps: 'unsaid',
        privacy: 'Its privacy policy could not be read; the name of this program goes with each question.',
        sources: [
          'https://docs.keenable.ai/authentication',
          'https://docs.keenable.ai/api-reference/search',
          'https://docs.keenable.ai/credits',
          'https://keenable.ai/privacy',
        ],
        checked: '2026-11-27',
      },
    },
    ...describeOptionalKey(service),
    readWait: readRetryAfterMs,
    request({ text, limit, timeRange, site = [], excludeSite }) {
      // The API's own site filter accepts only one host.
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
