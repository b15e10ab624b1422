import { MAX_BODY_BYTES } from '../server/http/http.ts';
import type { Pipe } from '../server/invoke.ts';
import type { McpEndpoint } from '../server/mcp/mcp-http.ts';
import { createConnector } from '../server/mcp/tools/connector.ts';

/** Paths of MCP endpoints. `withWeb` adds the web to the search in the user's stored data. */
const CONNECTORS = [
  { path: '/mcp/chatgpt', withWeb: false },
  { path: '/mcp/chatgpt/web', withWeb: true },
];

/** Creates the MCP endpoints for ChatGPT and similar clients. Imports the tools at the first request. */
export function createConnectors(pipe: Pipe): ReadonlyMap<string, McpEndpoint> {
  return new Map(
    CONNECTORS.map(({ path, withWeb }) => {
      const tools = async () => (await import('../../tools/connector/list.ts')).connectorTools(withWeb);
      return [path, createConnector(pipe, { tools, bodyBytes: MAX_BODY_BYTES })];
    }),
  );
}
