import { AppError, type ErrorCode } from '../../errors.ts';
import { yieldToEventLoop } from '../../lib/concurrency/time-slices.ts';
import { countStringCharacters } from '../../lib/text/json-size.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import type { TextWorkOptions } from '../types.ts';
import { runTextTask, type TextTasks } from './text-tasks.ts';

/** Runs tasks on texts. Processes long texts in a worker, because they would block the event loop. */
export interface TextPool {
  /** Runs a task. Throws AppError `timeout` after the time limit, BusyError if the queue is full, and the task's own errors. */
  runTask<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    work: TextWorkOptions,
  ): Promise<TextTasks[Task]['result']>;
  close(): Promise<void>;
}

export interface TextJob {
  readonly task: keyof TextTasks;
  readonly values: TextTasks[keyof TextTasks]['values'];
}

export type TextAnswer =
  | { readonly value: unknown }
  | { readonly error: { readonly code: ErrorCode; readonly message: string; readonly cause: string } };

/** Maximum number of characters that are processed on the event loop. Such a text takes about 5 ms. */
const MAX_INLINE_CHARS = 25_000;
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [3, 2];
/** Maximum number of queued jobs, in total and per user. It is high, because the jobs' pages have already been read. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [4000, 1000];
/** Time limit of one task in milliseconds: 10 MB of prose take about 2 s. */
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;

/** Creates a worker pool with a time limit. Cancelling a call stops the call's worker. */
export function createTextPool(): TextPool {
  const pool = createWorkerPool<TextJob, TextAnswer>({
    file: moduleUrl('./text-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    workersPerOwner: MAX_WORKERS_PER_OWNER,
    queue: MAX_WAITING,
    queuePerOwner: MAX_WAITING_PER_OWNER,
    idleMs: IDLE_MS,
    stopOnAbort: true,
    sparesWorkers: true,
  });

  async function run<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    { signal, owner }: TextWorkOptions,
  ): Promise<TextTasks[Task]['result']> {
    const characters = countStringCharacters(values);
    // Lets other work run first, because the first task of a kind may block for 20 ms while its code is compiled.
    await yieldToEventLoop();
    if (characters <= MAX_INLINE_CHARS) return runTextTask(task, values);
    const outcome = await pool.run({ task, values }, TIME_LIMIT_MS, signal, { owner });
    if ('failed' in outcome) {
      signal.throwIfAborted();
      throw new AppError('timeout', TOO_LONG);
    }
    if ('value' in outcome.answer) return outcome.answer.value as TextTasks[Task]['result'];
    const { code, message, cause } = outcome.answer.error;
    throw new AppError(code, message, { cause });
  }

  return { runTask: run, close: () => pool.close() };
}

const TOO_LONG = `the text took over ${TIME_LIMIT_MS / 1000} seconds to cut down; ask for one section of it, or read another page`;
