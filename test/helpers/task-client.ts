import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import {
  createTaskSessionFromClient,
  type JsonRpcResponse,
  type TaskEnabledSession,
} from '@modelcontextprotocol/ext-tasks/client';

export const TASKS = 'io.modelcontextprotocol/tasks';
const INFO = { name: 'magpie-test', version: '1.0.0' };
const VERSION = '2026-07-28';

type Params = Readonly<Record<string, unknown>>;

/** A client of the SDK, with the requests and results that the SDK does not know. */
export interface TaskClient {
  /** The extension's own client: it calls tools, and follows the tasks that it is answered with. */
  readonly session: TaskEnabledSession;
  /** One request as it stands, declared for tasks unless told otherwise. Gives the result, or `{ error }`. */
  ask(method: string, params: Params, isDeclared?: boolean): Promise<Record<string, unknown>>;
  /** The id of the task that a tool's call is answered with. */
  begin(name: string, args: Params): Promise<string>;
  /** What `tasks/get` gives once the task has ended. */
  end(taskId: string): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

export async function connectTaskClient(transport: Transport): Promise<TaskClient> {
  const capabilities = { extensions: { [TASKS]: {} } };
  const client = new Client(INFO, { capabilities, versionNegotiation: { mode: { pin: VERSION } } });
  await client.connect(transport);
  const waiting = new Map<unknown, (message: Record<string, unknown>) => void>();
  const pass = transport.onmessage;
  transport.onmessage = (message, extra) => {
    const answered = 'id' in message && !('method' in message) ? waiting.get(message.id) : undefined;
    if (answered) answered(message);
    else pass?.(message, extra);
  };
  let count = 0;
  async function send(method: string, params: Params): Promise<Record<string, unknown>> {
    const id = `own-${++count}`;
    const { promise, resolve } = Promise.withResolvers<Record<string, unknown>>();
    waiting.set(id, resolve);
    await transport.send({ jsonrpc: '2.0', id, method, params: { ...params } });
    const answer = await promise;
    waiting.delete(id);
    return answer;
  }
  const metaOf = (isDeclared: boolean) => ({
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': INFO,
    'io.modelcontextprotocol/clientCapabilities': isDeclared ? capabilities : {},
  });
  async function ask(method: string, params: Params, isDeclared = true): Promise<Record<string, unknown>> {
    const { result, error } = await send(method, { ...params, _meta: metaOf(isDeclared) });
    return (result as Record<string, unknown>) ?? { error };
  }
  async function dispatch(request: unknown): Promise<JsonRpcResponse> {
    const { method, params } = request as { method: string; params: Params };
    const { result, error } = await send(method, params);
    return (error === undefined ? { kind: 'result', result } : { kind: 'error', error }) as JsonRpcResponse;
  }
  const session = createTaskSessionFromClient(client, {
    endpointId: 'magpie',
    rawDispatch: dispatch,
    v2RequestFraming: { protocolVersion: VERSION, clientInfo: INFO, clientCapabilities: capabilities },
  });
  return {
    session,
    ask,
    async begin(name, args) {
      const task = await ask('tools/call', { name, arguments: args });
      if (task.resultType !== 'task') throw new Error(`no task: ${JSON.stringify(task).slice(0, 2000)}`);
      return String(task.taskId);
    },
    async end(taskId) {
      for (;;) {
        const task = await ask('tasks/get', { taskId });
        if (task.error !== undefined || !['working', 'input_required'].includes(String(task.status)))
          return task;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    async close() {
      await session.close();
      await client.close();
    },
  };
}

export const connectTaskClientTo = (url: string, headers: Record<string, string> = {}): Promise<TaskClient> =>
  connectTaskClient(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
