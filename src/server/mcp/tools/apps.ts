import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { VIEWS, type View } from '../../../operation.ts';

/**
 * MCP Apps (revision 2026-01-26): a client that announces the extension shows answers of some tools in views of ours. To all
 * others nothing of it is listed.
 */

const EXTENSION = 'io.modelcontextprotocol/ui';
/** Media type of a view. */
export const VIEW_TYPE = 'text/html;profile=mcp-app';
export const VIEWS_URI = 'ui://magpie/';
/** Where a tool's result has what its view draws besides the answer. */
export const VIEW_DATA = 'magpie/view';
/** What hosts of before the first revision read. */
const FLAT_KEY = 'ui/resourceUri';

/** Whether a client shows views of the kind that we have. */
export function showsViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_TYPE);
}

export function viewUri(view: View): string {
  return `${VIEWS_URI}${view}`;
}

/** The view at an address; undefined for any other. */
export function viewAt(uri: string): View | undefined {
  return VIEWS.find((view) => viewUri(view) === uri);
}

/** What the listing of a tool says of its view. */
export function viewMeta(view: View) {
  return { ui: { resourceUri: viewUri(view) }, [FLAT_KEY]: viewUri(view) };
}
