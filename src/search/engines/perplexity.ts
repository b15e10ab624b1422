import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the Perplexity Search API', env: 'PERPLEXITY_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;
/** Maximum tokens of the passages from a page. The passages become the snippet. */
const PASSAGE_TOKENS = 256;
const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['snippet'], published: 'date' });

export const perplexity: EngineFactory = ({ baseUrl = 'https://api.perplexity.ai', key = '' } = {}) => ({
  ...describeEngine('perplexity'),
  refusals: describeKeyRefusals(SERVICE),
  pauses: [402],
  request: ({ text, limit, language, region, timeRange, site, excludeSite }) =>
    createJsonRequest(
      `${baseUrl}/search`,
      { authorization: `Bearer ${key}` },
      {
        query: formatQuestion({ text }, MAX_QUESTION_CHARS),
        max_results: limit,
        max_tokens_per_page: PASSAGE_TOKENS,
        search_language_filter: language ? [language] : undefined,
        country: region || undefined,
        search_recency_filter: timeRange,
        // The list contains hosts to include, or hosts to exclude with a minus, for example `-a.example`.
        search_domain_filter: site ?? excludeSite?.map((host) => `-${host}`),
      },
    ),
  parse: (body) => readHits(readJson(body, answer, SERVICE).results, result, SERVICE, (hit) => hit),
});
