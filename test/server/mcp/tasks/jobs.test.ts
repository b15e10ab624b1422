import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createMcpTaskStore } from '../../../../src/access/stores/tasks.ts';
import { createMcpTasks } from '../../../../src/access/tasks/mcp-tasks.ts';
import type { McpTasks } from '../../../../src/access/types.ts';
import { localCaller } from '../../../../src/caller.ts';
import { createLog } from '../../../../src/log.ts';
import { noMetrics } from '../../../../src/metrics.ts';
import { defineOperation, type OperationContext } from '../../../../src/operation.ts';
import type { OperationCall, OperationPipeline } from '../../../../src/server/invoke.ts';
import { answerSlowCall } from '../../../../src/server/mcp/tasks/slow-calls.ts';
import { type Database, openDatabase } from '../../../../src/storage/sqlite.ts';
import { temporaryFolder } from '../../../helpers/magpie.ts';
import { rooms, type Stack, startStack } from '../../../helpers/stack.ts';
import { connectTaskClientTo, type TaskClient } from '../../../helpers/task-client.ts';

/** Background jobs whose end, reading and size are in the test's hands, behind the real server. */

const output = z.object({ state: z.string(), text: z.string() });
const common = { toolset: 'web', effect: 'read', scope: 'read', openWorld: false, output } as const;
const texts = (name: string) => ({ name, title: name, description: name });

let folder: ReturnType<typeof temporaryFolder>;
let db: Database;
let tasks: McpTasks;
let pipe: OperationPipeline;
let stack: Stack;
let client: TaskClient;
let job: { state: string; text: string };
let stopped: number;
let onRead: (ctx: OperationContext) => Promise<void>;

const operations = [
  defineOperation({
    ...{ ...common, ...texts('startJob'), routes: ['POST /v1/job'], long: true, input: z.object({}) },
    example: {},
    run: async () => job,
    laterAt: ({ state }) => (state === 'running' ? '/v1/job/one' : undefined),
    async stopJob() {
      stopped += 1;
    },
  }),
  defineOperation({
    ...{ ...common, ...texts('readJob'), routes: ['GET /v1/job/{id}'], input: z.object({ id: z.string() }) },
    example: { id: 'one' },
    async run(_, ctx) {
      await onRead(ctx);
      return job;
    },
  }),
];

beforeEach(async () => {
  folder = temporaryFolder();
  db = await openDatabase({ folder: folder.path });
  const log = createLog('silent', () => {});
  tasks = createMcpTasks({ store: createMcpTaskStore(db), log, graceMs: 0 });
  const services = rooms({});
  pipe = {
    catalog: { operations, prompts: [] },
    services: { ...services, identity: { ...services.identity, tasks: async () => tasks } },
    ...{ log, metrics: noMetrics, callTimeout: 60_000, responseBytes: 1000, running: new Set() },
  };
  stack = await startStack({ catalog: pipe.catalog, pipe });
  client = await connectTaskClientTo(stack.url);
  job = { state: 'running', text: 'one' };
  stopped = 0;
  onRead = async () => {};
});
afterEach(async () => {
  await client.close();
  await stack.close();
  await tasks.close();
  db.close();
  folder.remove();
});

test('a job whose result is too large ends its task with what a call without a task is told', async () => {
  const taskId = await client.begin('startJob', {});
  job = { state: 'done', text: 'x'.repeat(2000) };
  const plain = await client.ask('tools/call', { name: 'startJob', arguments: {} }, false);
  expect(plain).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('TooLarge') }] });
  expect(await client.ask('tasks/get', { taskId })).toMatchObject({
    status: 'completed',
    result: { isError: true, content: plain.content },
  });
});

test('a job that cannot be read now keeps its task open', async () => {
  const taskId = await client.begin('startJob', {});
  onRead = () => Promise.reject(new Error('busy'));
  expect(await client.ask('tasks/get', { taskId })).toMatchObject({ error: { code: -32603 } });
  onRead = async () => {};
  expect(await client.ask('tasks/get', { taskId })).toMatchObject({ status: 'working' });
});

test('a call that may have no task more is answered with its running job at once', async () => {
  for (let count = 0; count < 50; count++) await client.begin('startJob', {});
  expect(await client.ask('tools/call', { name: 'startJob', arguments: {} })).toMatchObject({
    resultType: 'complete',
    structuredContent: { state: 'running' },
  });
  expect(stopped).toBe(0);
});

test('a call that is cancelled while its job is read ends the job', async () => {
  const caller = new AbortController();
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  onRead = ({ signal }) => {
    onRead = async () => {};
    resolve();
    return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  };
  const parts = { pipe, tools: new Set<string>(), write: () => ({ content: [] }), explain: String };
  const call: OperationCall = {
    ...{ operation: 'startJob', input: {}, unknown: 'reject', signal: caller.signal },
    caller: localCaller('ada', 'http'),
  };
  const answer = answerSlowCall(parts, call);
  await isRead;
  caller.abort();
  await expect(answer).rejects.toMatchObject({ code: 'cancelled' });
  expect(stopped).toBe(1);
});
