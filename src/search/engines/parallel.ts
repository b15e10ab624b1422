import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { describeOptionalKey, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { createToolCallRequest, readToolResult } from '../answers/mcp-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

/** Maximum characters of Parallel's parameters `objective` (a sentence) and `search_queries` (words). */
const MAX_OBJECTIVE_CHARS = 2000;
const MAX_WORDS_CHARS = 200;
const SESSION = randomUUID();
const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['excerpts'], published: 'publish_date' });

/** Parallel's MCP server, which ignores filters: https://docs.parallel.ai/integrations/mcp/search-mcp */
export function parallel({ baseUrl = 'https://search.parallel.ai', key }: EngineOptions = {}): SearchEngine {
  const service = { name: 'Parallel', env: 'PARALLEL_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('parallel', { pace: key ? 100 : 1000 }),
    ...describeOptionalKey(service),
    request: ({ text }) =>
      createToolCallRequest(`${baseUrl}/mcp`, key ? { authorization: `Bearer ${key}` } : {}, 'web_search', {
        objective: takeCharacters(text, MAX_OBJECTIVE_CHARS),
        search_queries: [takeCharacters(text, MAX_WORDS_CHARS)],
        session_id: SESSION,
      }),
    parse(body, { limit }) {
      const { text, structured } = readToolResult(body, service);
      const { results } = readJson(structured ? JSON.stringify(structured) : text, answer, service);
      return readHits(results, result, service, (hit) => hit).slice(0, limit);
    },
  };
}
