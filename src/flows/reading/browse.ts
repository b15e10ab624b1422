import type { Page, PageBrowser, Section, TextPortion, TextWorkOptions } from '../../browse/types.ts';
import { badRequestError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import type { OperationContext } from '../../operation.ts';
import type { PageVersion } from '../../search/types.ts';
import {
  addToLocalIndex,
  createTextWork,
  fitAnswer,
  getTimeLimitFactor,
  MAX_SUMMARIES,
  readAgain,
} from '../searching/answer.ts';
import { composeAnswerRules, explainReducedPages, explainWarnings } from '../searching/rules.ts';
import type { SearchBody, SearchItem } from '../searching/search-body.ts';
import type { BrowseInput } from './browse-input.ts';
import { changesSince, earlierVersion, NO_EARLIER_VERSION_NOTE } from './changes-since.ts';
import { extractPageData } from './page-data.ts';
import { handleCrawlRequest } from './site-crawl.ts';
import { listSitePages } from './site-map.ts';

const LINKS = 100;

export async function browsePage(input: BrowseInput, ctx: OperationContext): Promise<SearchBody> {
  onlyOne(input);
  const body = await answerOf(input, ctx);
  return { ...body, rules: unused(input, body) + body.rules };
}

async function answerOf(input: BrowseInput, ctx: OperationContext): Promise<SearchBody> {
  const browse = await ctx.services.browse();
  if (input.map) return listSitePages(input, browse, ctx);
  if (input.crawl !== undefined) return handleCrawlRequest({ ...input, crawl: input.crawl }, browse, ctx);
  const schema = input.extract && browse.checkSchema(input.extract);
  ctx.progress(`reading ${input.q}`);
  const { page, earlier } = input.q.startsWith('file:')
    ? { page: await ownFile(input, ctx) }
    : await readPage(input, browse, ctx);
  const { since } = input;
  if (schema) {
    const markdown = (await sectionOf(page, input, browse, createTextWork(ctx))).markdown;
    return extractPageData({ ...page, markdown }, schema, input, browse, ctx);
  }
  if (since !== undefined && earlier)
    return changesSince({ page, earlier }, { ...input, since }, browse, ctx);
  const work = createTextWork(ctx);
  const whole = await sectionOf(page, input, browse, work);
  // Addresses of links are kept, because the reader may open them. Addresses of pictures are removed.
  const markdown = await browse.dropAddresses(
    whole.markdown,
    input.addresses === 'none' ? 'all' : 'pictures',
    work,
  );
  const first = input.paging ?? 1;
  let total = 0;
  const focus = { query: '', title: whole.title || page.title };
  const portions = await browse.createPortions(markdown, focus, work);
  const wanted = {
    section: { title: whole.title, first: whole.first },
    title: page.title,
    first,
    count: input.numofpages,
    summaries: MAX_SUMMARIES,
    listed: input.addresses === 'list',
    maxChars: input.inputwindowwords ? undefined : ctx.responseBytes,
  };
  const listed = input.links ? await links(whole.markdown, page, input, browse, work) : {};
  const addresses = new Map<number, NonNullable<TextPortion['parts'][number]['addresses']>>();
  const compose = async (percentile: number): Promise<SearchItem[]> => {
    const portion = await portions(percentile, wanted);
    const { outline } = portion;
    total = portion.total;
    for (const [index, part] of portion.parts.entries()) addresses.set(first + index, part.addresses ?? []);
    return portion.parts.map(({ text, summary }, index) => ({
      title: page.title,
      link: page.url,
      summary,
      full_content: text,
      part: first + index,
      parts: total,
      section: whole.title || undefined,
      reduced: page.reduced,
      ...(index === 0 && {
        ...facts(page),
        warnings: page.warnings,
        outline: outline.length > 1 ? outline : undefined,
        ...listed,
      }),
    }));
  };
  const withLists = (items: readonly SearchItem[]) =>
    Promise.all(
      items.map(async (item) => ({
        ...item,
        full_content: await browse.withList(
          item.full_content ?? '',
          addresses.get(item.part ?? 0) ?? [],
          work,
        ),
      })),
    );
  const results = await compose(input.percentile);
  const last = first + results.length - 1;
  return fitAnswer(
    input,
    ctx,
    async (percentile) => (percentile === input.percentile ? results : compose(percentile)),
    (since === undefined ? '' : NO_EARLIER_VERSION_NOTE) +
      where(input, first, last, total, results[0]?.outline !== undefined) +
      chosen(input, whole) +
      (await hint(input, page, total, browse, work)) +
      explainReducedPages([page]) +
      explainWarnings(results) +
      composeAnswerRules({ hasLinks: false, hasText: results.length > 0 }, ctx),
    undefined,
    input.addresses === 'list' ? withLists : undefined,
  );
}

const IN_PLACE = ['since', 'extract', 'map', 'crawl'] as const;

function onlyOne(input: BrowseInput): void {
  const asked = IN_PLACE.filter((name) => input[name] !== undefined && input[name] !== false);
  if (asked.length > 1) {
    throw badRequestError(`${asked.join(' and ')} cannot be combined: leave out all but one`);
  }
}

const OF_TEXT = {
  since: ['links', 'addresses', 'paging'],
  extract: ['links', 'addresses', 'paging'],
  map: ['section', 'links', 'addresses'],
  crawl: ['section', 'links', 'addresses', 'paging'],
} as const;

function unused(input: BrowseInput, { results: [first] }: SearchBody): string {
  const asked = IN_PLACE.find((name) => input[name] !== undefined && input[name] !== false);
  if (asked === undefined || (asked === 'since' && !first?.changes)) return '';
  const given = {
    section: input.section !== undefined,
    links: input.links === true,
    addresses: input.addresses !== undefined && input.addresses !== 'inline',
    paging: input.paging !== undefined && input.paging > 1,
  };
  const names = OF_TEXT[asked].filter((name) => given[name]);
  return names.length > 0
    ? `Beside ${asked}, ${names.join(' and ')} ${names.length > 1 ? 'change' : 'changes'} nothing. `
    : '';
}

async function sectionOf(
  { markdown }: Page,
  { section }: BrowseInput,
  browse: PageBrowser,
  work: TextWorkOptions,
): Promise<Section> {
  return section ? browse.findSection(markdown, section, work) : { title: '', markdown, first: 1 };
}

async function readPage(
  { q, percentile, since, extract }: BrowseInput,
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<{ readonly page: Page; readonly earlier?: PageVersion }> {
  const { signal, caller } = ctx;
  const wanted = { fresh: since !== undefined, structured: extract !== undefined, waits: true };
  const longer = getTimeLimitFactor(percentile, 1);
  const page = await browse.readPage(q, { signal, owner: caller.id, ...wanted, patience: longer });
  const earlier = since === undefined ? undefined : await earlierVersion(page, since, ctx);
  await addToLocalIndex([page], ctx);
  return { page, ...(earlier && { earlier }) };
}

async function ownFile({ q, since }: BrowseInput, ctx: OperationContext): Promise<Page> {
  const url = q.replace(/#.*/s, '');
  if (since !== undefined) {
    throw badRequestError('since takes a page of the web, which is read again: q is a file');
  }
  const kept = await (await ctx.services.search()).recallPage(ctx.caller.id, url);
  if (kept) return { url, kind: 'text', ...(await readAgain(kept)) };
  throw badRequestError(
    `q is ${JSON.stringify(url.slice(0, 200))}: of files only those in your local index can be read; take an address of http or https, or add the file with \`magpie index\``,
  );
}

function where({ section }: BrowseInput, first: number, last: number, total: number, outlined: boolean) {
  const what = section ? 'section' : 'page';
  if (total === 0) return `This ${what} has no readable text: it has neither letters nor digits. `;
  if (last < first) return `This ${what} has ${formatCount(total, 'part')}: paging goes from 1 to ${total}. `;
  if (total === 1) return '';
  const parts = last > first ? `These are parts ${first} to ${last}` : `This is part ${first}`;
  if (last >= total) return `${parts} of ${total}, the last. `;
  const choose = outlined ? ', or with a section of the outline for that alone' : '';
  return `${parts} of ${total}: call again with paging ${last + 1} for the next${choose}. `;
}

function chosen({ section }: BrowseInput, { first, choice }: Section): string {
  if (!choice) return '';
  const near = choice.exact
    ? ''
    : `No heading is exactly ${JSON.stringify(section)}: what this section is called stands beside its text. `;
  if (choice.fitting === 1) return near;
  const more = choice.fitting - 1 - choice.others.length;
  const others = `${choice.others.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return `${near}${choice.fitting} headings fit, and this is number ${first}: for another ask by its number, ${others}. `;
}

async function hint(
  { q, section }: BrowseInput,
  page: Page,
  total: number,
  browse: PageBrowser,
  work: TextWorkOptions,
): Promise<string> {
  const fragment = new URL(q).hash.slice(1);
  if (section || total < 2 || fragment === '') return '';
  const named = await browse.findSectionTitle(page.markdown, fragment, work);
  return named
    ? `The address names the section ${JSON.stringify(named)}: ask for it alone with section. `
    : '';
}

function facts({ author, published, language, site, canonical, next }: Page) {
  return {
    author: author || undefined,
    published: published || undefined,
    language: language || undefined,
    site: site || undefined,
    canonical: canonical || undefined,
    next: next || undefined,
  };
}

async function links(
  markdown: string,
  page: Page,
  { section }: BrowseInput,
  browse: PageBrowser,
  work: TextWorkOptions,
) {
  const more = section ? [] : (page.links ?? []);
  const found = await browse.listLinks(markdown, more, LINKS, work);
  return { links: found.links.map(({ url, text }) => ({ title: text, url })), linkCount: found.count };
}
