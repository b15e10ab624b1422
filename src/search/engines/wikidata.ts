import { z } from 'zod';
import { createGetRequest, extractTerm } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Wikidata' } as const;
const MAX_TERM_CHARS = 250;

const answer = z.union([
  z.object({ error: z.object({ code: z.string() }) }),
  z.object({ search: z.array(z.unknown()) }),
]);
const item = z.object({
  id: z.string().regex(/^[QPL]\d{1,12}$/),
  label: z.string().nullish(),
  description: z.string().nullish().catch(undefined),
  aliases: z.array(z.string()).catch([]),
});

export const wikidata: EngineFactory = ({ baseUrl = 'https://www.wikidata.org' } = {}) => ({
  ...describeEngine('wikidata'),
  request: ({ text, limit, language = 'en' }) =>
    createGetRequest(`${baseUrl}/w/api.php`, {
      action: 'wbsearchentities',
      format: 'json',
      search: extractTerm(text, MAX_TERM_CHARS),
      language: language === 'no' ? 'nb' : language,
      uselang: language === 'no' ? 'nb' : language,
      limit: limit,
    }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if ('error' in read) {
      const busy = /ratelimit|maxlag|too-busy/.test(read.error.code);
      throw new EngineError(
        busy ? 'rate_limited' : 'refused',
        `it refuses the question (${read.error.code.slice(0, 50)})`,
      );
    }
    return readHits(read.search, item, SERVICE, ({ id, label, description, aliases }) => ({
      url: `https://www.wikidata.org/wiki/${id}`,
      title: escapeHtmlText(label ?? id),
      snippet: escapeHtmlText([description ?? '', aliases.slice(0, 5).join(', ')].filter(Boolean).join('; ')),
    }));
  },
});
