import { z } from 'zod';
import { createGetRequest, formatQuestion, formatSiteFilters } from '../answers/engine-requests.ts';
import { readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'YaCy' } as const;
const MAX_QUESTION_CHARS = 500;
const answer = z.object({ channels: z.tuple([z.object({ items: z.array(z.unknown()) })], z.unknown()) });
const result = resultSchema({ url: 'link', snippet: ['description'], published: 'pubDate' });

export const yacy: EngineFactory = ({ baseUrl = '' } = {}) => ({
  ...describeEngine('yacy'),
  refusals: {
    401: 'it wants a password: open its search page to everyone, or to this address, in its settings',
    403: 'it does not let this address search: allow it in its settings',
  },
  request: ({ text, limit, language, site }) =>
    createGetRequest(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/yacysearch.json`, {
      query: `${formatQuestion({ text }, MAX_QUESTION_CHARS)} ${formatSiteFilters({ site })}`.trimEnd(),
      maximumRecords: limit,
      startRecord: '0',
      contentdom: 'text',
      resource: 'global',
      lr: language ? `lang_${language}` : undefined,
    }),
  parse(body) {
    const [{ items }] = readJson(body, answer, SERVICE).channels;
    const real = items.filter((item) => !isEmpty(item));
    return readHits(real, result, SERVICE, (hit) => hit);
  },
});

function isEmpty(item: unknown): boolean {
  return typeof item === 'object' && item !== null && Object.keys(item).length === 0;
}
