import type { Operation } from '../../src/operation.ts';
import { connectorFetchTool } from './fetch.ts';
import { connectorSearchTool } from './search.ts';

/** Returns the tools of the MCP endpoint for connectors. ChatGPT and similar clients define the tools' parameters. */
export function connectorTools(withWeb: boolean): readonly Operation[] {
  return [connectorSearchTool(withWeb), connectorFetchTool(withWeb)];
}
