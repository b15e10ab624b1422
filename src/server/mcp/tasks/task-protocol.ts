import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { McpTask } from '../../../access/types.ts';

/** The extension of MCP 2026-07-28 by which a call is answered with a task that the client reads later (SEP-2663). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';
const POLL_INTERVAL_MS = 2000;

type RequestMeta = Readonly<Record<string, unknown>> | undefined;

export const declaredCapabilities = (meta: RequestMeta): ClientCapabilities | undefined =>
  meta?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined;

/** Returns true if a request of MCP 2026-07-28 declares the extension. Only such a request is answered with a task. */
export function declaresTasks(meta: RequestMeta): boolean {
  const extension: unknown = declaredCapabilities(meta)?.extensions?.[TASKS_EXTENSION];
  return typeof extension === 'object' && extension !== null;
}

export const missingTasksError = (): MissingRequiredClientCapabilityError =>
  new MissingRequiredClientCapabilityError(
    { requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } },
    `this takes a client that declares the extension ${TASKS_EXTENSION} with the request`,
  );

export function requireTasks({ mcpReq }: ServerContext): void {
  if (!declaresTasks(mcpReq.envelope)) throw missingTasksError();
}

function stateOf({ id, status, message, createdAt, updatedAt, expiresAt }: McpTask) {
  return {
    taskId: id,
    status,
    ...(message !== '' && { statusMessage: message }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: expiresAt - createdAt,
    pollIntervalMs: POLL_INTERVAL_MS,
  };
}

/** The SDK requires `content`, which says nothing here. */
export const createTaskResult = (task: McpTask) => ({ resultType: 'task', content: [], ...stateOf(task) });

/** What `tasks/get` returns: the state, with what is asked of the client, the result, or the JSON-RPC error. */
export function describeTask(task: McpTask) {
  const asked = task.status === 'input_required' ? { inputRequests: task.inputs.requests } : {};
  return { ...stateOf(task), ...asked, ...task.outcome };
}
