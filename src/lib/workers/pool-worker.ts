/** Result of a job: an answer, or the reason why there is none (too much time, too much memory, or a broken worker). */
export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

/** Result of a job in one worker. The worker may also fail to start (`cause` is for the log) or be stopped. */
export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Limit of processor time in milliseconds. Unlike elapsed time, it does not depend on the load of the machine. */
  readonly processorMs: number;
  /** Called often with the worker's processor time in milliseconds. Returns true to end the job. Used in threads only. */
  isOver?(workerMs: number): boolean;
  /** Called once when a begun job has ended, with its processor time in ms. Without an answer, it gets the elapsed time. */
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

/** Type of `answer` in a worker's module. In a process, `step` sets a limit of processor time in milliseconds for each part. */
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

/** A job for a worker process. In the messages of the process, `spent` means that it takes no further jobs. */
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

/** Returns the elapsed milliseconds after which a job is ended, so many that only a job that waits forever reaches them. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures a job's cost. Elapsed time is an upper limit of processor time, and a job never pays for more than its own limit. */
export function createJobClock(processorMs: number) {
  let begunAt: number | undefined;
  return {
    begin(): void {
      begunAt ??= performance.now();
    },
    /** Returns the time in milliseconds that a job without an answer is charged. Undefined if the job did not begin. */
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
