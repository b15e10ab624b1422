import { VIEW_TYPE, VIEWS_URI, viewAt } from '../tools/apps.ts';
import type { ResourceFamily } from './resource-family.ts';

/** No origin but the host's own frame: not for data, files, frames or a base address. */
const NO_OTHER_HOST = { connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] };

/** The views of MCP Apps, `ui://magpie/{view}`. Tools lead to them; they are in no list. */
export const viewResources: ResourceFamily = {
  scheme: VIEWS_URI,
  fixed: [],
  templates: [],
  listResources: async () => ({ resources: [], next: undefined }),
  async readResource(_scope, uri) {
    const view = viewAt(uri);
    if (!view) return undefined;
    const { viewPage } = await import('../../views/page.ts');
    return {
      mimeType: VIEW_TYPE,
      text: viewPage(view),
      _meta: { ui: { csp: NO_OTHER_HOST, prefersBorder: true } },
    };
  },
  hasResource: async (_scope, uri) => viewAt(uri) !== undefined,
  completeVariable: async () => [],
};
