import { z } from 'zod';
import { createJsonRequest } from '../answers/engine-requests.ts';
import { describeKeyRefusals, readHits, readJson, resultSchema } from '../answers/json-answer.ts';
import { formatSiteFilters } from '../answers/site-filters.ts';
import type { EngineFactory } from '../engine.ts';
import { takeCharacters } from '../merging/excerpt.ts';

const SERVICE = { name: 'Serper', env: 'SERPER_API_KEY' } as const;
const MAX_QUESTION_CHARS = 1000;
const SINCE = { day: 'qdr:d', week: 'qdr:w', month: 'qdr:m', year: 'qdr:y' } as const;
/** Google's language codes where they differ from ISO 639-1. */
const LANGUAGES: Readonly<Record<string, string>> = { he: 'iw', zh: 'zh-cn' };

const answer = z.object({
  organic: z.array(z.unknown()),
  topStories: z.array(z.unknown()).optional().catch(undefined),
});
const result = resultSchema({ url: 'link', snippet: ['snippet'], published: 'date' });

export const serper: EngineFactory = ({ baseUrl = 'https://google.serper.dev', key = '' } = {}) => ({
  name: 'serper',
  about: {
    title: 'Serper',
    website: 'https://serper.dev',
    source: 'google',
    needsKey: true,
    categories: ['general', 'news'],
    takes: ['language', 'region', 'timeRange', 'site', 'sites', 'excludeSite'],
    pace: 200,
    facts: {
      limits: 'Nothing without a key.',
      atLimit: '429, or 400 for used up credits.',
      withKey: '2,500 free questions at the start, without a card; then paid by the question.',
      keeps: 'unsaid',
      privacy: 'Its privacy policy was not read. Google answers through it.',
      sources: ['https://serper.dev'],
      checked: '2026-11-27',
    },
  },
  refusals: describeKeyRefusals(SERVICE),
  // Serper reports used-up credits with status 400.
  worded: [400],
  request: ({ text, limit, language, region, timeRange, site, excludeSite }) =>
    createJsonRequest(
      `${baseUrl}/search`,
      { 'x-api-key': key },
      {
        q: takeCharacters(`${formatSiteFilters({ site, excludeSite })}${text}`, MAX_QUESTION_CHARS),
        num: limit,
        hl: language ? (LANGUAGES[language] ?? language) : undefined,
        gl: region ? region.toLowerCase() : undefined,
        tbs: timeRange ? SINCE[timeRange] : undefined,
      },
    ),
  parse(body) {
    const { organic, topStories = [] } = readJson(body, answer, SERVICE);
    return readHits([...organic, ...topStories], result, SERVICE, (hit) => hit);
  },
});
