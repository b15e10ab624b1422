import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Serper', env: 'SERPER_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;
const SINCE = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const;
/** Google's language codes that differ from ISO 639-1. */
const LANGUAGES: Readonly<Record<string, string>> = { he: 'iw', zh: 'zh-cn' };

const answer = z.object({
  organic: z.array(z.unknown()),
  topStories: z.array(z.unknown()).optional().catch(undefined),
});
const result = resultSchema({ url: 'link', snippet: ['snippet'], published: 'date' });

export const serper: EngineFactory = ({ baseUrl = 'https://google.serper.dev', key = '' } = {}) => ({
  ...describeEngine('serper'),
  refusals: describeKeyRefusals(SERVICE),
  // Serper reports used-up credits with status 400.
  worded: [400],
  request: ({ text, limit, language, region, timeRange, site, excludeSite }) =>
    createJsonRequest(
      `${baseUrl}/search`,
      { 'x-api-key': key },
      {
        q: formatQuestion({ text, site, excludeSite }, MAX_QUESTION_CHARS),
        num: limit,
        hl: language ? (LANGUAGES[language] ?? language) : undefined,
        gl: region ? region.toLowerCase() : undefined,
        tbs: timeRange ? SINCE[timeRange] : undefined,
      },
    ),
  parse(body) {
    const { organic, topStories = [] } = readJson(body, answer, SERVICE);
    return readHits([...organic, ...topStories], result, SERVICE, (hit) => hit);
  },
});
