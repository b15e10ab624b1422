import { AppError, type ErrorCode } from '../errors.ts';
import { moduleUrl } from '../lib/module-url.ts';
import { createWorkerPool } from '../lib/worker-pool.ts';
import { runTask, type TextTasks } from './text-tasks.ts';

/** Work on texts: at once for short ones, in a worker for those that would hold the event loop up. */
export interface TextDesk {
  /** AppError `timeout` when it takes too long, `unavailable` when too many wait, and what the task itself throws. */
  runTask<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    signal: AbortSignal,
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

/** Characters that are worked on at once: some 20 ms. */
const MAX_INLINE_CHARS = 100_000;
const MAX_WORKERS = 2;
const MAX_WAITING = 100;
/** Milliseconds for one task: 10 MB of prose take some 2 s. */
const TIME_LIMIT_MS = 15_000;
const IDLE_MS = 60_000;

/** A pool of workers with a time limit; cancelling a call ends its worker's work. */
export function createTextDesk(): TextDesk {
  const pool = createWorkerPool<TextJob, TextAnswer>({
    file: moduleUrl('./text-worker.ts', import.meta.url),
    workers: MAX_WORKERS,
    queue: MAX_WAITING,
    idleMs: IDLE_MS,
    stopOnAbort: true,
  });

  async function run<Task extends keyof TextTasks>(
    task: Task,
    values: TextTasks[Task]['values'],
    signal: AbortSignal,
  ): Promise<TextTasks[Task]['result']> {
    if (charactersOf(values) <= MAX_INLINE_CHARS) return runTask(task, values);
    const outcome = await pool.run({ task, values }, TIME_LIMIT_MS, signal);
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

/** Characters of all texts among the values, however deep. */
function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, inner) => sum + charactersOf(inner), 0);
}
