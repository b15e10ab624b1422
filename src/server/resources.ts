import type { Caller } from '../caller.ts';
import { AppError } from '../errors.ts';
import type { Services } from '../services.ts';

/** Resources of MCP: what a client can attach without calling a tool. */

const SCHEME = 'page://';
const RECENT = `${SCHEME}recent`;
const PAGE_SIZE = 50;

export const RESOURCE_TEMPLATES = [
  {
    uriTemplate: `${SCHEME}text/{url}`,
    name: 'page',
    title: 'A page read before',
    description: 'Markdown of a page that was read before, from the local index, without a network call.',
    mimeType: 'text/markdown',
  },
] as const;

export interface ResourceScope {
  readonly caller: Caller;
  readonly services: Services;
}

/** The caller's pages, newest first, behind the list of them itself. */
export async function listResources({ caller, services }: ResourceScope, cursor: string | undefined) {
  const search = await services.search();
  const { pages, next } = await search.recent(caller.id, PAGE_SIZE, cursor);
  const recent = {
    uri: RECENT,
    name: 'recent-pages',
    title: 'Pages read lately',
    description: 'Addresses and titles of the pages read last, newest first.',
    mimeType: 'application/json',
  };
  return {
    resources: [
      ...(cursor === undefined ? [recent] : []),
      ...pages.map(({ url, title, readAt }) => ({
        uri: pageUri(url),
        name: title || url,
        description: url,
        mimeType: 'text/markdown',
        annotations: { lastModified: new Date(readAt).toISOString() },
      })),
    ],
    ...(next !== undefined && { nextCursor: next }),
  };
}

/** The text behind a resource address; AppError `not_found` for any other address. */
export async function readResource({ caller, services }: ResourceScope, uri: string) {
  const search = await services.search();
  if (uri === RECENT) {
    const { pages } = await search.recent(caller.id, PAGE_SIZE);
    const list = pages.map(({ url, title, readAt }) => ({
      url,
      title,
      readAt: new Date(readAt).toISOString(),
    }));
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(list) }] };
  }
  const url = pageUrl(uri);
  const page = url === undefined ? undefined : await search.recall(caller.id, url);
  if (!page) {
    throw new AppError(
      'not_found',
      `there is no resource ${shown(uri)}; resources/list names those there are`,
    );
  }
  return { contents: [{ uri, mimeType: 'text/markdown', text: `# ${page.title}\n\n${page.text}` }] };
}

/** Values for `{url}`: addresses of pages read before. */
export async function completeUrl({ caller, services }: ResourceScope, value: string) {
  const search = await services.search();
  const { pages } = await search.recent(caller.id, 100);
  const values = pages.map(({ url }) => encodeURIComponent(url)).filter((url) => url.includes(value));
  return { values, total: values.length, hasMore: false };
}

function pageUri(url: string): string {
  return `${SCHEME}text/${encodeURIComponent(url)}`;
}

function pageUrl(uri: string): string | undefined {
  if (!uri.startsWith(`${SCHEME}text/`)) return undefined;
  try {
    return decodeURIComponent(uri.slice(`${SCHEME}text/`.length));
  } catch {
    return undefined;
  }
}

function shown(uri: string): string {
  return JSON.stringify(uri.length > 200 ? `${uri.slice(0, 197)}...` : uri);
}
