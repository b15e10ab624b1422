import { z } from 'zod';
import { omitUndefined } from '../../lib/omit-undefined.ts';
import { takeCharacters } from '../../lib/text/text.ts';
import { formatAuthors } from '../answers/format-authors.ts';
import { readHits, readJson } from '../answers/json-answer.ts';
import {
  describeEngine,
  EngineError,
  type EngineOptions,
  type SearchEngine,
  type SearchQuery,
} from '../engine.ts';
import { keepSignificantWords } from '../questions/significant-words.ts';

const SERVICE = { name: 'PubMed' } as const;
const MAX_QUESTION_CHARS = 300;
const DAYS = { day: 1, week: 7, month: 31, year: 365 } as const;
const NONE = '0';

const found = z.object({
  esearchresult: z.object({ idlist: z.array(z.string()), ERROR: z.string().optional() }),
});
const answer = z.union([
  z.object({ result: z.object({ uids: z.array(z.string()) }).catchall(z.unknown()) }),
  z.object({ error: z.string() }),
  z.object({ esummaryresult: z.array(z.string()) }),
]);
const summary = z.object({
  uid: z.string().regex(/^\d+$/),
  title: z.string(),
  source: z.string().nullish().catch(undefined),
  sortpubdate: z.string().nullish().catch(undefined),
  authors: z.array(z.object({ name: z.string().catch('') })).catch([]),
});

/** Medical papers (https://www.ncbi.nlm.nih.gov/books/NBK25501/). A second request reads them by id. */
export function pubmed({
  baseUrl = 'https://eutils.ncbi.nlm.nih.gov',
  contact,
}: EngineOptions = {}): SearchEngine {
  const address = (tool: string, fields: Record<string, string | undefined>) =>
    `${baseUrl}/entrez/eutils/${tool}.fcgi?${new URLSearchParams(
      omitUndefined({ db: 'pubmed', retmode: 'json', tool: 'magpie', email: contact, ...fields }),
    )}`;
  const headers = { accept: 'application/json' };
  const search = ({ text, limit, timeRange, page = 1 }: SearchQuery) => ({
    url: address('esearch', {
      term: takeCharacters(
        keepSignificantWords(text.split(/\s+/).filter(Boolean)).join(' '),
        MAX_QUESTION_CHARS,
      ),
      retmax: String(limit),
      retstart: page > 1 ? String((page - 1) * limit) : undefined,
      sort: 'relevance',
      ...(timeRange && { datetype: 'pdat', reldate: String(DAYS[timeRange]) }),
    }),
    headers,
  });
  return {
    ...describeEngine('pubmed'),
    visit: {
      lifetime: 0,
      request: search,
      read(body) {
        const { esearchresult } = readJson(body, found, SERVICE);
        if (esearchresult.ERROR) throw new EngineError('refused', 'it refuses the question');
        return esearchresult.idlist.filter((id) => /^\d{1,12}$/.test(id)).join(',') || NONE;
      },
    },
    request: (query, token = '') =>
      token === '' ? search(query) : { url: address('esummary', { id: token }), headers },
    parse(body) {
      const read = readJson(body, answer, SERVICE);
      if ('error' in read) {
        if (/rate limit/i.test(read.error)) throw new EngineError('rate_limited', 'it is asked too often');
        throw new EngineError('refused', 'it refuses the question');
      }
      if ('esummaryresult' in read) return [];
      const { uids, ...papers } = read.result;
      const known = uids.filter((uid) => uid !== NONE).map((uid) => papers[uid]);
      return readHits(known, summary, SERVICE, ({ uid, title, source, sortpubdate, authors }) => ({
        url: `https://pubmed.ncbi.nlm.nih.gov/${uid}/`,
        title,
        snippet: [formatAuthors(authors.map(({ name }) => name)), source].filter(Boolean).join('. '),
        published: sortpubdate?.slice(0, 10).replaceAll('/', '-'),
      }));
    },
  };
}
