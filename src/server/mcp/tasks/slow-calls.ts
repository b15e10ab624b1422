import { setTimeout as wait } from 'node:timers/promises';
import {
  type CallToolResult,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { McpTask, McpTaskHandle, McpTaskOutcome, McpTasks } from '../../../access/types.ts';
import type { Caller } from '../../../caller.ts';
import { type AppError, asAppError, type ErrorCode } from '../../../errors.ts';
import { attempt } from '../../../lib/attempt.ts';
import { noMetrics } from '../../../metrics.ts';
import type { OperationCatalog } from '../../../operation.ts';
import { parseInput } from '../../input.ts';
import * as calls from '../../invoke.ts';
import { withProtocolErrors } from '../protocol-calls.ts';
import { canShowViews } from '../tools/apps.ts';
import { createTaskResult, declaredCapabilities, describeTask, requireTasks } from './task-protocol.ts';

const [LEAST_READ_MS, MOST_READ_MS] = [50, 1000];
const MAX_PROGRESS_CHARS = 300;

/** A call that reads the background job which a call of `starter` has started. */
interface JobReadingCall {
  readonly starter: string;
  readonly startedAt: number;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** What tasks of one connection are made with. */
export interface TaskCallParts {
  readonly pipe: calls.OperationPipeline;
  readonly tools: ReadonlySet<string>;
  write(answer: calls.OperationAnswer): CallToolResult;
  explain(error: AppError): string;
}

/** Returns true for a call that often takes longer than clients wait. */
export function mayBecomeTask({ catalog }: calls.OperationPipeline, call: calls.OperationCall): boolean {
  const operation = calls.findOperation(catalog, call.operation);
  if (operation.slow) return true;
  const input = attempt(() => parseInput(operation, call.input, call.unknown));
  return input !== undefined && calls.isLongCall(operation, input);
}

/** Answers a slow call: with its result if it ends soon, otherwise with a task. */
export async function answerSlowCall(
  parts: TaskCallParts,
  given: calls.OperationCall,
): Promise<CallToolResult> {
  const { pipe, write } = parts;
  const tasks = await pipe.services.identity.tasks();
  // Copies the caller, because a session's caller changes with each request.
  const call = { ...given, caller: { ...given.caller } };
  if (calls.findOperation(pipe.catalog, call.operation).laterAt) return startJob(parts, tasks, call);
  const order = {
    ...{ owner: call.caller.id, operation: call.operation, signal: call.signal, progress: call.progress },
    work: async ({ signal, progress }: Pick<McpTaskHandle, 'signal' | 'progress'>) =>
      write(await calls.invokeOperation(pipe, { ...call, signal, progress })),
  };
  const started = await tasks.run(order, (thrown) => outcomeOf(asAppError(thrown), parts));
  return 'task' in started ? createTaskResult(started.task) : started.result;
}

/** Errors inside Magpie fail the task. Other errors are results, as those of a call without a task are. */
function outcomeOf(error: AppError, { explain }: TaskCallParts): McpTaskOutcome {
  const text = explain(error);
  if (error.code === 'internal') return { error: { code: ProtocolErrorCode.InternalError, message: text } };
  return { result: { resultType: 'complete', content: [{ type: 'text', text }], isError: true } };
}

/** Starts a background job, which goes on without the call, and waits for it until it may become a task. */
async function startJob(
  parts: TaskCallParts,
  tasks: McpTasks,
  call: calls.OperationCall,
): Promise<CallToolResult> {
  const { pipe, write } = parts;
  const { operation: starter, caller, signal } = call;
  const { laterAt } = calls.findOperation(pipe.catalog, starter);
  const startedAt = Date.now();
  const first = await calls.invokeOperation(pipe, { ...call, wishes: { whole: false, later: true } });
  const path = laterAt?.(first.output);
  if (path === undefined) return write(first);
  const reading = { starter, startedAt, ...findJobReadingCall(pipe.catalog, starter, call.input, path) };
  const readAfter = async (pauseMs: number) => {
    await wait(pauseMs, undefined, { signal });
    return readJob(parts, reading, call);
  };
  for (let pauseMs = 0; ; pauseMs = Math.min(2 * pauseMs + LEAST_READ_MS, MOST_READ_MS)) {
    const answer = await readAfter(pauseMs).catch(async (error: unknown) => {
      if (signal.aborted) await stopJob(parts, reading, caller);
      throw error;
    });
    if (laterAt?.(answer.output) === undefined) return resultOfJob(answer, parts);
    const message = progressOf(answer);
    call.progress?.(message);
    if (Date.now() < startedAt + tasks.graceMs) continue;
    const job = JSON.stringify(reading);
    const task = await tasks.add({ owner: caller.id, operation: starter, message, job });
    // Without a task, the answer says how to read the job: a client would not wait for its end.
    return task ? createTaskResult(task) : write(answer);
  }
}

/** Returns the progress that the job reports, or the first line of its text. */
function progressOf({ output, text }: calls.OperationAnswer): string {
  const { progress } = { ...(output.data as { readonly progress?: string } | undefined) };
  return (progress ?? text('model').split('\n', 1)[0] ?? '').slice(0, MAX_PROGRESS_CHARS);
}

type JobReader = Pick<calls.OperationCall, 'caller' | 'signal' | 'viewed'>;

/** Reads a job without counting it as a call: the client polls. The job is the caller's own, so no scope is missing. */
function readJob(
  { pipe: { accounting: _, ...pipe }, tools: shown }: TaskCallParts,
  { operation, input }: JobReadingCall,
  { caller: own, signal, viewed = false }: JobReader,
): Promise<calls.OperationAnswer> {
  const { scope } = calls.findOperation(pipe.catalog, operation);
  const caller = { ...own, scopes: new Set([...own.scopes, scope]) };
  const call = { operation, input, caller, signal, viewed, shown, unknown: 'ignore' } as const;
  return calls.invokeOperation({ ...pipe, metrics: noMetrics }, call);
}

/** A job that failed is an error of the tool, as it is for a call that waits for the job. */
const resultOfJob = (answer: calls.OperationAnswer, { write }: TaskCallParts): CallToolResult => ({
  ...write(answer),
  ...(answer.output.success === false && { isError: true }),
});

async function stopJob(parts: TaskCallParts, reading: JobReadingCall, caller: Caller): Promise<void> {
  const { pipe } = parts;
  const { laterAt, stopJob: stop } = calls.findOperation(pipe.catalog, reading.starter);
  const { output } = await readJob(parts, reading, { caller, signal: new AbortController().signal });
  if (laterAt?.(output) === undefined) return;
  await stop?.(output, { caller, services: pipe.services, startedAt: reading.startedAt });
}

const LASTING_ERRORS: readonly ErrorCode[] = ['bad_request', 'not_found', 'too_large'];

/** Returns an error that ends the task of a job. Throws one that the next reading may not have, as of a busy database. */
function requireLastingError(thrown: unknown): AppError {
  const error = asAppError(thrown);
  if (!LASTING_ERRORS.includes(error.code)) throw error;
  return error;
}

/** Reads the job of a task. Stores its progress, or its result when it has ended. */
async function settleJob(parts: TaskCallParts, tasks: McpTasks, task: McpTask, reader: JobReader) {
  const reading = JSON.parse(task.job ?? '') as JobReadingCall;
  const { laterAt } = calls.findOperation(parts.pipe.catalog, reading.starter);
  let outcome: McpTaskOutcome;
  try {
    const answer = await readJob(parts, reading, reader);
    if (laterAt?.(answer.output) !== undefined) return await tasks.note(task, progressOf(answer));
    outcome = { result: { resultType: 'complete', ...resultOfJob(answer, parts) } };
  } catch (thrown) {
    outcome = outcomeOf(requireLastingError(thrown), parts);
  }
  return (await tasks.end(task.owner, task.id, outcome)) ?? tasks.read(task.owner, task.id);
}

const params = z.looseObject({ taskId: z.string().min(1).max(200) });

/** Serves `tasks/get`, `tasks/update` and `tasks/cancel` to clients that declare the extension. */
export function addTaskHandlers(server: Server, parts: TaskCallParts, caller: Caller): void {
  const { pipe } = parts;
  type TaskHandler = (tasks: McpTasks, task: McpTask, given: ServerContext['mcpReq']) => Promise<object>;
  const serve = (method: string, handle: TaskHandler) =>
    server.setRequestHandler(method, { params }, ({ taskId }, ctx) =>
      withProtocolErrors(async () => {
        requireTasks(ctx);
        const tasks = await pipe.services.identity.tasks();
        const task = await tasks.read(caller.id, taskId);
        const denied = calls.findScopeError(pipe, task.operation, caller);
        if (denied) throw denied;
        return { ...(await handle(tasks, task, ctx.mcpReq)) };
      }),
    );
  serve('tasks/get', async (tasks, task, { signal, envelope }) => {
    if (task.status !== 'working' || task.job === undefined) return describeTask(task);
    const viewed = canShowViews(declaredCapabilities(envelope));
    return describeTask(await settleJob(parts, tasks, task, { caller, signal, viewed }));
  });
  // The SDK takes the answers out of the parameters, as it does for those to an open call.
  serve('tasks/update', async (tasks, { owner, id }, { inputResponses = {} }) => {
    await tasks.answer(owner, id, inputResponses);
    return {};
  });
  serve('tasks/cancel', async (tasks, { owner, id, job, status }) => {
    // The job first: where it cannot be stopped now, the task stays open, and the client may ask again.
    if (status === 'working' && job !== undefined)
      await stopJob(parts, JSON.parse(job), caller).catch(requireLastingError);
    await tasks.cancel(owner, id);
    return {};
  });
}

/** Returns the call for the path at which REST has the job's result, with what both operations take. */
function findJobReadingCall(
  { operations }: Pick<OperationCatalog, 'operations'>,
  starter: string,
  given: Readonly<Record<string, unknown>>,
  path: string,
): Pick<JobReadingCall, 'operation' | 'input'> {
  const { pathname, searchParams } = new URL(path, 'http://localhost');
  for (const { name, routes, input } of operations) {
    const inPath = routes.map((route) => matchRoute(route, pathname)).find((found) => found !== undefined);
    if (!inPath) continue;
    // The same operation needs nothing else, and its parameters may hold a password, which is never stored.
    const shared = Object.entries(given).filter(([key]) => name !== starter && key in input.shape);
    return {
      operation: name,
      input: { ...Object.fromEntries(shared), ...Object.fromEntries(searchParams), ...inPath },
    };
  }
  throw new TypeError(`no operation reads the job at ${path}`);
}

function matchRoute(route: string, pathname: string): Record<string, string> | undefined {
  const [wanted, found] = [route.split('/'), `GET ${pathname}`.split('/')];
  const parameters: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = found[at] ?? '';
    else if (part !== found[at]) return undefined;
  }
  return wanted.length === found.length ? parameters : undefined;
}
