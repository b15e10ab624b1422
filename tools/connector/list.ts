import type { Operation } from '../../src/operation.ts';
import { connectorFetchTool } from './fetch.ts';
import { connectorSearchTool } from './search.ts';

export function connectorTools(withWeb: boolean): readonly Operation[] {
  return [connectorSearchTool(withWeb), connectorFetchTool(withWeb)];
}
