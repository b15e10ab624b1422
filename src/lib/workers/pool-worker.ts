/** Result of a job: an answer, or the reason why there is none. The job took too much time or memory, or it broke its worker. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: 'time' | 'memory' | 'broken' };

/**
 * Result of a job in one worker. Besides the usual results, the worker could not start (`cause` is for the log), or it was
 * stopped by the job's signal or by `end`.
 */
export type WorkerOutcome<Answer> =
  | Outcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Limit of the worker's own processor time in milliseconds, so that the outcome does not depend on the load of the machine. */
  readonly processorMs: number;
  /**
   * A further limit, checked several times a second with the worker's total processor time in milliseconds
   * (`process.threadCpuUsage()` in the worker). True ends the job as out of time. Used in threads only.
   */
  isOver?(workerMs: number): boolean;
  /**
   * Called once when a job has ended, with its processor time in milliseconds. For a job without an answer it is the elapsed
   * time, at most `processorMs`; if the job did not begin, it is not called. `heldBytes` is the memory that a process used for
   * the job.
   */
  onEnd?(processorMs: number, heldBytes?: number): void;
  /** Called with each message that the job sends before its answer. */
  onNews?(news: unknown): void;
}

/** A worker that runs one job at a time. */
export interface PoolWorker<Job, Answer> {
  /** Runs a job and never rejects. After an outcome without an answer, the worker has ended or must be ended. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  /** True if the worker can take another job. */
  usable(): boolean;
  /** Elapsed time that the start took, in milliseconds; 0 for a thread. Undefined until the worker has started. */
  startMs(): number | undefined;
  /** Ends the worker. The outcome of a running job is `stopped`. */
  end(): Promise<void>;
}

/**
 * Type of the function `answer` that a worker's module exports. `report` sends messages of a job before its answer. In a process,
 * `step` limits the processor time in milliseconds from this call of `step` to the next.
 */
export type JobHandler<Job, Answer> = (
  job: Job,
  report: (news: unknown) => void,
  step: (processorMs: number) => void,
) => Answer | Promise<Answer>;

/** Message from a thread: its module is loaded, a message of a job, or the answer. `cpuMs` is its total processor time. */
export type ThreadMessage<Answer> =
  | { readonly ready: true; readonly cpuMs: number }
  | { readonly news: unknown }
  | { readonly answer: Answer; readonly cpuMs: number };

/** A job for a process. In its messages, `spent` means that it takes no further jobs; `cpuMs` and `heldBytes` are the job's cost. */
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

/**
 * Returns the elapsed time in milliseconds after which a job is ended, whatever processor time it had. It is so long that only a
 * job that waits forever reaches it, even on a busy machine.
 */
export function clockLimit(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures the elapsed time of a job that may end without an answer. */
export interface JobClock {
  /** Marks the begin of the job, once its worker has started. */
  begin(): void;
  /** Returns the time that a job without an answer is charged, in milliseconds. Undefined if it did not begin. */
  charge(): number | undefined;
}

/** Uses elapsed time as an upper limit of processor time, and never charges more than the job's limit. */
export function createJobClock(processorMs: number): JobClock {
  let begunAt: number | undefined;
  return {
    begin() {
      begunAt ??= performance.now();
    },
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
