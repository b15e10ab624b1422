import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import {
  createMcpHandler,
  type EventStore,
  isLegacyRequest,
  type JSONRPCMessage,
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * The peers, each on a port of its own: the SDK's McpServer and its low-level Server, both with the SDK's handler and
 * sessions at /mcp, and node:http alone. Schemas are made once: a server is made for every stateless request.
 */

const ECHO = { inputSchema: z.object({ q: z.string() }), outputSchema: z.object({ q: z.string() }) };
const LISTED = {
  name: 'echo',
  inputSchema: z.toJSONSchema(ECHO.inputSchema) as { type: 'object' },
  outputSchema: z.toJSONSchema(ECHO.outputSchema) as { type: 'object' },
};
const answer = (q: string) => ({ content: [{ type: 'text' as const, text: q }], structuredContent: { q } });

function makeHighLevel(): McpServer {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool('echo', ECHO, ({ q }) => answer(q));
  return server;
}

function makeLowLevel(): Server {
  const server = new Server({ name: 'bare', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [LISTED] }));
  server.setRequestHandler('tools/call', ({ params }) => answer(ECHO.inputSchema.parse(params.arguments).q));
  return server;
}

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

/** Both eras at one address: stateless requests of 2026, and sessions of 2025. */
function endpoint(make: () => McpServer | Server): (request: Request) => Promise<Response> {
  const modern = createMcpHandler(make, { legacy: 'reject' });
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return async (request) => {
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
  };
}

const servers = [
  createAdaptorServer({ fetch: endpoint(makeHighLevel) }),
  createAdaptorServer({ fetch: endpoint(makeLowLevel) }),
  createServer((request, response) => {
    const q = new URL(request.url ?? '/', 'http://localhost').searchParams.get('q');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ q }));
  }),
];
const ports = await Promise.all(
  servers.map(async (server) => {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return (server.address() as AddressInfo).port;
  }),
);
process.stderr.write(`listening on ${ports.map((port) => `http://127.0.0.1:${port}`).join(' and ')}\n`);
