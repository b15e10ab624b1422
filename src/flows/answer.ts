import type { Page } from '../browse/types.ts';
import { AppError } from '../errors.ts';
import { countWords } from '../lib/text.ts';
import type { Context } from '../operation.ts';
import type { EngineReport } from '../search/types.ts';
import type { SearchBody, SearchItem } from './search-body.ts';
import { type ShareWords, underCeiling } from './word-ceiling.ts';

/** Results that carry a summary. */
export const SUMMARIES = 5;

/**
 * How many times the usual time a call gets: 1.5 at the first doubling of `percentile` from where it starts, 2
 * from the second on. Callers are asked to double it when a call fails, so a retry must be likelier to succeed.
 */
export function patience(percentile: number, start: number): number {
  return 1 + Math.min(2, Math.max(0, Math.log2(percentile / start))) / 2;
}

/** Characters of an answer that its words are estimated by. */
const SAMPLE = 500_000;

/** The local index is a convenience: a full disk must not cost the caller the page. */
export async function remember(page: Page, ctx: Context): Promise<void> {
  try {
    const search = await ctx.services.search();
    const { url, title, markdown } = page;
    await search.rememberPage(ctx.caller.id, { url, title, text: markdown, readAt: Date.now() });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the page was not added to the local index');
  }
}

/** The results under the word ceiling and the byte limit; past the limit, the error names what would fit. */
export async function fitted(
  input: {
    readonly percentile: number;
    readonly inputwindowwords?: number | undefined;
    /** The question, where the texts are cut by it. */
    readonly query?: string;
  },
  ctx: Context,
  compose: (percentile: number) => Promise<SearchItem[]>,
  rules: string,
  engines?: readonly EngineReport[],
): Promise<SearchBody> {
  const { shareWords } = await ctx.services.browse();
  const cut: ShareWords = (texts, ceiling) => shareWords(texts, ceiling, ctx.signal);
  const body = async (percentile: number): Promise<SearchBody> => {
    const results = await compose(percentile);
    return {
      results: input.inputwindowwords
        ? await underCeiling(results, input.inputwindowwords, input.query ?? '', cut)
        : results,
      rules,
      engines: engines ? report(engines) : undefined,
    };
  };
  const fits = (candidate: SearchBody) => Buffer.byteLength(JSON.stringify(candidate)) <= ctx.responseBytes;
  const answer = await body(input.percentile);
  if (fits(answer)) return answer;
  const shortest = input.percentile < 100 ? await body(100) : answer;
  let [low, high] = [input.percentile + 1, 100];
  if (fits(shortest)) {
    while (low < high) {
      const middle = (low + high) >> 1;
      if (fits(await body(middle))) high = middle;
      else low = middle + 1;
    }
    throw tooLarge(ctx, `percentile ${high} would fit`);
  }
  // Pages of one endless block: no percentile parts them.
  const { results } = shortest;
  const fitting = results.findLastIndex((_, at) => fits({ ...shortest, results: results.slice(0, at + 1) }));
  if (fitting >= 0) throw tooLarge(ctx, `numofpages ${fitting + 1} with percentile 100 would fit`);
  const text = JSON.stringify(answer).slice(0, SAMPLE);
  const words = Math.floor((countWords(text) * ctx.responseBytes) / Buffer.byteLength(text) / 2);
  const giant = input.inputwindowwords ? '' : 'the giant form of this operation with ';
  throw tooLarge(ctx, `${giant}inputwindowwords ${Math.max(1, words)} would fit`);
}

function tooLarge({ responseBytes }: Context, what: string): AppError {
  return new AppError('too_large', `ResponseTooLarge: the answer is over ${responseBytes} bytes; ${what}`);
}

export function report(engines: readonly EngineReport[]) {
  return engines.map(({ name, ok, reason, ms }) => ({
    name,
    ok,
    reason: reason || undefined,
    ms: Math.round(ms),
  }));
}
