import { setTimeout as wait } from 'node:timers/promises';
import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { createMcpTaskStore } from '../../src/access/stores/tasks.ts';
import { createMcpTasks } from '../../src/access/tasks/mcp-tasks.ts';
import type { McpTaskHandle } from '../../src/access/types.ts';
import { asAppError, badRequestError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import { noMetrics } from '../../src/metrics.ts';
import { defineOperation, type OperationContext } from '../../src/operation.ts';
import type { OperationPipeline } from '../../src/server/invoke.ts';
import { createMcpServer } from '../../src/server/mcp/mcp.ts';
import type { McpServerFactory } from '../../src/server/mcp/mcp-http.ts';
import {
  createTaskResult,
  declaresTasks,
  missingTasksError,
} from '../../src/server/mcp/tasks/task-protocol.ts';
import { openDatabase } from '../../src/storage/sqlite.ts';
import { rooms } from './stack.ts';

/** Tools that the suite's scenarios of tasks call: operations of the product's own server, with a store on the disk. */

const GRACE_MS = 200;

function tool(
  name: string,
  shape: z.ZodRawShape,
  work: (input: Record<string, unknown>, ctx: OperationContext) => Promise<string>,
  slow = true,
) {
  return defineOperation({
    ...{ name, title: name, description: name, toolset: 'web', routes: [], effect: 'read', scope: 'read' },
    ...{ openWorld: false, example: {}, ...(slow && { slow }) },
    input: z.object(shape),
    output: z.object({ text: z.string() }),
    run: async (input, ctx) => ({ text: await work(input, ctx) }),
    render: ({ text }) => text,
  });
}

const later = async ({ signal }: Pick<OperationContext, 'signal'>, seconds: number) => {
  if (seconds > 0) await wait(seconds * 1000, undefined, { signal });
};

const operations = [
  tool('greet', { name: z.string() }, async ({ name }) => `Hello, ${name}!`, false),
  tool(
    'slow_compute',
    { seconds: z.number(), label: z.string().optional() },
    async ({ seconds, label }, ctx) => {
      await later(ctx, Number(seconds));
      return `${label} is done`;
    },
  ),
  tool('failing_job', {}, async (_, ctx) => {
    await later(ctx, 1);
    throw badRequestError('this job fails');
  }),
  tool('protocol_error_job', {}, async (_, ctx) => {
    await later(ctx, 0.5);
    throw new Error('panic');
  }),
];

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

function elicit(message: string, field: string) {
  const requestedSchema = { type: 'object', properties: { [field]: { type: 'string' } }, required: [field] };
  return { method: 'elicitation/create', params: { mode: 'form', message, requestedSchema } };
}

/** Work that asks its client while it runs, which no operation of the product does. */
const ASKING: Readonly<
  Record<string, (handle: McpTaskHandle, ctx: ServerContext) => Promise<CallToolResult>>
> = {
  confirm_delete: async ({ requestInput }) =>
    text(JSON.stringify(await requestInput({ confirm: elicit('Delete it?', 'confirm') }))),
  multi_input: async ({ requestInput }) =>
    text(
      JSON.stringify(
        await requestInput({ first: elicit('First?', 'name'), second: elicit('Second?', 'name') }),
      ),
    ),
  async test_tool_with_task(handle, { mcpReq }) {
    await later(handle, 0.5);
    const answer = acceptedContent<{ name: string }>(mcpReq.inputResponses, 'user_name');
    return text(`Hello, ${answer?.name}!`);
  },
};

export async function createTaskFixtures(folder: string): Promise<{
  readonly mcp: McpServerFactory;
  close(): Promise<void>;
}> {
  const db = await openDatabase({ folder });
  const log = createLog('silent', () => {});
  const tasks = createMcpTasks({ store: createMcpTaskStore(db), log, graceMs: GRACE_MS, tickMs: 50 });
  const services = rooms({});
  const pipe: OperationPipeline = {
    catalog: { operations, prompts: [] },
    services: { ...services, identity: { ...services.identity, tasks: async () => tasks } },
    ...{ log, metrics: noMetrics, callTimeout: 120_000, responseBytes: 1_000_000, running: new Set() },
  };
  const names = new Set(operations.map(({ name }) => name));
  return {
    mcp(caller) {
      const server = createMcpServer(pipe, names, caller);
      const { _requestHandlers: handlers } = server as unknown as {
        readonly _requestHandlers: Map<
          string,
          (request: object, ctx: ServerContext) => Promise<CallToolResult>
        >;
      };
      const callOwn = handlers.get('tools/call');
      server.setRequestHandler('tools/call', async (request, ctx) => {
        const { name } = request.params;
        const [isDeclared, asking] = [declaresTasks(ctx.mcpReq.envelope), ASKING[name]];
        if (!isDeclared && (asking || name === 'failing_job')) throw missingTasksError();
        if (!asking) return (await callOwn?.(request, ctx)) ?? text('');
        if (name === 'test_tool_with_task' && ctx.mcpReq.inputResponses === undefined) return askName();
        const started = await tasks.run(
          {
            ...{ owner: caller.id, operation: 'greet', signal: ctx.mcpReq.signal },
            work: (handle) => asking(handle, ctx),
          },
          (thrown) => ({ error: { code: -32603, message: asAppError(thrown).message } }),
        );
        return 'task' in started ? createTaskResult(started.task) : started.result;
      });
      return server;
    },
    async close() {
      await tasks.close();
      db.close();
    },
  };
}

function askName(): InputRequiredResult {
  return inputRequired({
    inputRequests: {
      user_name: inputRequired.elicit({
        message: 'Who is there?',
        requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      }),
    },
  });
}
