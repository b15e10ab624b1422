/** How one job ended: with an answer, or without one since it took too much time or memory, or broke its worker. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly failed: 'time' | 'memory' | 'broken' };

/**
 * How a worker ended one job: as `Outcome` says, or since the worker could not start (`cause` is for the log), or since
 * it was stopped, by the job's signal or by `end`.
 */
export type WorkerOutcome<Answer> =
  | Outcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

/** How long a job may take. */
export interface JobLimits {
  /** Milliseconds of the worker's own processor time, so that the outcome does not depend on what else the machine does. */
  readonly processorMs: number;
  /**
   * A further bound, asked several times a second with all the processor time of the worker so far, in milliseconds
   * (in the worker: `process.threadCpuUsage()`); true ends the job as out of time. In threads only.
   */
  isOver?(workerMs: number): boolean;
  /**
   * Called once with the processor time of the job, in milliseconds, when it has ended. Of a job without an answer it is
   * the time on the clock since the job began, and at most `processorMs`; nothing where the job did not begin. `heldBytes`
   * is the memory that a process took for it.
   */
  onEnd?(processorMs: number, heldBytes?: number): void;
  /** Called with what the job reports before its answer. */
  onNews?(news: unknown): void;
}

/** A worker with one job at a time. */
export interface PoolWorker<Job, Answer> {
  /** Never rejects. After an outcome without an answer, the worker has ended or is to be ended. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  /** Whether it can take another job. */
  usable(): boolean;
  /** Milliseconds on the clock that its start took, 0 for a thread; undefined until it is over. */
  startMs(): number | undefined;
  /** Ends it, and the job under way as `stopped`. */
  end(): Promise<void>;
}

/**
 * What a worker's module exports as `answer`. `report` sends news of a job before its answer; `step` bounds, in a process,
 * the processor time of what the job does next, in milliseconds, up to the next call.
 */
export type JobHandler<Job, Answer> = (
  job: Job,
  report: (news: unknown) => void,
  step: (processorMs: number) => void,
) => Answer | Promise<Answer>;

/** What a thread says: that its module is loaded, news of a job, or the end of it. `cpuMs` is its processor time so far. */
export type ThreadMessage<Answer> =
  | { readonly ready: true; readonly cpuMs: number }
  | { readonly news: unknown }
  | { readonly answer: Answer; readonly cpuMs: number };

/** What a process is sent, and what it says; `spent` when it shall take no further job, `cpuMs` and `heldBytes` what this one has cost. */
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

/** Milliseconds that a worker has to start. */
export const START_TIMEOUT_MS = 120_000;

/**
 * Milliseconds on the clock after which a job is given up, however little processor time it had: far above what a busy
 * machine takes, so that only a job that waits for ever meets it.
 */
export function clockLimit(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures a job that may end without an answer. */
export interface JobClock {
  /** The job begins: its worker has started. */
  begin(): void;
  /** What the job is charged without an answer, in milliseconds; undefined where it did not begin. */
  charge(): number | undefined;
}

/** A job never uses much more processor time than the clock shows, nor is it charged more than its limit. */
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
