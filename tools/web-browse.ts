import type { Context } from '../src/operation.ts';
import { fitted, remember, SUMMARIES } from './web-answer.ts';
import { RULES, type SearchBody, type SearchItem } from './web-schema.ts';

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
