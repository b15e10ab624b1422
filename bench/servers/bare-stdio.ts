import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const ECHO = { inputSchema: z.object({ q: z.string() }), outputSchema: z.object({ q: z.string() }) };

/** The peer: the SDK's own server with one echo tool, and nothing else. */
serveStdio(() => {
  const server = new McpServer({ name: 'bare', version: '1.0.0' });
  server.registerTool('echo', ECHO, ({ q }) => ({
    content: [{ type: 'text', text: q }],
    structuredContent: { q },
  }));
  return server;
});
