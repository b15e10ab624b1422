import { attempt } from '../../../lib/attempt.ts';
import listings from './listings.json' with { type: 'json' };
import type { ResourceFamily } from './resource-family.ts';

const TEXT = 'page://text/';
const RECENT = 'page://recent';
const COMPLETED = 100;

export const pageResources: ResourceFamily = {
  scheme: 'page://',
  ...listings.page,
  async listResources({ caller, services }, limit, cursor) {
    const search = await services.search();
    const { pages, next } = await search.listRecentPages(caller.id, limit, cursor);
    const resources = pages.map(({ url, title, readAt }) => ({
      uri: `${TEXT}${encodeURIComponent(url)}`,
      name: title || url,
      description: url,
      mimeType: 'text/markdown',
      annotations: { lastModified: new Date(readAt).toISOString() },
    }));
    return { resources, next };
  },
  async readResource({ caller, services }, uri, limit) {
    const search = await services.search();
    if (uri === RECENT) {
      const { pages } = await search.listRecentPages(caller.id, limit);
      const list = pages.map(({ url, title, readAt }) => ({
        url,
        title,
        readAt: new Date(readAt).toISOString(),
      }));
      return { mimeType: 'application/json', text: JSON.stringify(list) };
    }
    const url = uri.startsWith(TEXT) ? attempt(() => decodeURIComponent(uri.slice(TEXT.length))) : undefined;
    const page = url === undefined ? undefined : await search.recallPage(caller.id, url);
    return page && { mimeType: 'text/markdown', text: `# ${page.title}\n\n${page.text}` };
  },
  async completeVariable({ caller, services }, _argument, value) {
    const search = await services.search();
    const { pages } = await search.listRecentPages(caller.id, COMPLETED);
    return pages.map(({ url }) => encodeURIComponent(url)).filter((url) => url.includes(value));
  },
};
