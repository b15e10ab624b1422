import { z } from 'zod';
import { describeUnreadPrivacy } from '../answers/engine-facts.ts';
import { createJsonRequest } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import type { EngineFactory } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const SERVICE = { name: 'the Perplexity Search API', env: 'PERPLEXITY_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;
/** Maximum number of tokens in the passages of one page, which become the snippet. */
const PASSAGE_TOKENS = 256;

const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['snippet'], published: 'date' });

/** Perplexity's ranked results without the answer of a model: https://docs.perplexity.ai/api-reference/search-post */
export const perplexity: EngineFactory = ({ baseUrl = 'https://api.perplexity.ai', key = '' } = {}) => ({
  name: 'perplexity',
  about: {
    title: 'Perplexity',
    website: 'https://docs.perplexity.ai',
    needsKey: true,
    categories: ['general', 'news'],
    takes: ['language', 'region', 'timeRange', 'site', 'sites', 'excludeSite'],
    // 50 requests a second are allowed, in bursts of 50.
    pace: 20,
    facts: {
      limits: 'Nothing without a key.',
      atLimit: '429.',
      withKey: 'Paid by the question.',
      ...describeUnreadPrivacy('https://docs.perplexity.ai'),
    },
  },
  refusals: describeKeyRefusals(SERVICE),
  pauses: [402],
  request: ({ text, limit, language, region, timeRange, site, excludeSite }) =>
    createJsonRequest(
      `${baseUrl}/search`,
      { authorization: `Bearer ${key}` },
      {
        query: takeCharacters(text, MAX_QUESTION_CHARS),
        max_results: limit,
        max_tokens_per_page: PASSAGE_TOKENS,
        search_language_filter: language ? [language] : undefined,
        country: region || undefined,
        search_recency_filter: timeRange,
        // The filter takes one list: hosts to search in, or hosts with a minus to exclude. `site` has precedence.
        search_domain_filter: site ?? excludeSite?.map((host) => `-${host}`),
      },
    ),
  parse: (body) => readHits(readJson(body, answer, SERVICE).results, result, SERVICE, (hit) => hit),
});
