import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createJsonRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { toHits } from '../answers/hit.ts';
import {
  describeKeyRefusals,
  describeOptionalKey,
  readHits,
  readJson,
  resultSchema,
} from '../answers/json-answer.ts';
import { createToolCallRequest, readToolResult } from '../answers/mcp-answer.ts';
import { describeEngine, EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';

const SERVICE = { name: 'Exa', env: 'EXA_API_KEY' } as const;
const KEYLESS = { ...SERVICE, isKeyless: true } as const;
const PASSAGE_CHARS = 500;
const MAX_QUESTION_CHARS = 2000;

const answer = z.object({ results: z.array(z.unknown()) });
const result = resultSchema({ snippet: ['highlights', 'text'], published: 'publishedDate' });

/** Exa searches by meaning. With a key, Exa's API is asked, otherwise its hosted MCP server. */
export function exa({ baseUrl, key }: EngineOptions = {}): SearchEngine {
  return key ? byApi(key, baseUrl) : byServer(baseUrl);
}

function byApi(key: string, baseUrl = 'https://api.exa.ai'): SearchEngine {
  return {
    ...describeEngine('exa', { takes: ['region', 'timeRange', 'site', 'sites', 'excludeSite'], pace: 100 }),
    refusals: describeKeyRefusals(SERVICE),
    pauses: [402],
    request: ({ text, limit, region, timeRange, site, excludeSite }) =>
      createJsonRequest(
        `${baseUrl}/search`,
        { 'x-api-key': key },
        {
          query: text,
          type: 'auto',
          numResults: limit,
          contents: { highlights: { maxCharacters: PASSAGE_CHARS } },
          userLocation: region || undefined,
          startPublishedDate: timeRange ? startOfTimeRange(timeRange) : undefined,
          includeDomains: site,
          // The API accepts either included or excluded sites, but not both.
          excludeDomains: site ? undefined : excludeSite,
        },
      ),
    parse: (body) => readHits(readJson(body, answer, SERVICE).results, result, SERVICE, (hit) => hit),
  };
}

/** Exa through its MCP server, whose tool has no filters: https://github.com/exa-labs/exa-mcp-server */
function byServer(baseUrl = 'https://mcp.exa.ai'): SearchEngine {
  return {
    ...describeEngine('exa'),
    ...describeOptionalKey(KEYLESS),
    request({ text, limit }) {
      const query = takeCharacters(text, MAX_QUESTION_CHARS);
      // Newer versions of the tool require an objective. Older versions ignore it.
      return createToolCallRequest(`${baseUrl}/mcp`, {}, 'web_search_exa', {
        query,
        objective: query,
        numResults: limit,
      });
    },
    parse: (body, { limit }) => readBlocks(readToolResult(body, KEYLESS).text).slice(0, limit),
  };
}

const BLOCK_START = /^Title: (.*)\nURL: (\S+)$/gm;
const FIELDS = /^\n(?:Published: (.*)\n)?(?:Author: (.*)(?:\n|$))?/;

/** Parses blocks between dashes. Each block has a title, address, date, author and passages. */
function readBlocks(text: string) {
  if (/^\s*No search results found/.test(text)) return [];
  const starts = [...text.matchAll(BLOCK_START)];
  if (starts.length === 0) {
    throw new EngineError('changed', `its results are not what ${SERVICE.name} answers`);
  }
  return starts.flatMap((start, i) => {
    const [head, title, url = ''] = start;
    const rest = text.slice(start.index + head.length, starts[i + 1]?.index);
    const [fields = '', published, author] = FIELDS.exec(rest) ?? [];
    const passages = rest
      .slice(fields.length)
      .replace(/^(?:Highlights|Text):\s*/, '')
      .trimEnd()
      .replace(/---$/, '')
      .trimEnd();
    return toHits({
      url,
      title: unlessNone(title),
      snippet: takeCharacters(passages, PASSAGE_CHARS),
      published: unlessNone(published),
      author: unlessNone(author),
    });
  });
}

function unlessNone(field: string | undefined): string | undefined {
  return field === 'N/A' ? undefined : field;
}
