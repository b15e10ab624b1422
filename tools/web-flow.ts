import { AppError } from '../src/errors.ts';
import type { Context } from '../src/operation.ts';
import { RULES, type SearchBody, type SearchItem } from './web-schema.ts';

/** Where the rooms search and browse meet: find, read the leading pages, reduce, share the words out. */

const SUMMARIES = 5;
const FULL_CONTENTS = 3;
/** Milliseconds that the leading pages of a search have together; the rest of the answer does not wait longer. */
const READING_TIME = 8000;

export interface WebSearch {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly inputwindowwords?: number | undefined;
}

type Page = Awaited<ReturnType<Awaited<ReturnType<Context['services']['browse']>>['read']>>;
type Read = { readonly page: Page } | { readonly error: string };

/** `search` and `searchgiant`: results with the text of the leading pages. */
export async function searchAndRead(input: WebSearch, ctx: Context): Promise<SearchBody> {
  const search = await ctx.services.search();
  ctx.progress('asking the search engines');
  const found = await search.find(input.q, { owner: ctx.caller.id, limit: 10, signal: ctx.signal });
  const used = found.pages.slice(0, input.numofpages);
  const urls = used.slice(0, SUMMARIES).map(({ url }) => url);
  const reads = await readAll(urls, ctx);
  const { reduce, summarize } = await ctx.services.browse();
  const compose = (percentile: number): SearchItem[] =>
    used.map(({ title, url, snippet }, index) => {
      const read = reads[index];
      if (!read) return { title, link: url, ...(snippet && { snippet }) };
      if ('error' in read) return { title, link: url, summary: snippet, error: read.error };
      const { markdown } = read.page;
      return {
        title: title || read.page.title,
        link: url,
        summary: summarize(markdown, input.q) || snippet,
        ...(index < FULL_CONTENTS && {
          full_content: reduce(markdown, { query: input.q, title, percentile }),
        }),
      };
    });
  const rules = found.pages.length > 0 ? RULES : `Nothing was found: try other or fewer words. ${RULES}`;
  return fitted(input, ctx, compose, rules, found.engines);
}

/** `ultrafastsearch`: the engines' own snippets, no page fetched. */
export async function searchOnly(input: WebSearch, ctx: Context): Promise<SearchBody> {
  const search = await ctx.services.search();
  const found = await search.find(input.q, { owner: ctx.caller.id, limit: 10, signal: ctx.signal });
  const results = found.pages.slice(0, input.numofpages).map(({ title, url, snippet }, index) => ({
    title,
    link: url,
    ...(index < SUMMARIES ? { summary: snippet } : { snippet }),
  }));
  const rules = results.length > 0 ? RULES : `Nothing was found: try other or fewer words. ${RULES}`;
  return { results, rules, engines: report(found.engines) };
}

export interface WebBrowse {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly paging?: number | undefined;
  readonly inputwindowwords?: number | undefined;
}

/** The browse family: the text of one page in parts. */
export async function browsePage(input: WebBrowse, ctx: Context): Promise<SearchBody> {
  const { read, reduce, cutParts, summarize } = await ctx.services.browse();
  ctx.progress(`reading ${input.q}`);
  const page = await read(input.q, ctx.signal);
  await remember(page, ctx);
  const first = input.paging ?? 1;
  let total = 0;
  const compose = (percentile: number): SearchItem[] => {
    const parts = cutParts(reduce(page.markdown, { query: '', title: page.title, percentile }));
    total = parts.length;
    return parts.slice(first - 1, first - 1 + input.numofpages).map((text, index) => ({
      title: page.title,
      link: page.url,
      ...(index < SUMMARIES && { summary: summarize(text, page.title) }),
      full_content: text,
      part: first + index,
      parts: parts.length,
    }));
  };
  const results = compose(input.percentile);
  const last = first + results.length - 1;
  const where =
    results.length === 0
      ? `This page has ${total} part${total === 1 ? '' : 's'}: paging goes from 1 to ${total}. `
      : last < total
        ? `This is part ${first}${last > first ? ` to ${last}` : ''} of ${total}: call again with paging ${last + 1} for the next. `
        : '';
  return fitted(input, ctx, compose, where + RULES);
}

async function readAll(urls: readonly string[], ctx: Context): Promise<Read[]> {
  if (urls.length === 0) return [];
  const { read } = await ctx.services.browse();
  const deadline = AbortSignal.timeout(READING_TIME);
  const signal = AbortSignal.any([ctx.signal, deadline]);
  let done = 0;
  ctx.progress(`reading ${urls.length} pages`);
  return Promise.all(
    urls.map(async (url): Promise<Read> => {
      try {
        const page = await read(url, signal);
        await remember(page, ctx);
        return { page };
      } catch (error) {
        ctx.signal.throwIfAborted();
        return { error: readingError(url, error, deadline.aborted) };
      } finally {
        done++;
        ctx.progress(`read ${done} of ${urls.length} pages`);
      }
    }),
  );
}

function readingError(url: string, error: unknown, late: boolean): string {
  if (late) return `Error fetching content: ${url} did not answer within ${READING_TIME / 1000} seconds`;
  if (error instanceof AppError) return error.message;
  return `Error fetching content: ${url} could not be read`;
}

/** The local index is a convenience: a full disk must not cost the caller the page. */
async function remember(page: Page, ctx: Context): Promise<void> {
  try {
    const search = await ctx.services.search();
    const { url, title, markdown } = page;
    await search.remember(ctx.caller.id, { url, title, text: markdown, readAt: Date.now() });
  } catch (error) {
    ctx.log.warn({ err: error }, 'the page was not added to the local index');
  }
}

/** The results under the word ceiling and the byte limit; past the limit, the error names what would fit. */
async function fitted(
  input: { readonly percentile: number; readonly inputwindowwords?: number | undefined },
  ctx: Context,
  compose: (percentile: number) => SearchItem[],
  rules: string,
  engines?: Parameters<typeof report>[0],
): Promise<SearchBody> {
  const { shareWords } = await ctx.services.browse();
  const body = (percentile: number): SearchBody => {
    const results = compose(percentile);
    return {
      results: input.inputwindowwords ? underCeiling(results, input.inputwindowwords, shareWords) : results,
      rules,
      ...(engines && { engines: report(engines) }),
    };
  };
  const fits = (candidate: SearchBody) => Buffer.byteLength(JSON.stringify(candidate)) <= ctx.responseBytes;
  const answer = body(input.percentile);
  if (fits(answer)) return answer;
  let [low, high] = [input.percentile + 1, 100];
  const best = low <= high && fits(body(high));
  while (best && low < high) {
    const middle = (low + high) >> 1;
    if (fits(body(middle))) high = middle;
    else low = middle + 1;
  }
  throw new AppError(
    'too_large',
    `ResponseTooLarge: the answer is over ${ctx.responseBytes} bytes; ${
      best
        ? `percentile ${high} would fit`
        : 'no percentile makes it fit: set numofpages to 1, or use the giant form with a lower inputwindowwords'
    }`,
  );
}

/** Titles count too; a result whose title no longer fits is left out. */
function underCeiling(
  results: readonly SearchItem[],
  ceiling: number,
  shareWords: (items: readonly { text: string; weight: number }[], ceiling: number) => string[],
): SearchItem[] {
  const texts = results.flatMap(({ title, summary, full_content, snippet }, index) => [
    { text: title, weight: 1000 / (index + 1) },
    { text: summary ?? snippet ?? '', weight: 10 / (index + 1) },
    { text: full_content ?? '', weight: 1 / (index + 1) },
  ]);
  const shared = shareWords(texts, ceiling);
  return results
    .map((result, index): SearchItem => {
      const [title = '', short = '', full = ''] = shared.slice(index * 3, index * 3 + 3);
      return {
        ...result,
        title,
        ...(result.summary !== undefined && { summary: short }),
        ...(result.snippet !== undefined && { snippet: short }),
        ...(result.full_content !== undefined && { full_content: full }),
      };
    })
    .filter(({ title, summary, full_content, snippet }) => title || summary || full_content || snippet);
}

function report(engines: readonly { name: string; ok: boolean; reason?: string; ms: number }[]) {
  return engines.map(({ name, ok, reason, ms }) => ({
    name,
    ok,
    ...(reason && { reason }),
    ms: Math.round(ms),
  }));
}
