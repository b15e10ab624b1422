import { MAX_BODY_BYTES } from '../server/http/http.ts';
import type { Pipe } from '../server/invoke.ts';
import type { McpEndpoint } from '../server/mcp/mcp-http.ts';
import { createConnector } from '../server/mcp/tools/connector.ts';

/** Where connectors find their two tools: over what the user keeps, and over that and the web. */
const CONNECTORS = [
  { path: '/mcp/chatgpt', withWeb: false },
  { path: '/mcp/chatgpt/web', withWeb: true },
];

/** The endpoints for ChatGPT and clients like it, by their paths; their tools are loaded with the first request. */
export function createConnectors(pipe: Pipe): ReadonlyMap<string, McpEndpoint> {
  return new Map(
    CONNECTORS.map(({ path, withWeb }) => {
      const tools = async () => (await import('../../tools/connector/list.ts')).connectorTools(withWeb);
      return [path, createConnector(pipe, { tools, bodyBytes: MAX_BODY_BYTES })];
    }),
  );
}
