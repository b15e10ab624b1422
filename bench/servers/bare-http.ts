import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createMcpHandler,
  type EventStore,
  isLegacyRequest,
  type JSONRPCMessage,
  McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/** The peers: the SDK's handler and sessions at /mcp on one port, and node:http alone on another. */

function make(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool(
    'echo',
    { inputSchema: z.object({ q: z.string() }), outputSchema: z.object({ q: z.string() }) },
    ({ q }) => ({
      content: [{ type: 'text', text: q }],
      structuredContent: { q },
    }),
  );
  return server;
}

const modern = createMcpHandler(make, { legacy: 'reject' });
const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();

/** The least that makes streams resumable, as Magpie's are. */
function eventStore(): EventStore {
  const events: [string, JSONRPCMessage][] = [];
  return {
    storeEvent: async (streamId, message) => String(events.push([streamId, message])),
    replayEventsAfter: async (id, { send }) => {
      const [streamId = ''] = events[Number(id) - 1] ?? [];
      for (const [i, [stream, message]] of events.entries()) {
        if (i >= Number(id) && stream === streamId) await send(String(i + 1), message);
      }
      return streamId;
    },
  };
}

async function fetch(request: Request): Promise<Response> {
  if (!(await isLegacyRequest(request))) return modern.fetch(request);
  const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
  if (known) return known.handleRequest(request);
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: eventStore(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  });
  await make().connect(transport);
  return transport.handleRequest(request);
}

const mcp = createAdaptorServer({ fetch });
const plain = createServer((request, response) => {
  const q = new URL(request.url ?? '/', 'http://localhost').searchParams.get('q');
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ q }));
});
mcp.listen(0, '127.0.0.1', () => {
  plain.listen(0, '127.0.0.1', () => {
    const [a, b] = [mcp, plain].map((server) => (server.address() as AddressInfo).port);
    process.stderr.write(`listening on http://127.0.0.1:${a} and http://127.0.0.1:${b}\n`);
  });
});
