import { z } from 'zod';
import { createJsonRequest, formatQuestion } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Jina', env: 'JINA_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;
const answer = z.object({ code: z.literal(200), data: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['description'], published: 'date' });

export const jina: EngineFactory = ({ baseUrl = 'https://s.jina.ai', key = '' } = {}) => ({
  ...describeEngine('jina'),
  refusals: describeKeyRefusals(SERVICE),
  pauses: [402],
  request: ({ text, limit, region, site }) =>
    createJsonRequest(
      `${baseUrl}/`,
      {
        authorization: `Bearer ${key}`,
        'x-respond-with': 'no-content',
        ...(site?.[0] && { 'x-site': `https://${site[0]}` }),
      },
      {
        q: formatQuestion({ text }, MAX_QUESTION_CHARS),
        num: limit,
        gl: region ? region.toLowerCase() : undefined,
      },
    ),
  parse: (body) => readHits(readJson(body, answer, SERVICE).data, result, SERVICE, (hit) => hit),
});
