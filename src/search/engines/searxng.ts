import { z } from 'zod';
import { EngineError, type EngineOptions, type SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';

/** Some kinds of result (key-value tables) have no address, and no kind may spoil the others. */
const answer = z.object({
  results: z.array(
    z
      .object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })
      .nullable()
      .catch(null),
  ),
  unresponsive_engines: z.array(z.array(z.string())).catch([]).optional(),
});

const ENABLE_JSON = 'add json to search.formats in its settings.yml';
/** Characters of a question: it travels in the address. */
const QUESTION = 1000;

/** A SearXNG instance of the operator's, by its JSON API. */
export function searxng({ baseUrl = '' }: EngineOptions): SearchEngine {
  return {
    name: 'searxng',
    about: {
      website: 'https://docs.searxng.org/dev/search_api.html',
      needsKey: false,
      subjects: ['general'],
      takes: [],
      pace: 0,
    },
    refusals: { 403: `it refuses the request: ${ENABLE_JSON}` },
    request: ({ text }) => ({
      url: `${baseUrl.replace(/\/+$/, '')}/search?${new URLSearchParams({ q: takeCharacters(text, QUESTION), format: 'json' })}`,
      headers: { accept: 'application/json' },
    }),
    parse(body) {
      if (/^\s*</.test(body)) {
        throw new EngineError('refused', `it answered with a page and not with JSON: ${ENABLE_JSON}`);
      }
      const parsed = answer.safeParse(parseJson(body));
      if (!parsed.success) throw new EngineError('changed', 'its answer is not what SearXNG answers');
      const { results, unresponsive_engines: silent = [] } = parsed.data;
      const hits = results.flatMap((result) => {
        if (!result) return [];
        const { url, title, content } = result;
        return [{ title: title || url, url, snippet: (content ?? '').replace(/\s+/g, ' ').trim() }];
      });
      if (hits.length === 0 && silent.length > 0) {
        const reasons = silent.slice(0, 5).map((one) => one.slice(0, 2).join(': ').slice(0, 80));
        throw new EngineError('refused', `its own engines failed (${reasons.join(', ')})`);
      }
      return hits;
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
