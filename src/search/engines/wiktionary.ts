import { z } from 'zod';
import { extractTerm } from '../answers/engine-requests.ts';
import { htmlToPlainText } from '../answers/hit.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Wiktionary' } as const;
const MAX_TERM_CHARS = 80;
const MAX_MEANINGS = 4;

const answer = z.union([
  z.object({ status: z.literal(404) }),
  z.object({ httpCode: z.literal(404) }),
  z.object({ type: z.string().regex(/not_found/) }),
  z.record(z.string().regex(/^[a-z-]{2,12}$/), z.array(z.unknown())),
]);
const meaning = z.object({
  partOfSpeech: z.string(),
  language: z.string(),
  definitions: z.array(z.object({ definition: z.string().catch('') })),
});

/** English definitions of words of all languages: https://en.wiktionary.org/api/rest_v1/ */
export const wiktionary: EngineFactory = ({ baseUrl = 'https://en.wiktionary.org' } = {}) => ({
  ...describeEngine('wiktionary'),
  worded: [404],
  request: ({ text }) => ({
    url: `${baseUrl}/api/rest_v1/page/definition/${encodeURIComponent(titleOf(text))}`,
    headers: { accept: 'application/json' },
  }),
  parse(body, { text }) {
    const read = readJson(body, answer, SERVICE);
    const lists = Object.values(read).flatMap((list) => (Array.isArray(list) ? list : []));
    const word = titleOf(text);
    return readHits(lists, meaning, SERVICE, ({ partOfSpeech, language, definitions }) => {
      const meanings = definitions.map(({ definition }) => htmlToPlainText(definition)).filter(Boolean);
      if (meanings.length === 0) return undefined;
      return {
        url: `https://en.wiktionary.org/wiki/${encodeURIComponent(word)}#${encodeURIComponent(language.replaceAll(' ', '_'))}`,
        title: escapeHtmlText(`${word.replaceAll('_', ' ')} (${language}, ${partOfSpeech.toLowerCase()})`),
        snippet: escapeHtmlText(meanings.slice(0, MAX_MEANINGS).join('; ')),
      };
    });
  },
});

function titleOf(text: string): string {
  const term = extractTerm(text, MAX_TERM_CHARS).replaceAll('/', ' ').trim();
  const first = /^\p{Lu}\p{Ll}+$/u.test(term) ? term.toLowerCase() : term;
  return first.replaceAll(' ', '_') || '-';
}
