import { randomUUID } from 'node:crypto';
import { type AppError, notFoundError, unavailableError } from '../../errors.ts';
import { isTimeout, withDeadline } from '../../lib/concurrency/deadline.ts';
import { isRunnerDead, PROCESS_RUNNER_ID } from '../../lib/concurrency/runner.ts';
import { createUpkeep } from '../../lib/concurrency/upkeep.ts';
import type { Logger } from '../../log.ts';
import {
  endTask,
  isTaskOpen,
  keepTaskUntil,
  type McpTask,
  type McpTaskChange,
  type McpTaskInputs,
  type McpTaskOutcome,
  type McpTaskStore,
  STOPPED_OUTCOME,
  TASK_KEPT_MS,
} from './mcp-task.ts';
import { beginRun, createTaskRuns, type McpTaskOrder } from './task-runs.ts';

/** Tasks that a user has at once, open or ended. While there are as many, calls are answered plainly. */
const MAX_TASKS = 50;
/** How long a call is waited for before it becomes a task, and between two reads of a running task. */
const [GRACE_MS, TICK_MS] = [2000, 1000];
/** An unchanged task is stored again after this time, so that it does not expire while it is read. */
const RENEW_MS = 600_000;

export interface McpTasksOptions {
  readonly store: McpTaskStore;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly graceMs?: number | undefined;
  readonly tickMs?: number | undefined;
  /** Time between two deletions of expired tasks, so that no result stays when no further task is added. */
  readonly upkeepMs?: number | undefined;
}

/** The tasks of all users. A user reaches only own tasks. Other tasks cause AppError `not_found`. */
export type McpTasks = ReturnType<typeof createMcpTasks>;

export function createMcpTasks(options: McpTasksOptions) {
  const { store, log, graceMs = GRACE_MS, tickMs = TICK_MS, upkeepMs = RENEW_MS } = options;
  const runs = createTaskRuns(store, log, tickMs);
  const upkeep = createUpkeep({
    work: async () => void (await store.deleteExpiredTasks(Date.now())),
    done: 'expired tasks were deleted',
    failed: 'expired tasks could not be deleted',
    ...{ log, firstMs: upkeepMs, intervalMs: upkeepMs },
  });

  async function add(
    task: Pick<McpTask, 'owner' | 'operation' | 'message'> & { readonly job?: string },
  ): Promise<McpTask | undefined> {
    const at = Date.now();
    const made: McpTask = {
      ...{ ...task, id: randomUUID(), status: 'working', runner: PROCESS_RUNNER_ID },
      inputs: { requests: {}, responses: {} },
      ...{ createdAt: at, updatedAt: at, beatAt: at, expiresAt: at + TASK_KEPT_MS },
    };
    const isStored = await store.insertTask(made, MAX_TASKS).catch((err: unknown) => {
      log.warn({ err }, 'a task could not be stored, and its call is waited for');
      return false;
    });
    return isStored ? made : undefined;
  }

  const changeOpen = (owner: string, id: string, change: (task: McpTask) => McpTaskChange) =>
    store.changeTask(owner, id, (task) => {
      const at = Date.now();
      if (!isTaskOpen(task)) return undefined;
      return { updatedAt: at, expiresAt: keepTaskUntil(task, at), ...change(task) };
    });

  async function read(owner: string, id: string): Promise<McpTask> {
    const task = await store.readTask(owner, id, Date.now());
    if (!task) throw unknownTask(id);
    const isLost = task.job === undefined && isRunnerDead(task.runner, Date.now() - task.beatAt);
    if (!isTaskOpen(task) || !isLost) return task;
    return (await changeOpen(owner, id, () => endTask(STOPPED_OUTCOME))) ?? task;
  }

  return {
    graceMs,
    /** Runs the work. Returns its result if it ends soon or no task can be stored, otherwise its task. */
    async run<Result extends object>(
      order: McpTaskOrder<Result>,
      explain: (thrown: unknown) => McpTaskOutcome,
    ): Promise<{ readonly result: Result } | { readonly task: McpTask }> {
      const { owner, operation, signal } = order;
      signal.throwIfAborted();
      const run = beginRun(order);
      const onAbort = () => run.stop.abort(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
      const result = run.result.then((value) => ({ result: value }));
      result.catch(() => {});
      const quick = await withDeadline(signal, graceMs, () => Promise.race([result, run.asks])).catch(
        (reason: unknown) => {
          if (!isTimeout(reason)) throw reason;
        },
      );
      if (quick) return quick;
      const task = await add({ owner, operation, message: run.message });
      if (!task) {
        const why = `you have ${MAX_TASKS} tasks, or none can be stored at present: try again later`;
        void run.asks.then(() => run.stop.abort(unavailableError(why)));
        return result;
      }
      signal.removeEventListener('abort', onAbort);
      runs.follow(
        task,
        run,
        run.result.then((value) => ({ result: { resultType: 'complete', ...value } }), explain),
      );
      return { task };
    },
    /** Stores a task whose work is a background job. Returns undefined if it cannot be stored. */
    add,
    read,
    end: (owner: string, id: string, outcome: McpTaskOutcome) =>
      changeOpen(owner, id, () => endTask(outcome)),
    async note(task: McpTask, message: string): Promise<McpTask> {
      if (message === task.message && Date.now() - task.updatedAt < RENEW_MS) return task;
      return (await changeOpen(task.owner, task.id, () => ({ message }))) ?? task;
    },
    /** Cancels a task, unless it has ended before. */
    async cancel(owner: string, id: string): Promise<void> {
      await changeOpen(owner, id, () => ({ status: 'cancelled', message: '' }));
      runs.tell(id);
    },
    /** Stores answers of the client. Ignores answers to what is not asked or was answered before. */
    async answer(owner: string, id: string, responses: McpTaskInputs['responses']): Promise<void> {
      await changeOpen(owner, id, ({ inputs, status }) => {
        const given = Object.entries(responses).filter(([key]) => Object.hasOwn(inputs.requests, key));
        const left = Object.entries(inputs.requests).filter(([key]) => !Object.hasOwn(responses, key));
        const known = { ...inputs.responses, ...Object.fromEntries(given) };
        return {
          status: left.length > 0 ? status : 'working',
          inputs: { requests: Object.fromEntries(left), responses: known },
        };
      });
      runs.tell(id);
    },
    close: async () => void (await Promise.all([runs.close(), upkeep.close()])),
  };
}

const unknownTask = (id: string): AppError =>
  notFoundError(`there is no task ${JSON.stringify(id.slice(0, 80))}: it has expired, or it is not yours`);
