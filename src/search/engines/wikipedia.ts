import { z } from 'zod';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';

/** Characters of a question; with more, the API refuses it. */
const QUESTION = 300;

const answer = z.object({
  query: z
    .object({
      pages: z.array(
        z.object({
          title: z.string(),
          index: z.number(),
          fullurl: z.string(),
          extract: z.string().optional(),
        }),
      ),
    })
    .optional(),
  batchcomplete: z.unknown().optional(),
});

/** Wikipedia's own full-text search, with the first sentences of each article. */
export function wikipedia({ baseUrl = 'https://en.wikipedia.org' }: EngineOptions = {}): SearchEngine {
  return {
    name: 'wikipedia',
    about: {
      website: 'https://www.mediawiki.org/wiki/API:Search',
      needsKey: false,
      subjects: ['general', 'definitions'],
      takes: [],
      pace: 0,
    },
    request: ({ text, limit }) => ({
      url: `${baseUrl}/w/api.php?${new URLSearchParams({
        action: 'query',
        format: 'json',
        formatversion: '2',
        generator: 'search',
        gsrsearch: takeCharacters(text, QUESTION),
        gsrlimit: String(limit),
        prop: 'info|extracts',
        inprop: 'url',
        exintro: '1',
        explaintext: '1',
        exsentences: '2',
        exlimit: 'max',
      })}`,
      headers: { accept: 'application/json' },
    }),
    parse(body) {
      const json = parseJson(body);
      const refusal = z.object({ error: z.object({ code: z.string(), info: z.string() }) }).safeParse(json);
      if (refusal.success) {
        const { code, info } = refusal.data.error;
        throw new EngineError(
          /ratelimit|maxlag|too-busy/.test(code) ? 'rate_limited' : 'refused',
          info.slice(0, 200),
        );
      }
      const parsed = answer.safeParse(json);
      if (!parsed.success || (!parsed.data.query && parsed.data.batchcomplete === undefined)) {
        throw new EngineError('changed', 'its answer is not what the MediaWiki API answers');
      }
      return (parsed.data.query?.pages ?? [])
        .sort((a, b) => a.index - b.index)
        .map(({ title, fullurl, extract = '' }) => ({
          title,
          url: fullurl,
          snippet: extract.replace(/\s+/g, ' ').trim(),
        }));
    },
  };
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
