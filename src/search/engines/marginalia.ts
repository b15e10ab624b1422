import { z } from 'zod';
import type { EngineOptions, SearchEngine } from '../engine.ts';
import { takeCharacters } from '../excerpt.ts';
import { asHtml } from '../html-answer.ts';
import { readHits, readJson } from '../json-answer.ts';
import { siteWords } from '../site-words.ts';

const SERVICE = { name: 'Marginalia' } as const;
/** Characters of a question: it travels in the address. */
const MAX_QUESTION_CHARS = 400;

const answer = z.object({ query: z.string(), results: z.array(z.unknown()) });
const result = z.object({ url: z.string(), title: z.string().nullish(), description: z.string().nullish() });

/** Marginalia's index of small, text-heavy sites: https://about.marginalia-search.com/article/api/ */
export function marginalia({
  baseUrl = 'https://api2.marginalia-search.com',
}: EngineOptions = {}): SearchEngine {
  return {
    name: 'marginalia',
    about: {
      title: 'Marginalia',
      website: 'https://about.marginalia-search.com/article/api/',
      needsKey: false,
      categories: ['general'],
      takes: ['site'],
      pace: 2000,
    },
    // All who have no key of their own share one, and its limit.
    pauses: [503],
    refusals: { 503: 'the key that all share has reached its limit', 504: 'it did not find enough in time' },
    request: ({ text, limit, site }) => ({
      url: `${baseUrl}/search?${new URLSearchParams({
        query: takeCharacters(`${siteWords({ site })}${text}`, MAX_QUESTION_CHARS),
        count: String(limit),
        nsfw: '1',
      })}`,
      headers: { accept: 'application/json', 'api-key': 'public' },
    }),
    parse(body) {
      const { results } = readJson(body, answer, SERVICE);
      return readHits(results, result, SERVICE, ({ url, title, description }) => ({
        url,
        title: asHtml(title ?? ''),
        snippet: asHtml(description ?? ''),
      }));
    },
  };
}
