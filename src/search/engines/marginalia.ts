import { z } from 'zod';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import {
  describeKeyRefusals,
  describeRateLimit,
  escapeHtmlText,
  readHits,
  readJson,
} from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Marginalia', env: 'MARGINALIA_API_KEY' } as const;
const MAX_QUESTION_CHARS = 400;
const answer = z.object({ query: z.string(), results: z.array(z.unknown()) });
const result = z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() });

export const marginalia: EngineFactory = ({
  baseUrl = 'https://api2.marginalia-search.com',
  key = '',
} = {}) => ({
  ...describeEngine('marginalia'),
  pauses: [503],
  refusals: {
    ...describeKeyRefusals(SERVICE),
    503: describeRateLimit(SERVICE),
    504: 'it did not find enough in time',
  },
  request: ({ text, limit, site }) =>
    createGetRequest(
      `${baseUrl}/search`,
      { query: formatQuestion({ text, site }, MAX_QUESTION_CHARS), count: limit, nsfw: '1' },
      { accept: 'application/json', 'api-key': key },
    ),
  parse: (body) =>
    readHits(readJson(body, answer, SERVICE).results, result, SERVICE, ({ url, title, description }) => ({
      url,
      title: escapeHtmlText(title ?? ''),
      snippet: escapeHtmlText(description ?? ''),
    })),
});
