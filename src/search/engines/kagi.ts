import { z } from 'zod';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { createJsonRequest, formatQuestion, startOfTimeRange } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the Kagi API', env: 'KAGI_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;

/** `search` and `news` are missing if nothing was found. In an error answer, `data` is a list. */
const answer = z.object({
  data: z.object({ search: z.array(z.unknown()).nullish(), news: z.array(z.unknown()).nullish() }),
});
const result = resultSchema({ snippet: ['snippet'], published: 'time' });

export const kagi: EngineFactory = ({ baseUrl = 'https://kagi.com', key = '' } = {}) => ({
  ...describeEngine('kagi'),
  refusals: {
    ...describeKeyRefusals(SERVICE),
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
        query: formatQuestion({ text }, MAX_QUESTION_CHARS),
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
