import type { Operation } from '../../src/operation.ts';
import { connectorFetchTool } from './fetch.ts';
import { connectorSearchTool } from './search.ts';

/** The tools of an address for connectors: the service's interface does not have them, and its own `search` has other parameters. */
export function connectorTools(withWeb: boolean): readonly Operation[] {
  return [connectorSearchTool(withWeb), connectorFetchTool(withWeb)];
}
