import { AppError, unavailableError } from '../../errors.ts';
import { runWithoutCallSignal } from '../../lib/concurrency/call-signal.ts';
import { HEARTBEAT_MS } from '../../lib/concurrency/runner.ts';
import type { Logger } from '../../log.ts';
import * as tasks from './mcp-task.ts';

type TaskRequests = tasks.McpTaskInputs['requests'];
type TaskResponses = tasks.McpTaskInputs['responses'];

/** What the work of a task can do while it runs. */
export interface McpTaskHandle {
  readonly signal: AbortSignal;
  progress(message: string): void;
  /** Asks the client, and resolves with its answers to all requests. Call it again only after that. */
  requestInput(requests: TaskRequests): Promise<TaskResponses>;
}

export interface McpTaskOrder<Result> {
  readonly owner: string;
  readonly operation: string;
  /** Ends the work as long as the call waits for it. */
  readonly signal: AbortSignal;
  readonly progress?: ((message: string) => void) | undefined;
  work(handle: McpTaskHandle): Promise<Result>;
}

/** Work that a call waits for, or that a task follows. */
export interface TaskRun<Result> {
  readonly stop: AbortController;
  readonly result: Promise<Result>;
  /** Resolves when the work asks the client, which only a task can do. */
  readonly asks: Promise<void>;
  message: string;
  outcome?: tasks.McpTaskOutcome;
  asking?: { readonly requests: TaskRequests; answer(responses: TaskResponses): void };
  /** Set as soon as a task follows the work. */
  report?: () => void;
}

export function beginRun<Result>({ progress, work }: McpTaskOrder<Result>): TaskRun<Result> {
  const stop = new AbortController();
  const { promise: asks, resolve: needsTask } = Promise.withResolvers<void>();
  let round = 0;
  const handle: McpTaskHandle = {
    signal: stop.signal,
    progress(message) {
      run.message = message;
      if (!run.report) progress?.(message);
    },
    requestInput(asked) {
      round += 1;
      // The number keeps the keys of all rounds different, as the protocol requires.
      const names = Object.keys(asked).map((key) => ({ key, name: `${round}.${key}` }));
      return new Promise((resolve, reject) => {
        stop.signal.addEventListener('abort', () => reject(stop.signal.reason), { once: true });
        const requests = Object.fromEntries(names.map(({ key, name }) => [name, asked[key]]));
        const answer = (given: TaskResponses) =>
          resolve(Object.fromEntries(names.map(({ key, name }) => [key, given[name]])));
        run.asking = { requests, answer };
        needsTask();
        run.report?.();
      });
    },
  };
  const result = Promise.resolve().then(() => work(handle));
  const run: TaskRun<Result> = { stop, asks, message: '', result };
  return run;
}

export function createTaskRuns(store: tasks.McpTaskStore, log: Pick<Logger, 'warn'>, tickMs: number) {
  const runs = new Map<string, { report(): Promise<void>; end(): Promise<void> }>();

  /** Learns of cancellations and answers, also at other nodes, and stores progress, questions and the outcome. */
  async function beat({ owner, id }: tasks.McpTask, run: TaskRun<unknown>): Promise<boolean> {
    const at = Date.now();
    const seen = await store.readTask(owner, id, at);
    if (!seen || !tasks.isTaskOpen(seen)) {
      run.stop.abort(new AppError('cancelled', 'the task was cancelled'));
      return false;
    }
    const { outcome, asking, message } = run;
    const { requests, responses } = seen.inputs;
    const keys = Object.keys(asking?.requests ?? {});
    if (asking && keys.every((key) => key in responses)) {
      delete run.asking;
      asking.answer(responses);
    }
    const isNew = run.asking && !keys.some((key) => key in requests || key in responses);
    const isChanged = isNew || outcome || message !== seen.message;
    if (!isChanged && at - seen.beatAt < HEARTBEAT_MS) return true;
    await store.changeTask(owner, id, (task) => {
      if (!tasks.isTaskOpen(task)) return undefined;
      const inputs = { ...task.inputs, requests: { ...task.inputs.requests, ...asking?.requests } };
      return {
        ...{ beatAt: at, expiresAt: tasks.keepTaskUntil(task, at), message },
        ...(isChanged && { updatedAt: at }),
        ...(isNew && { inputs, status: 'input_required' }),
        ...(outcome && tasks.endTask(outcome)),
      };
    });
    return !outcome;
  }

  return {
    /** Stores the state of the task's work from now on. */
    follow(task: tasks.McpTask, run: TaskRun<unknown>, ended: Promise<tasks.McpTaskOutcome>): void {
      const { id } = task;
      let last = Promise.resolve();
      const step = async () => {
        if (!runs.has(id) || (await beat(task, run))) return;
        runs.delete(id);
        clearInterval(timer);
      };
      const report = () => {
        last = last
          .then(step)
          .catch((err: unknown) => log.warn({ err, task: id }, 'a task could not be stored'));
        return last;
      };
      const timer = runWithoutCallSignal(() => setInterval(report, tickMs).unref());
      const end = () => {
        run.outcome ??= tasks.STOPPED_OUTCOME;
        run.stop.abort(unavailableError('Magpie was stopped while it ran'));
        return report();
      };
      runs.set(id, { report, end });
      run.report = report;
      void ended.then((outcome) => {
        run.outcome ??= outcome;
        return report();
      });
      void report();
    },
    /** Lets the work of a task learn of a change at once, if it runs here. */
    tell: (id: string) => runs.get(id)?.report(),
    async close() {
      await Promise.all([...runs.values()].map(({ end }) => end()));
    },
  };
}
