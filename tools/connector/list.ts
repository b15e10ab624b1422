import type { Operation } from '../../src/operation.ts';
import { connectorFetchTool } from './fetch.ts';
import { connectorSearchTool } from './search.ts';

/** Returns the tools of the MCP endpoint for connectors. It has its own `search`, with the parameters that they require. */
export function connectorTools(withWeb: boolean): readonly Operation[] {
  return [connectorSearchTool(withWeb), connectorFetchTool(withWeb)];
}
