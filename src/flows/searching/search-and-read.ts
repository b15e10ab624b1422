import type { Page, PageDigest } from '../../browse/types.ts';
import { BusyError } from '../../errors.ts';
import { readHosts } from '../../lib/network/host-list.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { sentences } from '../../lib/text/sentences.ts';
import type { OperationContext } from '../../operation.ts';
import type { Category, FoundPage, FoundPages } from '../../search/types.ts';
import {
  addToLocalIndex,
  createTextWork,
  fitAnswer,
  formatEngineReports,
  getTimeLimitFactor,
  MAX_SUMMARIES,
  readAgain,
} from './answer.ts';
import { type LeadingReader, type PageReading, PageTimeoutError, readLeadingPages } from './leading-pages.ts';
import {
  composeAnswerRules,
  explainReducedPages,
  explainShortenedTexts,
  explainWarnings,
  findReaderOperation,
} from './rules.ts';
import type { SearchBody, SearchItem } from './search-body.ts';
import {
  parseQuotedPhrases,
  type SiftablePage,
  type SiftedPage,
  type SiftResult,
  siftPages,
} from './sift-pages.ts';
import { DEFAULT_ANSWER_WORDS, shortenedNote, textBudgets, withShortFacts } from './word-budget.ts';
import { wordsWithoutText } from './word-ceiling.ts';

/** Maximum characters of a block. With a word limit, the maximum is `CHARS_PER_WORD` per word. */
const BLOCK_CHARS = 20_000;
const CHARS_PER_WORD = 10;
const LEAST_BLOCK_CHARS = 2000;
const CUT = 'its longest blocks are cut';
export const MAX_FULL_CONTENTS = 3;
const READING_TIME = 8000;
const PATIENCE = 3000;

export interface WebSearch {
  readonly q: string;
  readonly percentile: number;
  readonly numofpages: number;
  readonly inputwindowwords?: number | undefined;
  /** True for the operation `searchgiant`. Pages share the word limit by rank, not by relevance. */
  readonly wholeTexts?: boolean | undefined;
  readonly language?: string | undefined;
  readonly region?: string | undefined;
  readonly timeRange?: 'day' | 'week' | 'month' | 'year' | undefined;
  readonly site?: string | undefined;
  readonly excludeSite?: string | undefined;
  readonly topic?: Category | undefined;
  readonly paging?: number | undefined;
}

export async function searchAndRead(input: WebSearch, ctx: OperationContext): Promise<SearchBody> {
  const longer = getTimeLimitFactor(input.percentile, input.wholeTexts ? 1 : 3);
  const found = await find(input, longer, ctx);
  const blockChars = input.inputwindowwords
    ? Math.max(LEAST_BLOCK_CHARS, CHARS_PER_WORD * input.inputwindowwords)
    : BLOCK_CHARS;
  const time: ReadingTime = { longer, ms: READING_TIME * longer };
  const sifted = await siftPages(found.pages, input, {
    read: (pages, wanted) => readPages(pages, wanted, time, ctx),
    digest: async (hit, page) => {
      const browse = await ctx.services.browse();
      const wanted = {
        query: input.q,
        title: titleOf(hit, page),
        phrases: parseQuotedPhrases(input.q),
        blockChars,
      };
      return browse.digest(page.markdown, wanted, createTextWork(ctx));
    },
    wanted: Math.min(MAX_SUMMARIES, input.numofpages),
    signal: ctx.signal,
  });
  // Throws the server's error if it was too busy to read any page. The pages may be readable later.
  if (sifted.busy && !sifted.results.some(({ page }) => page)) throw sifted.busy;
  const used = sifted.results.slice(0, input.numofpages);
  const { findOrders } = await import('../../lib/orders/find-orders.ts');
  const items = used
    .map((one, index) => {
      const { hit, page } = one;
      return itemOf(one, index, page ? page.warnings : findOrders(hit.snippet ?? '', hit.title));
    })
    .map((read) => ({ ...read, item: withShortFacts(read.item) }));
  const compose = composer(items, input, ctx);
  const shown = await compose(input.percentile);
  return fitAnswer(
    { ...input, query: input.q },
    ctx,
    async (percentile) => (percentile === input.percentile ? shown : compose(percentile)),
    advice(found, input) +
      unread(sifted, used) +
      leftOut(sifted, input) +
      explainReducedPages(items.map(({ item }) => item)) +
      explainShortenedTexts(shown) +
      explainWarnings(shown) +
      rules(items, ctx),
    found,
  );
}

interface ReadItem {
  readonly item: SearchItem;
  readonly digest?: PageDigest;
}

function composer(
  items: readonly ReadItem[],
  { inputwindowwords = DEFAULT_ANSWER_WORDS, wholeTexts = false }: WebSearch,
  ctx: OperationContext,
): (percentile: number) => Promise<SearchItem[]> {
  const texts = items.flatMap(({ digest }) => digest ?? []);
  const full = wordsBeside(items);
  const shown = !wholeTexts && full > inputwindowwords * MOST_BESIDE ? items.map(slimmed) : items;
  const budgets = wholeTexts ? [] : textBudgets(texts, inputwindowwords - wordsBeside(shown));
  const reader = findReaderOperation(ctx);
  return async (percentile) =>
    shown.map(({ item, digest }, index) => {
      const budget = digest && budgets[texts.indexOf(digest)];
      if (budget === undefined) return { ...item, full_content: digest?.reduced?.(percentile) };
      const kept = digest?.within?.(percentile, budget);
      if (!kept?.cut) return { ...item, full_content: kept?.text };
      const [best] = items[index]?.item.highlights ?? [];
      const facts = { words: kept.words, of: digest?.words ?? 0, section: best?.section };
      return { ...item, full_content: kept.text, shortened: shortenedNote(facts, reader) };
    });
}

const MOST_BESIDE = 0.5;

function wordsBeside(items: readonly ReadItem[]): number {
  return items.reduce((sum, { item }) => sum + wordsWithoutText(item), 0);
}

function slimmed({ item, digest }: ReadItem): ReadItem {
  const { highlights, summary, ...rest } = item;
  const [best] = highlights ?? [];
  const [first] = summary === undefined ? [] : sentences(summary);
  return {
    item: {
      ...rest,
      ...(summary !== undefined && { summary: first ?? summary }),
      ...(digest === undefined && best && { highlights: [best] }),
    },
    ...(digest && { digest }),
  };
}

function itemOf(
  { hit, page, digest, error, copies }: SiftedPage,
  index: number,
  warnings: SearchItem['warnings'],
): ReadItem {
  const { url: link, snippet } = hit;
  const short = index < MAX_SUMMARIES ? { summary: snippet } : snippet && { snippet };
  const facts = {
    ...known(hit),
    ...(page ? named(page) : {}),
    warnings,
    ...(copies.length > 0 && { copies }),
  };
  const item = {
    title: page ? titleOf(hit, page) : hit.title,
    link,
    ...facts,
    site: facts.site ?? siteOf(hit),
  };
  if (error !== undefined) return { item: { ...item, ...short, error } };
  if (!page || !digest || index >= MAX_SUMMARIES) return { item: { ...item, ...short } };
  const { highlights, cut } = digest;
  const summary = digest.summary || snippet;
  const told = { ...item, summary, ...(highlights.length > 0 && { highlights: [...highlights] }) };
  if (index >= MAX_FULL_CONTENTS) return { item: told };
  const why = [item.reduced, cut > 0 ? CUT : ''].filter(Boolean).join('; ');
  return { item: { ...told, ...(why && { reduced: why }) }, digest };
}

function titleOf({ title }: FoundPage, page: SiftablePage): string {
  return /^https?:\/\/\S+$/.test(title) ? page.title || title : title;
}

function siteOf({ url, host }: FoundPage): string | undefined {
  const { hostname, protocol } = new URL(url);
  return protocol === 'file:' ? undefined : (host ?? hostname).replace(/^www\./, '');
}

export async function searchSnippets(input: WebSearch, ctx: OperationContext): Promise<SearchBody> {
  const found = await find(input, 1, ctx);
  const { findOrders } = await import('../../lib/orders/find-orders.ts');
  const results = found.pages.slice(0, input.numofpages).map((page, index) => ({
    title: page.title,
    link: page.url,
    summary: index < MAX_SUMMARIES ? page.snippet : undefined,
    snippet: index < MAX_SUMMARIES ? undefined : page.snippet,
    ...known(page),
    warnings: findOrders(page.snippet ?? '', page.title),
    site: page.site ?? siteOf(page),
    ...(input.topic === 'images' && { image: page.image }),
  }));
  return {
    results,
    rules: advice(found, input) + explainWarnings(results) + rules(results, ctx),
    engines: formatEngineReports(found.engines),
    fewAnswered: found.fewAnswered,
  };
}

async function find(
  { q, language, region, timeRange, site, excludeSite, topic, paging }: WebSearch,
  longer: number,
  ctx: OperationContext,
): Promise<FoundPages> {
  const search = await ctx.services.search();
  const [spoken, place] = (language ?? '').split('-');
  ctx.progress('asking the search engines');
  return search.findPages(q, {
    owner: ctx.caller.id,
    limit: 10,
    signal: ctx.signal,
    patience: longer,
    language: spoken || undefined,
    region: region || place?.toUpperCase() || undefined,
    timeRange,
    site: site ? readHosts(site) : undefined,
    excludeSite: excludeSite ? readHosts(excludeSite) : undefined,
    category: topic,
    page: paging,
  });
}

interface ReadingTime {
  readonly longer: number;
  readonly ms: number;
  beganAt?: number;
}

async function readPages(
  pages: readonly FoundPage[],
  wanted: number,
  time: ReadingTime,
  ctx: OperationContext,
): Promise<Map<string, PageReading<SiftablePage>>> {
  const deadline = time.ms - (time.beganAt === undefined ? 0 : performance.now() - time.beganAt);
  if (pages.length === 0 || deadline <= 0) return new Map();
  const [browse, search] = await Promise.all([ctx.services.browse(), ctx.services.search()]);
  let done = 0;
  const read: Page[] = [];
  const goal = Math.min(wanted, pages.length);
  ctx.progress(`reading ${formatCount(goal, 'page')}`);
  const readOne: LeadingReader<SiftablePage> = async (url, signal, onStage) => {
    try {
      const page = await browse.readPage(url, {
        signal,
        owner: ctx.caller.id,
        patience: time.longer,
        goesOn: time.beganAt !== undefined,
        onStage(stage) {
          time.beganAt ??= performance.now();
          onStage(stage);
        },
        recent: true,
      });
      read.push(page);
      return page;
    } catch (error) {
      signal.throwIfAborted();
      const kept = await search.recallPage(ctx.caller.id, url);
      if (!kept) throw error;
      return readAgain(kept);
    } finally {
      if (!signal.aborted) ctx.progress(`read ${Math.min(++done, goal)} of ${formatCount(goal, 'page')}`);
    }
  };
  const urls = pages.map(({ url }) => url);
  try {
    const readings = await readLeadingPages(urls, readOne, {
      wanted,
      patience: PATIENCE,
      deadline,
      signal: ctx.signal,
    });
    await recallLate(urls, readings, wanted, (url) => search.recallPage(ctx.caller.id, url));
    return readings;
  } finally {
    await addToLocalIndex(read, ctx);
  }
}

async function recallLate(
  urls: readonly string[],
  readings: Map<string, PageReading<SiftablePage>>,
  wanted: number,
  recall: (url: string) => Promise<{ readonly title: string; readonly text: string } | undefined>,
): Promise<void> {
  let lacking = wanted - [...readings.values()].filter((reading) => 'page' in reading).length;
  for (const url of urls) {
    if (lacking <= 0) return;
    const reading = readings.get(url);
    if (!reading || 'page' in reading) continue;
    if (!(reading.error instanceof PageTimeoutError || reading.error instanceof BusyError)) continue;
    const kept = await recall(url);
    if (!kept) continue;
    readings.set(url, { page: await readAgain(kept) });
    lacking--;
  }
}

function known({ published, author, site }: FoundPage): Pick<SearchItem, 'author' | 'published' | 'site'> {
  return {
    ...(published !== undefined && { published: new Date(published).toISOString().slice(0, 10) }),
    ...(author && { author }),
    ...(site && { site }),
  };
}

function named(page: SiftablePage): Pick<SearchItem, 'author' | 'published' | 'site' | 'reduced'> {
  const { author, published, site, reduced } = page;
  return {
    ...(author && { author }),
    ...(published && { published }),
    ...(site && { site }),
    ...(reduced && { reduced }),
  };
}

function rules(results: readonly unknown[], ctx: OperationContext): string {
  return composeAnswerRules({ hasLinks: results.length > 0, hasText: results.length > 0 }, ctx);
}

const ONLY_KEPT =
  'No search engine answered: these are pages that are kept on this machine, as they were when they were read or indexed. ';

function fewAnswered({ pages, fewAnswered: few }: FoundPages): string {
  if (!few) return '';
  const refused = `${few.failed} of ${few.asked} search engines refused or did not answer`;
  if (few.alone === undefined) return `${refused}. `;
  return pages.length > 0
    ? `${refused}, and what is of the web here is of ${few.alone} alone. `
    : `${refused}, and ${few.alone} alone had something. `;
}

function advice(found: FoundPages, input: WebSearch): string {
  return fewAnswered(found) + nextStep(found, input);
}

function nextStep(
  { pages, engines, besideTopic }: FoundPages,
  { language, region, timeRange, site, excludeSite, topic, paging = 1 }: WebSearch,
): string {
  const onlyLocal = engines.every(({ name, ok }) => name === 'local' || !ok);
  if (pages.length > 0 && onlyLocal && engines.some(({ name, ok }) => name !== 'local' && !ok))
    return ONLY_KEPT;
  if (pages.length > 0)
    return besideTopic ? `No engine for ${topic} could be asked: this is of the web at large. ` : '';
  if (paging > 1)
    return `No engine that can be asked has results with paging ${paging}: take those before it. `;
  const given = Object.entries({ language, region, timeRange, site, excludeSite, topic }).flatMap(
    ([name, value]) => (value ? [name] : []),
  );
  const without = given.length > 0 ? `, or leave out ${given.join(', ')}` : '';
  return onlyLocal
    ? `Nothing was found among the pages that are kept on this machine, and ${engines.some(({ name }) => name !== 'local') ? 'no other engine answered' : 'no engine of the web is in use'}: \`magpie index\` ` +
        'adds a folder or a site to them, and every page that is read is kept. '
    : `Nothing was found: try other or fewer words${without}. `;
}

const NAMED = 2;

function unread({ unreadUrls }: SiftResult, used: readonly SiftedPage[]): string {
  const missing = unreadUrls.filter((url) => !used.some(({ hit }) => hit.url === url));
  if (missing.length === 0) return '';
  const more = missing.length > NAMED ? ` and ${missing.length - NAMED} more` : '';
  return `Could not be read and is left out: ${missing.slice(0, NAMED).join(', ')}${more}. `;
}

function leftOut(
  { olderCount, undatedCount, withoutPhrasesCount, isPhraseUnproven }: SiftResult,
  { timeRange }: WebSearch,
): string {
  const dates =
    (olderCount > 0
      ? `${formatCount(olderCount, 'page')} older than a ${timeRange} by the page's own date left out. `
      : '') +
    (undatedCount > 0
      ? `Of ${formatCount(undatedCount, 'page')} without a date of their own, the engines alone say that they are of the last ${timeRange}. `
      : '');
  if (isPhraseUnproven) return `${dates}No page that was read has the quoted words: these are the nearest. `;
  return withoutPhrasesCount > 0
    ? `${dates}${formatCount(withoutPhrasesCount, 'page')} without the quoted words left out. `
    : dates;
}
