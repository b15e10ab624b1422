import { z } from 'zod';
import { takeCharacters } from '../../lib/text/text.ts';
import { createGetRequest, formatSiteFilters } from '../answers/engine-requests.ts';
import { escapeHtmlText, readHits, readJson } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

const SERVICE = { name: 'GDELT' } as const;
const MAX_QUESTION_CHARS = 250;
const MIN_WORD_CHARS = 3;
const SINCE = { day: '1d', week: '1w', month: '1m', year: '12m' } as const;
const answer = z.object({ articles: z.array(z.unknown()).optional() });
const article = z.object({
  url: z.string(),
  title: z.string(),
  seendate: z.string().nullish().catch(undefined),
  domain: z.string().nullish().catch(undefined),
  sourcecountry: z.string().nullish().catch(undefined),
});

export const gdelt: EngineFactory = ({ baseUrl = 'https://api.gdeltproject.org' } = {}) => ({
  ...describeEngine('gdelt'),
  request: ({ text, limit, timeRange, site, excludeSite }) =>
    createGetRequest(`${baseUrl}/api/v2/doc/doc`, {
      query: `${asWords(text)} ${formatSiteFilters({ site, excludeSite }, { of: 'domainis:' })}`.trimEnd(),
      mode: 'artlist',
      format: 'json',
      sort: 'hybridrel',
      maxrecords: limit,
      timespan: timeRange && SINCE[timeRange],
    }),
  parse(body) {
    const words = body.slice(0, 500);
    if (/limit requests|one every 5 seconds/i.test(words)) {
      throw new EngineError('rate_limited', 'it is asked too often');
    }
    if (/^\s*(?:your query|the specified phrase|no |queries|parentheses|one or more)/i.test(words)) {
      throw new EngineError('refused', 'it refuses the question');
    }
    const { articles = [] } = readJson(body, answer, SERVICE);
    return readHits(articles, article, SERVICE, ({ url, title, seendate, domain, sourcecountry }) => ({
      url,
      title: escapeHtmlText(title),
      snippet: escapeHtmlText([domain, sourcecountry].filter(Boolean).join(', ')),
      published: seendate?.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'),
    }));
  },
});

/** Keeps up to eight significant words. GDELT finds only pages with all words, and rejects short words. */
function asWords(text: string): string {
  const words = (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).filter((word) => word.length >= MIN_WORD_CHARS);
  return takeCharacters(keepSignificantWords(words).slice(0, 8).join(' '), MAX_QUESTION_CHARS) || 'news';
}
