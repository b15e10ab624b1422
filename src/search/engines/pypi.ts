import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';
import { guessPackageName } from '../questions/package-words.ts';

const SERVICE = { name: 'PyPI' } as const;
const MAX_NAME_CHARS = 100;

const answer = z.union([
  z.object({ info: z.unknown(), urls: z.array(z.object({ upload_time_iso_8601: z.string() })).catch([]) }),
  z.object({ message: z.literal('Not Found') }),
]);
const info = z.object({
  name: z.string().regex(/^[\w.-]{1,100}$/),
  version: z.string().catch(''),
  summary: z.string().nullish().catch(undefined),
  keywords: z.string().nullish().catch(undefined),
});

export const pypi: EngineFactory = ({ baseUrl = 'https://pypi.org' } = {}) => ({
  ...describeEngine('pypi'),
  worded: [404],
  request: ({ text }) => ({
    url: `${baseUrl}/pypi/${encodeURIComponent(takeCharacters(guessPackageName(text), MAX_NAME_CHARS))}/json`,
    headers: { accept: 'application/json' },
  }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if (!('info' in read)) return [];
    return readHits([read.info], info, SERVICE, ({ name, version, summary, keywords }) => ({
      url: `https://pypi.org/project/${name}/`,
      title: escapeHtmlText(`${name} ${version}`.trim()),
      snippet: escapeHtmlText([summary, keywords].filter(Boolean).join('\n')),
      published: read.urls[0]?.upload_time_iso_8601,
    }));
  },
});
