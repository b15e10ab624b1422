import { z } from 'zod';
import { EngineError, type SearchEngine } from '../engine.ts';

const answer = z.object({
  results: z.array(z.object({ url: z.string(), title: z.string().nullish(), content: z.string().nullish() })),
});

/** A SearXNG instance of the operator's, by its JSON API. */
export function searxng({ baseUrl }: { readonly baseUrl: string }): SearchEngine {
  return {
    name: 'searxng',
    about: { website: 'https://docs.searxng.org/dev/search_api.html', needsKey: false },
    request: ({ text }) => ({
      url: `${baseUrl}/search?${new URLSearchParams({ q: text, format: 'json' })}`,
      headers: { accept: 'application/json' },
    }),
    parse(body) {
      if (/^\s*</.test(body)) {
        throw new EngineError(
          'refused',
          'it answered with a page: add json to search.formats in its settings.yml',
        );
      }
      const parsed = answer.safeParse(parseJson(body));
      if (!parsed.success) throw new EngineError('changed', 'its answer is not what SearXNG answers');
      return parsed.data.results.map(({ url, title, content }) => ({
        title: title ?? url,
        url,
        snippet: (content ?? '').replace(/\s+/g, ' ').trim(),
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
