import { z } from 'zod';
import { createJsonRequest } from '../answers/engine-requests.ts';
import { describeOptionalKey, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const MAX_QUESTION_CHARS = 1000;
const found = z.object({ results: z.array(z.unknown()) });
/** Since 2026 AnySearch sends a JSON object around the results. */
const answer = z.union([
  z.object({ code: z.literal(0), data: found }).transform(({ data }) => data.results),
  found.transform(({ results }) => results),
]);
const result = resultSchema({ snippet: ['description', 'snippet', 'content'], published: 'published_at' });

export function anysearch({ baseUrl = 'https://api.anysearch.com', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'AnySearch', env: 'ANYSEARCH_API_KEY', isKeyless: !key };
  return {
    name: 'anysearch',
    about: {
      title: 'AnySearch',
      website: 'https://anysearch.com/docs',
      categories: ['general'],
      takes: ['language'],
      // With a key 20 requests a second are allowed.
      pace: key ? 50 : 1000,
      facts: {
        limits:
          'Free without a key: so many questions a day for an address, in a number that it does not publish.',
        atLimit: '429, without a time to wait.',
        withKey: 'A free key has 1,000 questions a day, 20 a second.',
        keeps: 'unsaid',
        privacy:
          'Its terms and its privacy policy could not be read; it passes a question on to sources that it does not name.',
        sources: [
          'https://anysearch.com/docs',
          'https://anysearch.com/terms',
          'https://anysearch.com/privacy',
        ],
        checked: '2026-11-27',
      },
    },
    ...describeOptionalKey(service),
    request: ({ text, limit, language }) =>
      createJsonRequest(`${baseUrl}/v1/search`, key ? { authorization: `Bearer ${key}` } : {}, {
        query: takeCharacters(text, MAX_QUESTION_CHARS),
        max_results: limit,
        zone: 'intl',
        language: language || undefined,
      }),
    parse(body) {
      const results = readJson(body, answer, service);
      return readHits(results, result, service, (hit) => hit);
    },
  };
}
