import type { Page, TextWorkOptions } from '../../browse/types.ts';
import { type AppError, tooLargeError } from '../../errors.ts';
import { fitsAsJson } from '../../lib/text/json-size.ts';
import { countWords } from '../../lib/text/text.ts';
import type { OperationContext } from '../../operation.ts';
import type { EngineReport, FoundPages } from '../../search/types.ts';
import type { SearchBody, SearchItem } from './search-body.ts';
import { cutToWordCeiling, type ShareWords } from './word-ceiling.ts';

export const MAX_SUMMARIES = 5;

/** Returns a factor for time limits. It is 1 up to percentile `start`, and rises to 2 at `4 * start`. */
export function getTimeLimitFactor(percentile: number, start: number): number {
  return 1 + Math.min(2, Math.max(0, Math.log2(percentile / start))) / 2;
}

const SAMPLE = 100_000;
/** Kept texts are judged in this thread, so only their beginning is. */
const MAX_JUDGED_CHARACTERS = 100_000;

export function createTextWork({ signal, caller }: OperationContext): TextWorkOptions {
  return { signal, owner: caller.id };
}

const remembered = new WeakSet<Page>();

export async function addToLocalIndex(pages: readonly Page[], ctx: OperationContext): Promise<void> {
  const news = pages.filter((page) => !page.isCut && !remembered.has(page));
  if (news.length === 0) return;
  try {
    const search = await ctx.services.search();
    const readAt = Date.now();
    await search.rememberPages(
      ctx.caller.id,
      news.map(({ url, title, markdown }) => ({ url, title, text: markdown, readAt })),
    );
    for (const page of news) remembered.add(page);
  } catch (error) {
    // Each page is added alone, so that a page that fails does not prevent the others.
    if (news.length > 1) await Promise.all(news.map((page) => addToLocalIndex([page], ctx)));
    else ctx.log.warn({ err: error }, 'the page was not added to the local index');
  }
}

/** Returns a page of the local index, with warnings as a page has them that was just read. */
export async function readAgain({ title, text }: Record<'title' | 'text', string>) {
  const { findOrders } = await import('../../lib/orders/find-orders.ts');
  return { title, markdown: text, warnings: findOrders(text.slice(0, MAX_JUDGED_CHARACTERS), title) };
}

/** Cuts results to `ceiling` words. If `finish` adds too many words, cuts and finishes them again. */
async function finishedUnder(
  ceiling: number,
  under: (most: number) => Promise<SearchItem[]>,
  finish: (results: SearchItem[]) => Promise<SearchItem[]>,
): Promise<SearchItem[]> {
  const cut = await under(ceiling);
  const finished = await finish(cut);
  const added = wordsOf(finished) - wordsOf(cut);
  // Reserves as many words as `finish` added in the first attempt.
  return added > 0 && wordsOf(finished) > ceiling
    ? finish(await under(Math.max(1, ceiling - added)))
    : finished;
}

function wordsOf(results: readonly SearchItem[]): number {
  return results.reduce((sum, { title, summary = '', full_content = '' }) => {
    return sum + countWords(title) + countWords(summary) + countWords(full_content);
  }, 0);
}

/** Fits results under limits of words and bytes. The AppError `too_large` suggests parameters that fit. */
export async function fitAnswer(
  input: {
    readonly percentile: number;
    readonly inputwindowwords?: number | undefined;
    /** Question that decides which passages stay when texts are cut. Without it, texts are cut at the end. */
    readonly query?: string;
  },
  ctx: OperationContext,
  compose: (percentile: number) => Promise<SearchItem[]>,
  rules: string,
  found?: Pick<FoundPages, 'engines' | 'fewAnswered'>,
  finish: (results: SearchItem[]) => Promise<SearchItem[]> = async (results) => results,
): Promise<SearchBody> {
  const { shareWords } = await ctx.services.browse();
  const cut: ShareWords = (texts, ceiling) => shareWords(texts, ceiling, createTextWork(ctx));
  const { inputwindowwords: ceiling, query = '' } = input;
  const body = async (percentile: number): Promise<SearchBody> => {
    const composed = await compose(percentile);
    const under = (most: number) => cutToWordCeiling(composed, most, query, cut);
    return {
      results: ceiling ? await finishedUnder(ceiling, under, finish) : await finish(composed),
      rules,
      ...(found && { engines: formatEngineReports(found.engines), fewAnswered: found.fewAnswered }),
    };
  };
  const fits = (candidate: SearchBody) => fitsAsJson(candidate, ctx.responseBytes);
  const answer = await body(input.percentile);
  if (await fits(answer)) return answer;
  const shortest = input.percentile < 100 ? await body(100) : answer;
  let [low, high] = [input.percentile + 1, 100];
  if (await fits(shortest)) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (await fits(await body(middle))) high = middle;
      else low = middle + 1;
    }
    throw tooLarge(ctx, `percentile ${high} would fit`);
  }
  const { results } = shortest;
  for (let most = results.length - 1; most > 0; most--) {
    if (await fits({ ...shortest, results: results.slice(0, most) }))
      throw tooLarge(ctx, `numofpages ${most} with percentile 100 would fit`);
  }
  const text = JSON.stringify(beginningsOf(answer.results).slice(0, SAMPLE));
  const words = Math.floor((countWords(text) * ctx.responseBytes) / Buffer.byteLength(text) / 2);
  const giant = input.inputwindowwords ? '' : 'the giant form of this operation with ';
  throw tooLarge(ctx, `${giant}inputwindowwords ${Math.max(1, words)} would fit`);
}

function beginningsOf(results: readonly SearchItem[]): string {
  return results
    .flatMap(({ title, summary = '', full_content = '' }) => [title, summary, full_content])
    .map((text) => text.slice(0, SAMPLE))
    .join('\n');
}

function tooLarge({ responseBytes }: OperationContext, what: string): AppError {
  return tooLargeError(`ResponseTooLarge: the answer is over ${responseBytes} bytes; ${what}`);
}

export function formatEngineReports(engines: readonly EngineReport[]) {
  return engines.map(({ name, ok, reason, ms }) => ({
    name,
    ok,
    reason: reason || undefined,
    ms: Math.round(ms),
  }));
}
