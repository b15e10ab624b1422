import { AppError } from '../../errors.ts';
import type { PassageMatch, QueryOptions } from '../../knowledge/types.ts';
import type { OperationContext } from '../../operation.ts';
import { type Citation, citePassages, toCitedPassage } from '../connector/citation.ts';
import { findFileParts } from '../reading/file-source.ts';
import { createTextWork, MAX_SUMMARIES } from './answer.ts';
import { findInAskedTime } from './asked-time.ts';
import { describeWeakMatches, getMatchUri } from './match.ts';
import { composeAnswerRules, explainWarnings, withoutRecommendations } from './rules.ts';
import { MAX_FULL_CONTENTS, searchAndRead, type WebSearch } from './search-and-read.ts';
import type { SearchBody, SearchItem } from './search-body.ts';

const TITLE_WORDS = 10;

type SearchOutcome<T> = { readonly answer: T } | { readonly error: AppError };

/** Searches the web and the knowledge base. Throws AppError if the web search fails and no entry matches. */
export async function searchWebAndKnowledge(
  { kept: within, ...input }: WebSearch & { readonly kept: Pick<QueryOptions, 'filter' | 'speaker'> },
  ctx: OperationContext,
): Promise<SearchBody> {
  const found = await half(async () => {
    const knowledge = await ctx.services.knowledge();
    const asked = { ...within, topK: input.numofpages };
    const timed = await findInAskedTime(knowledge, ctx.caller.id, input.q, asked, ctx.signal);
    const matches = timed.found;
    const languages = await knowledge.readLanguages(ctx.caller.id, input.q).catch(() => undefined);
    const parts = await findFileParts(matches, ctx);
    const citations = await citePassages(
      matches.map((match) => toCitedPassage(match, parts.get(match))),
      ctx,
    );
    return { matches, citations, advice: languages?.advice };
  }, ctx);
  const { summarize } = await ctx.services.browse();
  const { findOrders } = await import('../../lib/orders/find-orders.ts');
  const kept = await Promise.all(
    ('answer' in found ? found.answer.matches : []).map(async (match, at) => {
      const { text } = match.passage;
      const summary = (await summarize(text, input.q, createTextWork(ctx))) || text;
      const citation = 'answer' in found ? found.answer.citations[at] : undefined;
      const item = { ...matchResult(match, summary, citation), warnings: findOrders(text) };
      return { item, closeness: match.score };
    }),
  );
  const beside = Buffer.byteLength(JSON.stringify(kept));
  const web = await half(
    () => searchAndRead(input, { ...ctx, log: ctx.log, responseBytes: ctx.responseBytes - beside }),
    ctx,
  );
  if ('error' in web && kept.length === 0) throw web.error;
  const pages = 'answer' in web ? web.answer.results : [];
  const close = kept.filter(({ item }) => !item.weak);
  const matches = pages.length > 0 ? close : close.length > 0 ? close : kept;
  const note = 'answer' in found ? describeWeakMatches(found.answer.matches) : undefined;
  const results = fuse(pages, matches).slice(0, input.numofpages);
  const missing = [
    'error' in web ? `The web could not be searched: ${oneLine(web.error.message)} ` : '',
    'answer' in web && pages.length === 0 && kept.length > 0 ? 'The web has nothing on this. ' : '',
    ...[note, 'answer' in found ? found.answer.advice : undefined].map((said) =>
      said === undefined ? '' : `Of the knowledge base: ${said} `,
    ),
    'error' in found ? `The knowledge base could not be asked: ${found.error.message}. ` : '',
  ].join('');
  return {
    results: results.map(atPlace),
    rules: [
      missing,
      // If entries were found, the answer is not empty, so hints for an empty web search are left out.
      'answer' in web && (pages.length > 0 || kept.length === 0)
        ? withoutRecommendations(web.answer.rules)
        : '',
      explainWarnings(results),
      composeAnswerRules(
        { hasLinks: results.some(({ link }) => /^https?:/.test(link)), hasText: results.length > 0 },
        ctx,
      ),
    ]
      .map((part) => part.trim())
      .filter(Boolean)
      .join(' '),
    ...('answer' in web && { engines: web.answer.engines, fewAnswered: web.answer.fewAnswered }),
    failures: failuresOf(web, found),
    ...(note !== undefined && { note }),
  };
}

function failuresOf(web: SearchOutcome<unknown>, notes: SearchOutcome<unknown>): SearchBody['failures'] {
  const failures = {
    ...('error' in web && { web: web.error.message }),
    ...('error' in notes && { notes: notes.error.message }),
  };
  return Object.keys(failures).length > 0 ? failures : undefined;
}

function oneLine(message: string): string {
  return message.replaceAll('\n', ' ').replace(/[^.!?]$/, '$&.');
}

async function half<T>(work: () => Promise<T>, { signal }: OperationContext): Promise<SearchOutcome<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError) return { error };
    throw error;
  }
}

/** Merges pages and entries by reciprocal rank. The weight of an entry also depends on its relevance. */
function fuse(
  pages: readonly SearchItem[],
  kept: readonly { readonly item: SearchItem; readonly closeness: number }[],
): SearchItem[] {
  return [
    ...pages.map((item, rank) => ({ item, weight: 1 / (rank + 1) })),
    ...kept.map(({ item, closeness }, rank) => ({ item, weight: closeness / (rank + 1) })),
  ]
    .sort((a, b) => b.weight - a.weight)
    .map(({ item }) => item);
}

function matchResult(match: PassageMatch, summary: string, citation: Citation | undefined): SearchItem {
  const { text } = match.passage;
  const words = (match.passage.title || text).trim().split(/\s+/);
  const title = words.slice(0, TITLE_WORDS).join(' ') + (words.length > TITLE_WORDS ? ' …' : '');
  return {
    title,
    link: getMatchUri(match),
    summary,
    full_content: text,
    ...(citation && { citation }),
    ...(match.weak && { weak: true }),
    ...(match.replaces && { replaces: [...match.replaces] }),
    ...(match.supersededBy !== undefined && { supersededBy: match.supersededBy }),
  };
}

function atPlace({ summary, full_content, snippet, ...item }: SearchItem, place: number): SearchItem {
  if (place < MAX_FULL_CONTENTS) {
    return { ...item, summary, full_content };
  }
  const short = summary ?? snippet ?? '';
  return place < MAX_SUMMARIES ? { ...item, summary: short } : { ...item, snippet: short };
}
