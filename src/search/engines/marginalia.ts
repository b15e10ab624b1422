import { z } from 'zod';
import { describeUnreadPrivacy } from '../answers/engine-facts.ts';
import { createGetRequest } from '../answers/engine-requests.ts';
import { escapeHtmlText } from '../answers/html-answer.ts';
import { describeKeyRefusals, describeRateLimit, readHits, readJson } from '../answers/json-answer.ts';
import { formatSiteFilters } from '../answers/site-filters.ts';
import type { EngineFactory } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const SERVICE = { name: 'Marginalia', env: 'MARGINALIA_API_KEY' } as const;
const MAX_QUESTION_CHARS = 400;
const answer = z.object({ query: z.string(), results: z.array(z.unknown()) });
const result = z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() });

export const marginalia: EngineFactory = ({
  baseUrl = 'https://api2.marginalia-search.com',
  key = '',
} = {}) => ({
  name: 'marginalia',
  about: {
    title: 'Marginalia',
    website: 'https://about.marginalia-search.com/article/api/',
    needsKey: true,
    categories: ['general'],
    takes: ['site'],
    pace: 2000,
    facts: {
      limits: 'Nothing without a key of your own: the key `public` is for trying it out.',
      atLimit: '503 or 429.',
      withKey: 'Keys for non-commercial and for commercial use are given out by mail or sold.',
      ...describeUnreadPrivacy(
        'https://about.marginalia-search.com/article/api/',
        'https://github.com/searxng/searxng/pull/5087',
      ),
    },
  },
  pauses: [503],
  refusals: {
    ...describeKeyRefusals(SERVICE),
    429: describeRateLimit(SERVICE),
    503: describeRateLimit(SERVICE),
    504: 'it did not find enough in time',
  },
  request: ({ text, limit, site }) =>
    createGetRequest(
      `${baseUrl}/search`,
      {
        query: takeCharacters(`${formatSiteFilters({ site })}${text}`, MAX_QUESTION_CHARS),
        count: limit,
        nsfw: '1',
      },
      { accept: 'application/json', 'api-key': key },
    ),
  parse: (body) =>
    readHits(readJson(body, answer, SERVICE).results, result, SERVICE, ({ url, title, description }) => ({
      url,
      title: escapeHtmlText(title ?? ''),
      snippet: escapeHtmlText(description ?? ''),
    })),
});
