import { z } from 'zod';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { keyWords, readHits, readJson } from '../json-answer.ts';
import { jsonRequest } from '../json-request.ts';
import { startOf } from '../time-range.ts';

const SERVICE = { name: 'Exa', env: 'EXA_API_KEY' } as const;
/** Characters of the passages that make the snippet. */
const PASSAGE_CHARS = 500;

const answer = z.object({ results: z.array(z.unknown()) });
const result = z.object({
  url: z.string(),
  title: z.string().nullish(),
  publishedDate: z.string().nullish().catch(undefined),
  highlights: z.array(z.string()).nullish(),
  text: z.string().nullish(),
});

/** Exa, which searches by meaning: https://exa.ai/docs/reference/search */
export function exa({ baseUrl = 'https://api.exa.ai', key = '' }: EngineOptions): SearchEngine {
  return {
    name: 'exa',
    about: {
      title: 'Exa',
      website: 'https://exa.ai',
      needsKey: true,
      categories: ['general', 'news', 'papers'],
      takes: ['region', 'timeRange', 'site', 'sites', 'excludeSite'],
      pace: 100,
    },
    refusals: keyWords(SERVICE),
    pauses: [402],
    request: ({ text, limit, region, timeRange, site, excludeSite }) =>
      jsonRequest(
        `${baseUrl}/search`,
        { 'x-api-key': key },
        {
          query: text,
          type: 'auto',
          numResults: limit,
          contents: { highlights: { maxCharacters: PASSAGE_CHARS } },
          userLocation: region || undefined,
          startPublishedDate: timeRange ? startOf(timeRange) : undefined,
          includeDomains: site,
          // It takes one of the two.
          excludeDomains: site ? undefined : excludeSite,
        },
      ),
    parse(body) {
      const { results } = readJson(body, answer, SERVICE);
      return readHits(results, result, SERVICE, ({ url, title, highlights, text, publishedDate }) => ({
        url,
        title,
        snippet: highlights?.join(' … ') || text,
        published: publishedDate,
      }));
    },
  };
}
