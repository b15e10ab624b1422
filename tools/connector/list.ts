import type { Operation } from '../../src/operation.ts';
import { connectorFetchTool } from './fetch.ts';
import { connectorSearchTool } from './search.ts';

/** Returns the tools of the MCP address for connectors. Our own `search` cannot serve here, since it has other parameters. */
export function connectorTools(withWeb: boolean): readonly Operation[] {
  return [connectorSearchTool(withWeb), connectorFetchTool(withWeb)];
}
