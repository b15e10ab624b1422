import type { Page } from '../browse/types.ts';
import { AppError } from '../errors.ts';
import { counted } from '../lib/counted.ts';
import type { Context } from '../operation.ts';
import type { FoundPage, FoundPages } from '../search/types.ts';
import { fitted, patience, remember, report, SUMMARIES, textWork } from './answer.ts';
import { type Reading, readLeading } from './leading-pages.ts';
import { reducedRule, rulesFor } from './rules.ts';
import type { SearchBody, SearchItem } from './search-body.ts';

/** Where the rooms search and browse meet: find, read the leading pages, reduce, share the words out. */

/** Characters of one block in a result, and with a word ceiling, for each of its words, but at least some. */
const BLOCK_CHARS = 20_000;
const CHARS_PER_WORD = 10;
const LEAST_BLOCK_CHARS = 2000;
/** Said of a result with such a block. */
const CUT = 'its longest blocks are cut';
/** Results that carry their full text. */
export const FULL_CONTENTS = 3;
/** Milliseconds that the leading pages have together; the rest of the answer does not wait longer. */
const READING_TIME = 8000;
/** Milliseconds after which a page that has not come gets a spare beside it. */
const PATIENCE = 3000;

export interface WebSearch {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly inputwindowwords?: number | undefined;
  readonly language?: string | undefined;
  readonly region?: string | undefined;
  readonly timeRange?: 'day' | 'week' | 'month' | 'year' | undefined;
  readonly site?: string | undefined;
}

/** `search` and `searchgiant`: results with the text of the leading pages. */
export async function searchAndRead(input: WebSearch, ctx: Context): Promise<SearchBody> {
  const longer = patience(input.percentile, input.inputwindowwords === undefined ? 3 : 1);
  const found = await find(input, longer, ctx);
  const readings = await readPages(found.pages, Math.min(SUMMARIES, input.numofpages), longer, ctx);
  const used = readableFirst(found.pages, readings).slice(0, input.numofpages);
  const chars = input.inputwindowwords
    ? Math.max(LEAST_BLOCK_CHARS, CHARS_PER_WORD * input.inputwindowwords)
    : BLOCK_CHARS;
  const items: ReadItem[] = [];
  for (const [index, hit] of used.entries()) {
    const { title, url, snippet } = hit;
    const reading = readings.get(url);
    if (!reading || !('page' in reading)) {
      const short = index < SUMMARIES ? { summary: snippet } : snippet && { snippet };
      const error = reading && { error: whyNot(url, reading.error) };
      items.push({ item: { title, link: url, ...short, ...dated(hit), ...error } });
      continue;
    }
    const { page } = reading;
    const name = isAddress(title) ? page.title || title : title;
    const item = { title: name, link: url, ...dated(hit), ...named(page) };
    items.push(await readItem(item, { snippet, text: page.markdown, index, query: input.q, chars }, ctx));
  }
  const compose = async (percentile: number): Promise<SearchItem[]> =>
    items.map(({ item, reduced }) => ({ ...item, full_content: reduced?.(percentile) }));
  return fitted(
    { ...input, query: input.q },
    ctx,
    compose,
    advice(found, input) +
      unread(found.pages, used, readings) +
      reducedRule(items.map(({ item }) => item)) +
      rules(items, ctx),
    found.engines,
  );
}

interface ReadItem {
  readonly item: SearchItem;
  /** Its text at any percentile, where its rank lets it have one. */
  readonly reduced?: (percentile: number) => string;
}

/** What was read, and for which question. */
interface Read {
  readonly snippet: string;
  readonly text: string;
  /** Place of the result, from 0. */
  readonly index: number;
  readonly query: string;
  /** Characters of its longest block. */
  readonly chars: number;
}

/** A result whose page was read; what takes too long to cut down is left out, and the other results are not. */
async function readItem(
  item: SearchItem,
  { snippet, text, index, query, chars }: Read,
  ctx: Context,
): Promise<ReadItem> {
  if (index >= SUMMARIES) return { item: { ...item, snippet } };
  const browse = await ctx.services.browse();
  try {
    const summary = (await browse.summarize(text, query, textWork(ctx))) || snippet;
    if (index >= FULL_CONTENTS) return { item: { ...item, summary } };
    // Links are for a reader of the page itself, who gets them by browse.
    const words = await browse.dropAddresses(text, 'all', textWork(ctx));
    const bounded = await browse.boundBlocks(words, chars, textWork(ctx));
    const reduced = await browse.createReducer(bounded.text, { query, title: item.title }, textWork(ctx));
    const why = [item.reduced, bounded.cut > 0 ? CUT : ''].filter(Boolean).join('; ');
    return { item: { ...item, summary, ...(why && { reduced: why }) }, reduced };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (error instanceof AppError) return { item: { ...item, summary: snippet, error: error.message } };
    throw error;
  }
}

/** `ultrafastsearch`: the engines' own snippets, no page fetched. */
export async function searchOnly(input: WebSearch, ctx: Context): Promise<SearchBody> {
  const found = await find(input, 1, ctx);
  const results = found.pages.slice(0, input.numofpages).map((page, index) => ({
    title: page.title,
    link: page.url,
    summary: index < SUMMARIES ? page.snippet : undefined,
    snippet: index < SUMMARIES ? undefined : page.snippet,
    ...dated(page),
  }));
  return { results, rules: advice(found, input) + rules(results, ctx), engines: report(found.engines) };
}

async function find(
  { q, language, region, timeRange, site }: WebSearch,
  longer: number,
  ctx: Context,
): Promise<FoundPages> {
  const search = await ctx.services.search();
  ctx.progress('asking the search engines');
  return search.findPages(q, {
    owner: ctx.caller.id,
    limit: 10,
    signal: ctx.signal,
    patience: longer,
    language: language || undefined,
    region: region || undefined,
    timeRange,
    site: site || undefined,
  });
}

type ReadPage = Pick<Page, 'title' | 'markdown' | 'author' | 'published' | 'site' | 'reduced'>;

/** The leading pages, each from the web, or as it was read before where the web does not give it now. */
async function readPages(
  pages: readonly FoundPage[],
  wanted: number,
  longer: number,
  ctx: Context,
): Promise<Map<string, Reading<ReadPage>>> {
  if (pages.length === 0) return new Map();
  const [browse, search] = await Promise.all([ctx.services.browse(), ctx.services.search()]);
  let done = 0;
  const goal = Math.min(wanted, pages.length);
  ctx.progress(`reading ${counted(goal, 'page')}`);
  const readOne = async (url: string, signal: AbortSignal, arrived: () => void) => {
    try {
      const page = await browse.readPage(url, { signal, owner: ctx.caller.id, patience: longer, arrived });
      await remember(page, ctx);
      return page;
    } catch (error) {
      signal.throwIfAborted();
      const kept = await search.recallPage(ctx.caller.id, url);
      if (!kept) throw error;
      return { title: kept.title, markdown: kept.text };
    } finally {
      if (!signal.aborted) ctx.progress(`read ${Math.min(++done, goal)} of ${counted(goal, 'page')}`);
    }
  };
  return readLeading(
    pages.map(({ url }) => url),
    readOne,
    { wanted, patience: PATIENCE, deadline: READING_TIME * longer, signal: ctx.signal },
  );
}

/** Pages that were read before those that were not, each group by rank: the first three carry their text. */
function readableFirst(pages: readonly FoundPage[], readings: ReadonlyMap<string, Reading<unknown>>) {
  const isRead = ({ url }: FoundPage) => {
    const reading = readings.get(url);
    return reading !== undefined && 'page' in reading;
  };
  return [...pages.filter(isRead), ...pages.filter((page) => !isRead(page))];
}

/** When the page was published, by the engine: a day, since engines seldom know more. */
function dated({ published }: FoundPage): { published?: string } {
  return published === undefined ? {} : { published: new Date(published).toISOString().slice(0, 10) };
}

/** What the page says of itself, which goes before what an engine says. */
function named(page: ReadPage): Pick<SearchItem, 'author' | 'published' | 'site' | 'reduced'> {
  const { author, published, site, reduced } = page;
  return {
    ...(author && { author }),
    ...(published && { published }),
    ...(site && { site }),
    ...(reduced && { reduced }),
  };
}

function whyNot(url: string, error: unknown): string {
  return error instanceof AppError ? error.message : `Error fetching content: ${url} did not answer in time`;
}

/** A hit whose engine gave no title has its address in place of one. */
function isAddress(title: string): boolean {
  return /^https?:\/\/\S+$/.test(title);
}

function rules(results: readonly unknown[], ctx: Context): string {
  return rulesFor({ links: results.length > 0, text: results.length > 0 }, ctx);
}

/** What to do where nothing was found; where only the local index was asked, how it is filled. */
function advice({ pages, engines }: FoundPages, { language, region, timeRange, site }: WebSearch): string {
  if (pages.length > 0) return '';
  const given = Object.entries({ language, region, timeRange, site }).flatMap(([name, value]) =>
    value ? [name] : [],
  );
  const without = given.length > 0 ? `, or leave out ${given.join(', ')}` : '';
  const onlyLocal = engines.every(({ name, ok }) => name === 'local' || !ok);
  return onlyLocal
    ? 'Nothing was found among the pages that are kept on this machine, and no other engine answered: `magpie index` ' +
        'adds a folder or a site to them, and every page that is read is kept. '
    : `Nothing was found: try other or fewer words${without}. `;
}

/** Pages left out that are named. */
const NAMED = 2;

/** Names better ranked pages that spares stand in for. */
function unread(
  pages: readonly FoundPage[],
  used: readonly FoundPage[],
  readings: ReadonlyMap<string, Reading<unknown>>,
): string {
  const missing = pages
    .filter((page) => readings.has(page.url) && !used.includes(page))
    .map(({ url }) => url);
  if (missing.length === 0) return '';
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return `Could not be read and is left out: ${missing.slice(0, NAMED).join(', ')}${more}. `;
}
