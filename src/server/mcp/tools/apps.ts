import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { MCP_APP_VIEWS, type McpAppView } from '../../../operation.ts';

const EXTENSION = 'io.modelcontextprotocol/ui';
export const VIEW_MEDIA_TYPE = 'text/html;profile=mcp-app';
export const VIEWS_URI = 'ui://magpie/';
export const VIEW_DATA_KEY = 'magpie/view';
const FLAT_KEY = 'ui/resourceUri';

export function canShowViews(capabilities: ClientCapabilities | undefined): boolean {
  const { mimeTypes } = (capabilities?.extensions?.[EXTENSION] ?? {}) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(VIEW_MEDIA_TYPE);
}

export const viewUri = (view: McpAppView): string => `${VIEWS_URI}${view}`;

export function findViewByUri(uri: string): McpAppView | undefined {
  return MCP_APP_VIEWS.find((view) => viewUri(view) === uri);
}

export function viewMeta(view: McpAppView) {
  return { ui: { resourceUri: viewUri(view) }, [FLAT_KEY]: viewUri(view) };
}
