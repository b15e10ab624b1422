import { z } from 'zod';
import { defined } from '../../lib/defined.ts';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { asHtml } from '../html-answer.ts';
import { readHits, readJson } from '../json-answer.ts';
import { byAuthors } from '../paper.ts';
import { startOf } from '../time-range.ts';

const SERVICE = { name: 'OpenAlex' } as const;
/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;
/** Words of an abstract that are put together again. */
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

/** Scholarly works of every field: https://docs.openalex.org/api-entities/works/search-works */
export function openalex({
  baseUrl = 'https://api.openalex.org',
  contact,
}: EngineOptions = {}): SearchEngine {
  return {
    name: 'openalex',
    about: {
      title: 'OpenAlex',
      website: 'https://docs.openalex.org/',
      needsKey: false,
      categories: ['papers'],
      takes: ['language', 'timeRange'],
      pages: 10,
      // 10 a second; 100,000 a day.
      pace: 100,
      terms: 'data under CC0',
    },
    request: ({ text, limit, language, timeRange, page = 1 }) => {
      const filters = [
        ...(language ? [`language:${language}`] : []),
        ...(timeRange ? [`from_publication_date:${startOf(timeRange).slice(0, 10)}`] : []),
      ];
      return {
        url: `${baseUrl}/works?${new URLSearchParams(
          defined({
            search: takeCharacters(text.replace(/[,:|!]/g, ' '), MAX_QUESTION_CHARS),
            filter: filters.join(',') || undefined,
            'per-page': String(limit),
            page: page > 1 ? String(page) : undefined,
            select:
              'id,display_name,doi,publication_date,authorships,cited_by_count,primary_location,abstract_inverted_index',
            mailto: contact,
          }),
        )}`,
        headers: { accept: 'application/json' },
      };
    },
    parse(body) {
      const { results } = readJson(body, answer, SERVICE);
      return readHits(results, work, SERVICE, (one) => ({
        url: one.doi || one.primary_location?.landing_page_url || one.id,
        title: one.display_name,
        snippet: asHtml(
          [
            byAuthors(one.authorships.map(({ author }) => author.display_name)),
            `cited by ${one.cited_by_count}`,
            abstract(one.abstract_inverted_index ?? {}),
          ]
            .filter(Boolean)
            .join('. '),
        ),
        published: one.publication_date,
      }));
    },
  };
}

/** It gives the places of each word, since it may not give the text. */
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
