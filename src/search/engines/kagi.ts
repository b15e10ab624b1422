import { z } from 'zod';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { createJsonRequest } from '../answers/engine-requests.ts';
import {
  describeKeyRefusals,
  describeRateLimit,
  readHits,
  readJson,
  resultSchema,
} from '../answers/json-answer.ts';
import { startOfTimeRange } from '../answers/time-range.ts';
import type { EngineFactory } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const SERVICE = { name: 'the Kagi API', env: 'KAGI_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;

/** `search` or `news` is missing if it has no hits. In an error, `data` is a list. */
const answer = z.object({
  data: z.object({ search: z.array(z.unknown()).nullish(), news: z.array(z.unknown()).nullish() }),
});
const result = resultSchema({ snippet: ['snippet'], published: 'time' });

export const kagi: EngineFactory = ({ baseUrl = 'https://kagi.com', key = '' } = {}) => ({
  name: 'kagi',
  about: {
    title: 'Kagi',
    website: 'https://kagi.com/api',
    needsKey: true,
    categories: ['general', 'news'],
    takes: ['region', 'timeRange', 'site', 'sites', 'excludeSite'],
    pace: 0,
    facts: {
      limits: 'Nothing without a key.',
      atLimit: '429, or 402 for used up credits.',
      withKey: 'Paid by the question.',
      keeps: 'unsaid',
      privacy:
        'It logs no question with an account and stores no address; whether it keeps the words alone is not said where it was read.',
      sources: ['https://kagi.com/privacy', 'https://kagi.com/api/docs'],
      checked: '2026-11-27',
    },
  },
  refusals: {
    ...describeKeyRefusals(SERVICE),
    429: describeRateLimit(SERVICE),
    403: `it does not accept requests from this address: allow it for the key of ${SERVICE.env} at kagi.com/api`,
  },
  request({ text, limit, region, timeRange, site, excludeSite }) {
    const filters = omitUndefined({
      region: region ? region.toLowerCase() : undefined,
      after: timeRange ? startOfTimeRange(timeRange).slice(0, 10) : undefined,
    });
    return createJsonRequest(
      `${baseUrl}/api/v1/search`,
      { authorization: `Bearer ${key}` },
      {
        query: takeCharacters(text, MAX_QUESTION_CHARS),
        workflow: 'search',
        limit,
        filters: Object.keys(filters).length > 0 ? filters : undefined,
        lens: site || excludeSite ? { sites_included: site, sites_excluded: excludeSite } : undefined,
      },
    );
  },
  parse(body) {
    const { search, news } = readJson(body, answer, SERVICE).data;
    return readHits([...(search ?? []), ...(news ?? [])], result, SERVICE, (hit) => hit);
  },
});
