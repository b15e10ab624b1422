import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: "Hacker News' search" } as const;
const MAX_QUESTION_BYTES = 500;
const ITEM = 'https://news.ycombinator.com/item?id=';
const answer = z.object({ hits: z.array(z.unknown()) });
const story = z.object({
  objectID: z.string().regex(/^\d+$/),
  title: z.string(),
  url: z.string().nullish(),
  story_text: z.string().nullish().catch(undefined),
  points: z.number().nullish().catch(undefined),
  num_comments: z.number().nullish().catch(undefined),
  created_at: z.string().nullish().catch(undefined),
});

export const hackernews: EngineFactory = ({ baseUrl = 'https://hn.algolia.com' } = {}) => ({
  ...describeEngine('hackernews'),
  request: ({ text, limit, timeRange }) =>
    createGetRequest(`${baseUrl}/api/v1/search`, {
      query: takeBytes(text, MAX_QUESTION_BYTES),
      tags: 'story',
      hitsPerPage: limit,
      // If no story has all words, Algolia returns stories with some of the words.
      removeWordsIfNoResults: 'allOptional',
      numericFilters: timeRange
        ? `created_at_i>${Math.floor(Date.parse(startOfTimeRange(timeRange)) / 1000)}`
        : undefined,
    }),
  parse: (body) =>
    readHits(
      readJson(body, answer, SERVICE).hits,
      story,
      SERVICE,
      ({ objectID, title, url, story_text, ...more }) => {
        const thread = `${ITEM}${objectID}`;
        const votes = `${more.points ?? 0} points, ${more.num_comments ?? 0} comments on Hacker News`;
        return {
          url: url || thread,
          title: escapeHtmlText(title),
          snippet: `${story_text ?? ''}\n${votes}${url ? `: ${thread}` : ''}`,
          published: more.created_at,
        };
      },
    ),
});

function takeBytes(text: string, limit: number): string {
  let cut = takeCharacters(text, limit);
  while (Buffer.byteLength(cut) > limit) cut = takeCharacters(cut, Math.floor(cut.length * 0.9));
  return cut;
}
