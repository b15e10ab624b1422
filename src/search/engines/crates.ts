import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';
import { extractPackageWords } from '../questions/package-words.ts';

const SERVICE = { name: 'crates.io' } as const;
const MAX_QUESTION_CHARS = 100;
const answer = z.object({ crates: z.array(z.unknown()) });
const crate = z.object({
  name: z.string().regex(/^[\w-]{1,64}$/),
  description: z.string().nullish().catch(undefined),
  newest_version: z.string().nullish().catch(undefined),
  downloads: z.number().catch(0),
  updated_at: z.string().nullish().catch(undefined),
});

export const crates: EngineFactory = ({ baseUrl = 'https://crates.io' } = {}) => ({
  ...describeEngine('crates'),
  request: ({ text, limit, page = 1 }) =>
    createGetRequest(`${baseUrl}/api/v1/crates`, {
      q: takeCharacters(extractPackageWords(text), MAX_QUESTION_CHARS),
      per_page: limit,
      page: page > 1 ? page : undefined,
    }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    return readHits(
      read.crates,
      crate,
      SERVICE,
      ({ name, description, newest_version, downloads, updated_at }) => ({
        url: `https://crates.io/crates/${name}`,
        title: escapeHtmlText(`${name} ${newest_version ?? ''}`.trim()),
        snippet: escapeHtmlText(`${description?.trim() ?? ''}\n${downloads} downloads`.trim()),
        published: updated_at,
      }),
    );
  },
});
