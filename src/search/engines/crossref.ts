import { z } from 'zod';
import { createGetRequest, formatQuestion, startOfTimeRange } from '../answers/engine-requests.ts';
import { formatAuthors } from '../answers/format-authors.ts';
import { htmlToPlainText } from '../answers/hit.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Crossref' } as const;
const MAX_QUESTION_CHARS = 400;
const answer = z.object({ message: z.object({ items: z.array(z.unknown()) }) });
const work = z.object({
  DOI: z.string().regex(/^10\./),
  title: z.array(z.string()).catch([]),
  'container-title': z.array(z.string()).catch([]),
  abstract: z.string().nullish().catch(undefined),
  author: z.array(z.object({ given: z.string().optional(), family: z.string().optional() })).catch([]),
  issued: z
    .object({ 'date-parts': z.array(z.array(z.number().int().nullable())) })
    .optional()
    .catch(undefined),
});

export const crossref: EngineFactory = ({ baseUrl = 'https://api.crossref.org', contact } = {}) => ({
  ...describeEngine('crossref'),
  request: ({ text, limit, timeRange, page = 1 }) =>
    createGetRequest(`${baseUrl}/works`, {
      'query.bibliographic': formatQuestion({ text }, MAX_QUESTION_CHARS),
      rows: limit,
      offset: page > 1 ? (page - 1) * limit : undefined,
      select: 'DOI,title,container-title,abstract,author,issued',
      filter: timeRange && `from-pub-date:${startOfTimeRange(timeRange).slice(0, 10)}`,
      mailto: contact,
    }),
  parse(body) {
    const { items } = readJson(body, answer, SERVICE).message;
    return readHits(items, work, SERVICE, (one) => {
      const names = one.author.map(({ given = '', family = '' }) => `${given} ${family}`);
      const words = [formatAuthors(names), one['container-title'][0], htmlToPlainText(one.abstract ?? '')];
      return {
        url: `https://doi.org/${one.DOI}`,
        title: one.title[0] ?? one['container-title'][0],
        snippet: escapeHtmlText(words.filter(Boolean).join('. ')),
        published: dateOf(one.issued?.['date-parts'][0] ?? []),
      };
    });
  },
});

/** Converts a date such as `[2026]`, `[2026, 3]` or `[2026, 3, 5]` to ISO 8601. */
function dateOf([year, month, day]: readonly (number | null)[]): string | undefined {
  const two = (part: number | null | undefined) => String(part ?? 1).padStart(2, '0');
  return year ? `${year}-${two(month)}-${two(day)}` : undefined;
}
