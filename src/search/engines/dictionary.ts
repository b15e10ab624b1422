import { z } from 'zod';
import { extractTerm } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'the Free Dictionary API' } as const;
const MAX_TERM_CHARS = 80;
const MAX_MEANINGS = 4;
const answer = z.union([z.array(z.unknown()), z.object({ title: z.string().regex(/^No Definitions/) })]);
const entry = z.object({
  word: z.string(),
  phonetic: z.string().nullish().catch(undefined),
  meanings: z.array(
    z.object({
      partOfSpeech: z.string().catch(''),
      definitions: z.array(z.object({ definition: z.string().catch('') })).catch([]),
    }),
  ),
});

export const dictionary: EngineFactory = ({ baseUrl = 'https://api.dictionaryapi.dev' } = {}) => ({
  ...describeEngine('dictionary'),
  worded: [404],
  request: ({ text }) => ({
    url: `${baseUrl}/api/v2/entries/en/${encodeURIComponent(extractTerm(text, MAX_TERM_CHARS).toLowerCase())}`,
    headers: { accept: 'application/json' },
  }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if (!Array.isArray(read)) return [];
    return readHits(read, entry, SERVICE, ({ word, phonetic, meanings }) => {
      const lines = meanings.flatMap(({ partOfSpeech, definitions }) =>
        definitions.slice(0, MAX_MEANINGS).map(({ definition }) => `${partOfSpeech}: ${definition}`),
      );
      return {
        url: `https://en.wiktionary.org/wiki/${encodeURIComponent(word)}`,
        title: escapeHtmlText(phonetic ? `${word} ${phonetic}` : word),
        snippet: escapeHtmlText(lines.slice(0, 2 * MAX_MEANINGS).join('; ')),
      };
    });
  },
});
