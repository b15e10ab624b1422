import { findViewByUri, VIEW_MEDIA_TYPE, VIEWS_URI } from '../tools/apps.ts';
import type { ResourceFamily } from './resource-family.ts';

const NO_OTHER_HOST = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

export const viewResources: ResourceFamily = {
  scheme: VIEWS_URI,
  fixed: [],
  templates: [],
  listResources: async () => ({ resources: [], next: undefined }),
  async readResource(_scope, uri) {
    const view = findViewByUri(uri);
    if (!view) return undefined;
    const { viewPage } = await import('../../views/page.ts');
    return {
      mimeType: VIEW_MEDIA_TYPE,
      text: viewPage(view),
      _meta: { ui: { csp: NO_OTHER_HOST, prefersBorder: true } },
    };
  },
  hasResource: async (_scope, uri) => findViewByUri(uri) !== undefined,
  completeVariable: async () => [],
};
