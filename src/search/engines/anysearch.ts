import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import { describeOptionalKey, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 1000;
const found = z.object({ results: z.array(z.unknown()) });
/** The results may be inside a further JSON object, which AnySearch has sent since 2026. */
const answer = z.union([
  z.object({ code: z.literal(0), data: found }).transform(({ data }) => data.results),
  found.transform(({ results }) => results),
]);
const result = resultSchema({ snippet: ['description', 'snippet', 'content'], published: 'published_at' });

export function anysearch({ baseUrl = 'https://api.anysearch.com', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'AnySearch', env: 'ANYSEARCH_API_KEY', isKeyless: !key };
  return {
    // AnySearch allows 20 requests a second with a key.
    ...describeEngine('anysearch', { pace: key ? 50 : 1000 }),
    ...describeOptionalKey(service),
    request: ({ text, limit, language }) =>
      createJsonRequest(`${baseUrl}/v1/search`, key ? { authorization: `Bearer ${key}` } : {}, {
        query: formatQuestion({ text }, MAX_QUESTION_CHARS),
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
