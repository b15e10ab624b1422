import { AppError, type ErrorCode } from '../../errors.ts';
import { nextTurn } from '../../lib/concurrency/turns.ts';
import { charactersOf } from '../../lib/text/json-size.ts';
import { moduleUrl } from '../../lib/workers/module-url.ts';
import { createWorkerPool } from '../../lib/workers/worker-pool.ts';
import type { TextWork } from '../types.ts';
import { runTask, type TextTasks } from './text-tasks.ts';

/** Work on texts: at once for short ones, in a worker for those that would hold the event loop up. */
export interface TextDesk {
  /** AppError `timeout` when it takes too long, BusyError when too many wait, and what the task itself throws. */
  runTask<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    work: TextWork,
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

/** Characters that are worked on at once: some 5 ms. */
const MAX_INLINE_CHARS = 25_000;
/** Workers in all, and of one user. */
const [MAX_WORKERS, MAX_WORKERS_PER_OWNER] = [3, 2];
/** Jobs that may wait, of all users and of one: their pages have been read, and a call that reads has its place before it. */
const [MAX_WAITING, MAX_WAITING_PER_OWNER] = [4000, 1000];
/** Milliseconds for one task: 10 MB of prose take some 2 s. */
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;

/** A pool of workers with a time limit; cancelling a call ends its worker's work. */
export function createTextDesk(): TextDesk {
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
    { signal, owner }: TextWork,
  ): Promise<TextTasks[Task]['result']> {
    const characters = charactersOf(values);
    // Each task has a turn of its own, and so has the copy of a long text for a worker: the first of their kind take 20 ms for
    // 500 characters, since their code is compiled then.
    await nextTurn();
    if (characters <= MAX_INLINE_CHARS) return runTask(task, values);
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
