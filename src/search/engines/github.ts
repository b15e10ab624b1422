import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

const SERVICE = { name: 'the GitHub API' } as const;
const MAX_QUESTION_CHARS = 256;
const answer = z.union([z.object({ items: z.array(z.unknown()) }), z.object({ message: z.string() })]);
const repository = z.object({
  html_url: z.string(),
  full_name: z.string(),
  description: z.string().nullish().catch(undefined),
  language: z.string().nullish().catch(undefined),
  stargazers_count: z.number().catch(0),
  topics: z.array(z.string()).catch([]),
  pushed_at: z.string().nullish().catch(undefined),
});

export const github: EngineFactory = ({ baseUrl = 'https://api.github.com' } = {}) => ({
  ...describeEngine('github'),
  worded: [403, 422],
  request: ({ text, limit, timeRange }) =>
    createGetRequest(
      `${baseUrl}/search/repositories`,
      {
        q: `${takeCharacters(asWords(text), MAX_QUESTION_CHARS)}${timeRange ? ` pushed:>=${startOfTimeRange(timeRange).slice(0, 10)}` : ''}`,
        per_page: limit,
      },
      { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    ),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if (!('items' in read)) throw refusal(read.message);
    return readHits(read.items, repository, SERVICE, (one) => ({
      url: one.html_url,
      title: one.full_name,
      snippet: [
        escapeHtmlText(one.description ?? ''),
        [
          ...(one.language ? [one.language] : []),
          `${one.stargazers_count} stars`,
          ...one.topics.slice(0, 8),
        ].join(', '),
      ].join('\n'),
      published: one.pushed_at,
    }));
  },
});

/** Returns the words to search for. GitHub requires all of them, and rejects the operators removed here. */
function asWords(text: string): string {
  const words = text.replace(/\bNOT\b/g, 'not').replace(/[:<>"?!]/g, ' ');
  return keepSignificantWords(words.split(/\s+/).filter(Boolean)).join(' ');
}

function refusal(message: string): EngineError {
  if (/rate limit|abuse|too many/i.test(message)) {
    return new EngineError('rate_limited', 'it is asked too often');
  }
  return new EngineError('refused', `it refuses the question: ${message.replace(/\s+/g, ' ').slice(0, 200)}`);
}
