export type McpTaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What the client is asked, and what it has answered, by keys that are unique within the task. */
export interface McpTaskInputs {
  readonly requests: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Result of the tool call, or its JSON-RPC error. */
export type McpTaskOutcome =
  | { readonly result: Readonly<Record<string, unknown>> }
  | { readonly error: { readonly code: number; readonly message: string } };

/** A long tool call that an MCP client follows by its id. Times are in milliseconds since 1970. */
export interface McpTask {
  readonly id: string;
  readonly owner: string;
  readonly operation: string;
  readonly status: McpTaskStatus;
  /** Progress, or why the task ended as it did. */
  readonly message: string;
  /** The call that reads the background job of this task, as JSON. If undefined, `runner` does the work. */
  readonly job?: string | undefined;
  readonly runner: string;
  readonly inputs: McpTaskInputs;
  readonly outcome?: McpTaskOutcome;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly beatAt: number;
  readonly expiresAt: number;
}

export type McpTaskChange = Partial<Omit<McpTask, 'id' | 'owner'>>;

/** Stores tasks. All nodes of a database see them. Each method is atomic. */
export interface McpTaskStore {
  /** Deletes expired tasks, then adds one. Returns false if the owner already has `most` tasks. */
  insertTask(task: McpTask, most: number): Promise<boolean>;
  deleteExpiredTasks(at: number): Promise<void>;
  /** Returns undefined for an unknown id, another owner's task, and one that expired before `at`. */
  readTask(owner: string, id: string, at: number): Promise<McpTask | undefined>;
  /** Applies what `change` returns for the stored task, in one step. Returns undefined if nothing changed. */
  changeTask(
    owner: string,
    id: string,
    change: (task: McpTask) => McpTaskChange | undefined,
  ): Promise<McpTask | undefined>;
}

const TERMINAL: readonly McpTaskStatus[] = ['completed', 'failed', 'cancelled'];

export const isTaskOpen = ({ status }: Pick<McpTask, 'status'>): boolean => !TERMINAL.includes(status);

/** How long a task is kept, and for how long at least after its end and after each sign of work. */
export const TASK_KEPT_MS = 3 * 3_600_000;
const KEPT_AFTER_MS = 3_600_000;

export const keepTaskUntil = ({ expiresAt }: McpTask, at: number): number =>
  Math.max(expiresAt, at + KEPT_AFTER_MS);

/** JSON-RPC's code for an internal error. */
const INTERNAL = -32603;
const MAX_OUTCOME_CHARS = 4_000_000;

export const failTask = (message: string): McpTaskOutcome => ({ error: { code: INTERNAL, message } });

export const STOPPED_OUTCOME = failTask(
  'the process that ran this call was stopped before it ended: call the tool again',
);

export function endTask(outcome: McpTaskOutcome): McpTaskChange {
  if ('error' in outcome) return { status: 'failed', message: outcome.error.message, outcome };
  const chars = JSON.stringify(outcome).length;
  const text = `ResponseTooLarge: the answer has ${chars} characters, and a task keeps ${MAX_OUTCOME_CHARS}; ask for less of it`;
  const large = { result: { content: [{ type: 'text', text }], isError: true } };
  return { status: 'completed', message: '', outcome: chars > MAX_OUTCOME_CHARS ? large : outcome };
}
