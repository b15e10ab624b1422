import { AppError } from '../../errors.ts';
import { yieldToEventLoop } from '../../lib/concurrency/time-slices.ts';
import { countStringCharacters } from '../../lib/text/json-size.ts';
import { type ValueOrError, valueOrThrow } from '../../lib/workers/job-error.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import type { TextWorkOptions } from '../types.ts';
import { runTextTask, type TextTasks } from './text-tasks.ts';

export interface TextJob {
  readonly task: keyof TextTasks;
  readonly values: TextTasks[keyof TextTasks]['values'];
}

export type TextAnswer = ValueOrError<unknown>;

/** Longer texts are processed in a worker. A text of this length takes about 5 ms. */
const MAX_INLINE_CHARS = 25_000;
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [3, 2];
/** Maximum waiting tasks, in total and per user. It is high, because a refused task wastes a fetched page. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [4000, 1000];
/** Limit in milliseconds. A text of 10 MB takes about 2 s. */
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;

export function createTextPool(): {
  /** Throws AppError `timeout`, BusyError if the queue is full, and the task's own errors. */
  runTask<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    work: TextWorkOptions,
  ): Promise<TextTasks[Task]['result']>;
  close(): Promise<void>;
} {
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
    await yieldToEventLoop();
    if (characters <= MAX_INLINE_CHARS) return runTextTask(task, values);
    const outcome = await pool.run({ task, values }, TIME_LIMIT_MS, signal, { owner });
    if ('failed' in outcome) {
      signal.throwIfAborted();
      throw new AppError('timeout', TOO_LONG);
    }
    return valueOrThrow(outcome.answer) as TextTasks[Task]['result'];
  }

  return { runTask: run, close: () => pool.close() };
}

const TOO_LONG = `the text took over ${TIME_LIMIT_MS / 1000} seconds to cut down; ask for one section of it, or read another page`;
