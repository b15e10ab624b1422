import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { localCaller } from '../../src/caller.ts';
import { createLog } from '../../src/log.ts';
import { createMetrics, noMetrics } from '../../src/metrics.ts';
import { defineOperation } from '../../src/operation.ts';
import { createApp, listen } from '../../src/server/http/http.ts';
import { MAX_BODY_BYTES } from '../../src/server/http/json-request.ts';
import type { OperationPipeline } from '../../src/server/invoke.ts';
import { createMcpServer } from '../../src/server/mcp/mcp.ts';
import { createMcpEndpoint, createScopeCheck } from '../../src/server/mcp/mcp-http.ts';
import { createChangeNotifications } from '../../src/server/mcp/resources/change-notifications.ts';
import { rooms } from '../../test/helpers/stack.ts';

/** Magpie's own stack with an operation of the size of the peers': what the stack costs, without a room's work. */
const body = z.object({ q: z.string() });
const echo = defineOperation({
  name: 'echo',
  title: 'Echo',
  description: 'Gives q back.',
  toolset: 'web',
  routes: ['GET /echo'],
  effect: 'read',
  openWorld: false,
  scope: 'read',
  input: body,
  output: body,
  example: { q: 'x' },
  run: async ({ q }) => ({ q }),
});
const stdio = process.argv[2] === 'stdio';
const log = createLog('info');
const pipe: OperationPipeline = {
  catalog: { operations: [echo], prompts: [] },
  services: rooms({}),
  log,
  // As main.ts does it: a stdio server has no metrics endpoint.
  metrics: stdio ? noMetrics : createMetrics('bench'),
  callTimeout: 60_000,
  responseBytes: 4_000_000,
  running: new Set(),
};
const caller = localCaller('bench', 'http');
const tools = new Set(['echo']);

if (stdio) {
  serveStdio(() => createMcpServer(pipe, tools, caller));
} else {
  const notifications = createChangeNotifications(pipe.services, log);
  const mcp = createMcpEndpoint((who) => createMcpServer(pipe, tools, who), {
    log,
    notifications,
    services: pipe.services,
    gate: createScopeCheck(pipe, tools),
    standingOf: () => 'valid',
    bodyBytes: MAX_BODY_BYTES,
  });
  const app = createApp(pipe, mcp, { host: '127.0.0.1', corsOrigins: [], identify: () => caller });
  const { url } = await listen(app, '127.0.0.1', 0);
  process.stderr.write(`listening on ${url}\n`);
}
