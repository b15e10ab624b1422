import { z } from 'zod';
import { formatCount } from '../../lib/text/format-count.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

const SERVICE = { name: 'the Stack Exchange API' } as const;
const MAX_QUESTION_CHARS = 240;
/** Error id of `throttle_violation`: https://api.stackexchange.com/docs/error-handling */
const THROTTLED = 502;

const answer = z.union([
  z.object({ items: z.array(z.unknown()) }),
  z.object({ error_id: z.number(), error_message: z.string().catch('') }),
]);
const question = z.object({
  link: z.string(),
  title: z.string(),
  body: z.string().nullish().catch(undefined),
  tags: z.array(z.string()).catch([]),
  is_answered: z.boolean().catch(false),
  answer_count: z.number().catch(0),
  creation_date: z.number().nullish().catch(undefined),
});

export const stackexchange: EngineFactory = ({ baseUrl = 'https://api.stackexchange.com' } = {}) => ({
  ...describeEngine('stackexchange'),
  worded: [400],
  request: ({ text, limit, timeRange }) =>
    createGetRequest(`${baseUrl}/2.3/search/advanced`, {
      q: takeCharacters(
        keepSignificantWords(text.split(/\s+/).filter(Boolean)).join(' '),
        MAX_QUESTION_CHARS,
      ),
      site: 'stackoverflow',
      sort: 'relevance',
      order: 'desc',
      pagesize: limit,
      filter: 'withbody',
      fromdate: timeRange ? String(Math.floor(Date.parse(startOfTimeRange(timeRange)) / 1000)) : undefined,
    }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if (!('items' in read)) throw refusal(read.error_id, read.error_message);
    return readHits(read.items, question, SERVICE, (item) => ({
      url: item.link,
      title: item.title,
      snippet: `[${item.tags.join(', ')}] ${answers(item)}. ${item.body ?? ''}`,
      published: item.creation_date ? new Date(item.creation_date * 1000).toISOString() : undefined,
    }));
  },
});

function answers({ answer_count: count, is_answered: good }: z.output<typeof question>): string {
  return `${formatCount(count, 'answer')}${good ? ', one of them good' : ''}`;
}

/** Creates the error for a refusal. A message such as `... available in 84606 seconds` names the wait. */
function refusal(id: number, message: string): EngineError {
  const words = message.replace(/\s+/g, ' ').slice(0, 200);
  if (id !== THROTTLED) return new EngineError('refused', `it refuses the question: ${words}`);
  const seconds = Number(/ (\d{1,6}) seconds?/.exec(words)?.[1] ?? 0);
  return new EngineError('rate_limited', 'its requests for today are used up', seconds * 1000);
}
