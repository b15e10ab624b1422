import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { formatAuthors } from '../answers/format-authors.ts';
import { describeKeyRefusals, escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, type EngineOptions, type SearchEngine } from '../engine.ts';

const MAX_QUESTION_CHARS = 400;
const MAX_WORDS = 200;
const answer = z.object({ results: z.array(z.unknown()) });
const name = z.object({ author: z.object({ display_name: z.string().catch('') }) });
const work = z.object({
  id: z.string(),
  display_name: z.string().nullish(),
  doi: z.string().nullish().catch(undefined),
  publication_date: z.string().nullish().catch(undefined),
  authorships: z.array(name).catch([]),
  cited_by_count: z.number().catch(0),
  primary_location: z.object({ landing_page_url: z.string().nullish() }).nullish().catch(undefined),
  abstract_inverted_index: z.record(z.string(), z.array(z.number())).nullish().catch(undefined),
});

export function openalex({
  baseUrl = 'https://api.openalex.org',
  contact,
  key,
}: EngineOptions = {}): SearchEngine {
  const service = { name: 'OpenAlex', env: 'OPENALEX_API_KEY', isKeyless: !key };
  return {
    ...describeEngine('openalex', { pace: key ? 100 : 1000 }),
    refusals: describeKeyRefusals(service),
    pauses: [401, 402, 403],
    request: ({ text, limit, language, timeRange, page = 1 }) => {
      const filters = [
        ...(language ? [`language:${language}`] : []),
        ...(timeRange ? [`from_publication_date:${startOfTimeRange(timeRange).slice(0, 10)}`] : []),
      ];
      return createGetRequest(`${baseUrl}/works`, {
        search: takeCharacters(text.replace(/[,:|!]/g, ' '), MAX_QUESTION_CHARS),
        filter: filters.join(',') || undefined,
        'per-page': limit,
        page: page > 1 ? page : undefined,
        select:
          'id,display_name,doi,publication_date,authorships,cited_by_count,primary_location,abstract_inverted_index',
        mailto: contact,
        // The key is in the address, because OpenAlex documents no header for keys.
        api_key: key,
      });
    },
    parse: (body) =>
      readHits(readJson(body, answer, service).results, work, service, (one) => ({
        url: one.doi || one.primary_location?.landing_page_url || one.id,
        title: one.display_name,
        snippet: escapeHtmlText(
          [
            formatAuthors(one.authorships.map(({ author }) => author.display_name)),
            `cited by ${one.cited_by_count}`,
            abstract(one.abstract_inverted_index ?? {}),
          ]
            .filter(Boolean)
            .join('. '),
        ),
        published: one.publication_date,
      })),
  };
}

/** Rebuilds an abstract from OpenAlex's index, which has the positions of each word. */
function abstract(index: Readonly<Record<string, readonly number[]>>): string {
  const placed = Object.entries(index).flatMap(([word, places]) =>
    places
      .slice(0, MAX_WORDS)
      .flatMap((place) => (place >= 0 && place < MAX_WORDS ? [[place, word] as const] : [])),
  );
  return placed
    .toSorted(([a], [b]) => a - b)
    .map(([, word]) => word)
    .slice(0, MAX_WORDS)
    .join(' ');
}
