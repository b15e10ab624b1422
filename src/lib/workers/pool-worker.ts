/** Result of a job: an answer, or why there is none: too much time or memory, or a broken worker. */
export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

/** Result of a job in one worker, which may also not start (`cause` is for the log) or be stopped. */
export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Limit of processor time in milliseconds, so that the outcome does not depend on the load. */
  readonly processorMs: number;
  /** Called often with the worker's processor time in milliseconds; returns true to end the job. Used in threads only. */
  isOver?(workerMs: number): boolean;
  /** Called once when a begun job has ended, with its processor time in ms, or the elapsed time without an answer. */
  onEnd?(processorMs: number, heldBytes?: number): void;
  onNews?(news: unknown): void;
}

export interface PoolWorker<Job, Answer> {
  /** Runs a job and never rejects. After an outcome without an answer, the worker has ended or must be ended. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  usable(): boolean;
  /** Elapsed time that the start took, in milliseconds; 0 for a thread. Undefined until the worker has started. */
  startMs(): number | undefined;
  end(): Promise<void>;
}

/** Type of `answer` in a worker's module. In a process, `step` limits the processor time of each part in milliseconds. */
export type JobHandler<Job, Answer> = (
  job: Job,
  report: (news: unknown) => void,
  step: (processorMs: number) => void,
) => Answer | Promise<Answer>;

/** A message from a worker thread. `cpuMs` is the thread's total processor time in milliseconds. */
export type ThreadMessage<Answer> =
  | { readonly ready: true; readonly cpuMs: number }
  | { readonly news: unknown }
  | { readonly answer: Answer; readonly cpuMs: number };

/** A job for a worker process. In the process's messages, `spent` means that it takes no further jobs. */
export interface ProcessJob<Job> {
  readonly job: Job;
  readonly processorMs: number;
}
export type ProcessMessage<Answer> =
  | { readonly ready: true }
  | { readonly news: unknown }
  | {
      readonly answer: Answer;
      readonly spent: boolean;
      readonly cpuMs: number;
      readonly heldBytes: number;
    };

/** Time limit for the start of a worker, in milliseconds. */
export const START_TIMEOUT_MS = 120_000;

/** Returns the elapsed milliseconds after which a job is ended, so many that only a job that waits forever reaches it. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures a job's cost: elapsed time is an upper limit of its processor time, and it never pays more than the job's limit. */
export function createJobClock(processorMs: number) {
  let begunAt: number | undefined;
  return {
    begin(): void {
      begunAt ??= performance.now();
    },
    /** Returns the time that a job without an answer is charged, in milliseconds. Undefined if it did not begin. */
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
