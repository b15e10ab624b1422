import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { formatAuthors } from '../answers/format-authors.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';

const SERVICE = { name: 'Semantic Scholar' } as const;
const MAX_QUESTION_CHARS = 300;

const answer = z.union([
  z.object({ total: z.number(), data: z.array(z.unknown()).catch([]) }),
  z.object({ message: z.string() }),
  z.object({ error: z.string() }),
]);
const paper = z.object({
  paperId: z.string(),
  title: z.string().nullish(),
  abstract: z.string().nullish().catch(undefined),
  year: z.number().nullish().catch(undefined),
  publicationDate: z.string().nullish().catch(undefined),
  citationCount: z.number().nullish().catch(undefined),
  authors: z
    .array(z.object({ name: z.string().nullish() }))
    .nullish()
    .catch([]),
  externalIds: z
    .object({ DOI: z.string().nullish(), ArXiv: z.string().nullish() })
    .nullish()
    .catch(undefined),
});

/** Semantic Scholar ranks papers by meaning: https://api.semanticscholar.org/api-docs/graph */
export const semanticScholar: EngineFactory = ({ baseUrl = 'https://api.semanticscholar.org' } = {}) => ({
  // The pace is slow, because all users without a key share the same limit.
  ...describeEngine('semantic-scholar'),
  worded: [400],
  request: ({ text, limit, timeRange, page = 1 }) =>
    createGetRequest(`${baseUrl}/graph/v1/paper/search`, {
      query: takeCharacters(text.replaceAll('-', ' '), MAX_QUESTION_CHARS),
      limit: limit,
      offset: page > 1 ? (page - 1) * limit : undefined,
      fields: 'title,abstract,year,publicationDate,citationCount,authors,externalIds',
      publicationDateOrYear: timeRange && `${startOfTimeRange(timeRange).slice(0, 10)}:`,
    }),
  parse(body) {
    const read = readJson(body, answer, SERVICE);
    if (!('total' in read)) {
      const words = 'error' in read ? read.error : read.message;
      if (/too many|rate/i.test(words)) throw new EngineError('rate_limited', 'it is asked too often');
      throw new EngineError(
        'refused',
        `it refuses the question: ${words.replace(/\s+/g, ' ').slice(0, 200)}`,
      );
    }
    return readHits(read.data, paper, SERVICE, ({ paperId, externalIds, ...one }) => ({
      url: externalIds?.ArXiv
        ? `https://arxiv.org/abs/${externalIds.ArXiv}`
        : externalIds?.DOI
          ? `https://doi.org/${externalIds.DOI}`
          : `https://www.semanticscholar.org/paper/${paperId}`,
      title: escapeHtmlText(one.title ?? ''),
      snippet: escapeHtmlText(
        [
          formatAuthors((one.authors ?? []).map(({ name }) => name ?? '')),
          `cited by ${one.citationCount ?? 0}`,
          one.abstract,
        ]
          .filter(Boolean)
          .join('. '),
      ),
      published: one.publicationDate ?? (one.year ? `${one.year}-01-01` : undefined),
    }));
  },
});
