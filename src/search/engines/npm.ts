import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';
import { extractPackageWords } from '../questions/package-words.ts';

const SERVICE = { name: 'the npm registry' } as const;
const MAX_QUESTION_CHARS = 64;
const answer = z.object({ objects: z.array(z.unknown()) });
const entry = z.object({
  package: z.object({
    name: z.string(),
    version: z.string().catch(''),
    description: z.string().nullish().catch(undefined),
    keywords: z.array(z.string()).catch([]),
    date: z.string().nullish().catch(undefined),
  }),
});

export const npm: EngineFactory = ({ baseUrl = 'https://registry.npmjs.org' } = {}) => ({
  ...describeEngine('npm'),
  request: ({ text, limit, page = 1 }) =>
    createGetRequest(`${baseUrl}/-/v1/search`, {
      text: takeCharacters(extractPackageWords(text), MAX_QUESTION_CHARS),
      size: limit,
      from: page > 1 ? (page - 1) * limit : undefined,
    }),
  parse: (body) =>
    readHits(readJson(body, answer, SERVICE).objects, entry, SERVICE, ({ package: one }) => ({
      url: `https://www.npmjs.com/package/${one.name}`,
      title: escapeHtmlText(`${one.name} ${one.version}`.trim()),
      snippet: escapeHtmlText(
        [one.description ?? '', one.keywords.slice(0, 8).join(', ')].filter(Boolean).join('\n'),
      ),
      published: one.date,
    })),
});
