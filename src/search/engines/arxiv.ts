import type { CheerioAPI } from 'cheerio';
import { takeCharacters } from '../../lib/text/text.ts';
import type { TimeRange } from '../../lib/time/date-range.ts';
import { createGetRequest, startOfTimeRange } from '../answers/engine-requests.ts';
import { formatAuthors } from '../answers/format-authors.ts';
import { toHits } from '../answers/hit.ts';
import { readHtml } from '../answers/html-answer.ts';
import { escapeHtmlText } from '../answers/json-answer.ts';
import { describeEngine, EngineError, type EngineFactory } from '../engine.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

const MAX_WORDS = 12;
const MAX_WORD_CHARS = 60;
/** Words to leave out: words that say nothing about a paper's subject, and the operator `andnot`. */
const EMPTY = new Set(
  'andnot arxiv latest new not paper papers preprint preprints recent research study studies'.split(' '),
);

/** Papers from arXiv's API: https://info.arxiv.org/help/api/user-manual.html */
export const arxiv: EngineFactory = ({ baseUrl = 'https://export.arxiv.org' } = {}) => ({
  ...describeEngine('arxiv'),
  pauses: [503],
  worded: [400],
  request: ({ text, limit, timeRange }) =>
    createGetRequest(
      `${baseUrl}/api/query`,
      { search_query: expression(text, timeRange), start: '0', max_results: limit, sortBy: 'relevance' },
      { accept: 'application/atom+xml' },
    ),
  parse(body) {
    if (/^\s*rate exceeded/i.test(body)) throw new EngineError('rate_limited', 'it is asked too often');
    const $ = readHtml(body, { xml: true });
    if ($('feed').length === 0) {
      throw new EngineError('changed', 'its answer is not what the arXiv API answers');
    }
    const entries = $('feed > entry').toArray();
    const fault = entries.find((entry) => /\/api\/errors/.test($(entry).children('id').text()));
    if (fault) {
      const words = $(fault).children('summary').text().replace(/\s+/g, ' ').trim().slice(0, 200);
      throw new EngineError('refused', `it refuses the question: ${words}`);
    }
    if (entries.length === 0) {
      if (
        $('feed')
          .children()
          .toArray()
          .some(({ name }) => name === 'opensearch:totalResults')
      )
        return [];
      throw new EngineError('changed', 'its feed is not what the arXiv API answers');
    }
    const hits = entries.flatMap((entry) => paper($, $(entry)));
    if (hits.length > 0) return hits;
    throw new EngineError('changed', 'its entries are not what the arXiv API answers');
  },
});

function paper($: CheerioAPI, entry: ReturnType<CheerioAPI>) {
  const id = entry.children('id').text().trim();
  if (!/\/abs\//.test(id)) return [];
  const authors = entry
    .children('author')
    .toArray()
    .map((author) => $(author).children('name').text().trim());
  return toHits({
    // Converts the address to https and removes the version, because other engines return this form.
    url: id.replace(/^http:/, 'https:').replace(/v\d{1,3}$/, ''),
    title: escapeHtmlText(entry.children('title').text()),
    snippet: escapeHtmlText(`${formatAuthors(authors)}. ${entry.children('summary').text()}`),
    published: entry.children('published').text(),
  });
}

/** Builds a query such as `(all:graph OR all:cut) AND submittedDate:[202601010000 TO 299912312359]`. */
function expression(text: string, timeRange: TimeRange | undefined): string {
  const parts = (text.match(/"[^"]{1,100}"|[\p{L}\p{M}\p{N}_.-]+/gu) ?? [])
    .map((part) => takeCharacters(part.replace(/[^\p{L}\p{M}\p{N}\s_.-]/gu, ' ').trim(), MAX_WORD_CHARS))
    .filter((part) => /[\p{L}\p{N}]/u.test(part));
  const words = keepSignificantWords(parts, EMPTY).slice(0, MAX_WORDS);
  const any = (words.length > 0 ? words : ['""'])
    .map((word) => `all:${/\s|-/.test(word) ? `"${word}"` : word}`)
    .join(' OR ');
  if (!timeRange) return any;
  const since = startOfTimeRange(timeRange).replace(/[-T:]/g, '').slice(0, 12);
  return `(${any}) AND submittedDate:[${since} TO 299912312359]`;
}
