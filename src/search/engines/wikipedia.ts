import { z } from 'zod';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the MediaWiki API' } as const;
const MAX_QUESTION_CHARS = 300;

const answer = z.union([
  z.object({ error: z.object({ code: z.string(), info: z.string() }) }),
  z.object({ query: z.object({ pages: z.array(z.unknown()) }) }),
  z.object({ batchcomplete: z.literal([true, '']) }),
]);
const article = z.object({
  title: z.string(),
  index: z.number(),
  fullurl: z.string(),
  extract: z.string().nullish().catch(undefined),
});
const placed = z.object({ index: z.number() });

/** Wikipedia's full-text search. `language` selects the wiki, unless `baseUrl` is set. */
export const wikipedia: EngineFactory = ({ baseUrl } = {}) => ({
  ...describeEngine('wikipedia', baseUrl === undefined ? {} : { takes: [] }),
  request: ({ text, limit, language }) =>
    createGetRequest(`${baseUrl ?? home(language)}/w/api.php`, {
      action: 'query',
      format: 'json',
      formatversion: '2',
      generator: 'search',
      gsrsearch: formatQuestion({ text }, MAX_QUESTION_CHARS),
      gsrlimit: limit,
      prop: 'info|extracts',
      inprop: 'url',
      exintro: '1',
      explaintext: '1',
      exsentences: '2',
      exlimit: 'max',
    }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if ('error' in read) {
      const { code, info } = read.error;
      throw new EngineError(
        /ratelimit|maxlag|too-busy/.test(code) ? 'rate_limited' : 'refused',
        info.slice(0, 200),
      );
    }
    if (!('query' in read)) return [];
    const pages = read.query.pages
      .map((page) => ({ page, place: rankOf(page) }))
      .sort((a, b) => a.place - b.place)
      .map(({ page }) => page);
    return readHits(pages, article, SERVICE, ({ title, fullurl, extract }) => ({
      url: fullurl,
      title: escapeHtmlText(title),
      snippet: escapeHtmlText(extract ?? ''),
    }));
  },
});

function rankOf(page: unknown): number {
  const known = placed.safeParse(page);
  return known.success ? known.data.index : Number.MAX_SAFE_INTEGER;
}

function home(language = 'en'): string {
  const code = language === 'nb' ? 'no' : language;
  return `https://${/^[a-z]{2,3}$/.test(code) ? code : 'en'}.wikipedia.org`;
}
