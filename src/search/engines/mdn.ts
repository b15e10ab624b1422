import { z } from 'zod';
import { createGetRequest, formatQuestion } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'MDN' } as const;
const MAX_QUESTION_CHARS = 200;
const SITE = 'https://developer.mozilla.org';
const LOCALES: Readonly<Record<string, string>> = {
  ...{ de: 'de', en: 'en-US', es: 'es', fr: 'fr', ja: 'ja', ko: 'ko', pt: 'pt-BR', ru: 'ru', zh: 'zh-CN' },
};

const answer = z.object({ documents: z.array(z.unknown()) });
const document = z.object({
  mdn_url: z.string().startsWith('/'),
  title: z.string(),
  summary: z.string().nullish().catch(undefined),
});

export const mdn: EngineFactory = ({ baseUrl = SITE } = {}) => ({
  ...describeEngine('mdn'),
  worded: [400],
  request: ({ text, limit, language = 'en', page = 1 }) =>
    createGetRequest(`${baseUrl}/api/v1/search`, {
      q: formatQuestion({ text }, MAX_QUESTION_CHARS),
      locale: LOCALES[language] ?? 'en-US',
      size: limit,
      page: page > 1 ? page : undefined,
    }),
  parse: (body) =>
    readHits(readJson(body, answer, SERVICE).documents, document, SERVICE, ({ mdn_url, title, summary }) => ({
      url: `${SITE}${mdn_url}`,
      title: escapeHtmlText(title),
      snippet: escapeHtmlText(summary ?? ''),
    })),
});
