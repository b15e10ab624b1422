import { AppError } from '../src/errors.ts';
import type { Context } from '../src/operation.ts';
import { fitted, type Page, remember, report, SUMMARIES } from './web-answer.ts';
import { RULES, type SearchBody, type SearchItem } from './web-schema.ts';

/** Where the rooms search and browse meet: find, read the leading pages, reduce, share the words out. */

const FULL_CONTENTS = 3;
/** Milliseconds that the leading pages of a search have together; the rest of the answer does not wait longer. */
const READING_TIME = 8000;

export interface WebSearch {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly inputwindowwords?: number | undefined;
}

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
