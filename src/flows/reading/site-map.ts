import type { PageBrowser } from '../../browse/types.ts';
import { badRequestError } from '../../errors.ts';
import { formatCount } from '../../lib/text/format-count.ts';
import { countWords } from '../../lib/text/text.ts';
import type { OperationContext } from '../../operation.ts';
import type { SiteMap } from '../../search/types.ts';
import { composeAnswerRules } from '../searching/rules.ts';
import type { SearchBody, SearchItem } from '../searching/search-body.ts';
import type { BrowseInput } from './browse-input.ts';

/** Maximum number of pages in one part of a site map. A part has about 5,000 words. */
const PAGES_A_PART = 200;
const SHARE_OF_ANSWER = 0.8;

export async function listSitePages(
  input: BrowseInput,
  browse: PageBrowser,
  ctx: OperationContext,
): Promise<SearchBody> {
  const { q, paging: first = 1, numofpages } = input;
  if (q.startsWith('file:')) throw badRequestError('map takes a site of the web: q is a file');
  const sites = await ctx.services.sites();
  const map = await sites.mapSite(ctx.caller.id, q, first > 1, {
    signal: ctx.signal,
    read: (raw, signal) => browse.readBytes(raw, signal, ctx.caller.id),
    mayFetch: ctx.countFetch,
    progress: ctx.progress,
  });
  const parts = Math.ceil(map.count / PAGES_A_PART);
  const results = partsOf(map, first, Math.min(parts, first + numofpages - 1), parts);
  const cut = cutDown(results, input, ctx);
  return {
    results: cut ?? results,
    rules:
      said(map, first, Math.min(parts, first + numofpages - 1), parts) +
      (cut === undefined ? '' : 'Not all links of a part fit into the answer. ') +
      composeAnswerRules({ hasLinks: true, hasText: false }, ctx),
  };
}

function partsOf(map: SiteMap, first: number, last: number, parts: number): SearchItem[] {
  const items: SearchItem[] = [];
  for (let part = first; part <= last; part++) {
    const pages = map.pages.slice((part - 1) * PAGES_A_PART, part * PAGES_A_PART);
    items.push({
      title: map.title,
      link: map.url,
      part,
      parts,
      links: pages.map(({ url, title = '', modified }) => {
        return { title, url, ...(modified !== undefined && { lastModified: modified }) };
      }),
      ...(part === first && {
        linkCount: map.count,
        ...(map.bounds.length > 0 && { reduced: map.bounds.join('; ') }),
      }),
    });
  }
  return items;
}

function cutDown(
  results: readonly SearchItem[],
  { inputwindowwords = Number.POSITIVE_INFINITY }: BrowseInput,
  { responseBytes }: OperationContext,
): SearchItem[] | undefined {
  let [words, bytes] = [inputwindowwords, responseBytes * SHARE_OF_ANSWER];
  let isCut = false;
  const cut = results.map((item) => {
    const links = item.links?.filter((link) => {
      words -= countWords(link.title) + 1;
      bytes -= Buffer.byteLength(JSON.stringify(link)) + 1;
      return words >= 0 && bytes >= 0;
    });
    if (links?.length !== item.links?.length) isCut = true;
    return { ...item, ...(links && { links }) };
  });
  return isCut ? cut : undefined;
}

function said(map: SiteMap, first: number, last: number, parts: number): string {
  const { count, sitemaps, read, bounds } = map;
  const from = [
    ...(sitemaps > 0 ? [formatCount(sitemaps, 'sitemap')] : []),
    ...(read > 0 ? [`the links of ${formatCount(read, 'page')}`] : []),
  ].join(' and ');
  const less = bounds.length > 0 ? `There may be more: ${bounds.join('; ')}. ` : '';
  const found = `${formatCount(count, 'page')} at and under this address, from ${from}. ${less}`;
  if (first > parts)
    return `${found}The map has ${formatCount(parts, 'part')}: paging goes from 1 to ${parts}. `;
  return last < parts ? `${found}Call again with paging ${last + 1} for more of them. ` : found;
}
