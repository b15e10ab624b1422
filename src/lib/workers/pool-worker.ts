export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

/** Result of a job, also if its worker could not start (with a `cause` for the log) or was stopped. */
export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Limit of processor time in milliseconds. Unlike elapsed time, it does not depend on the load of the machine. */
  readonly processorMs: number;
  /** Called often with the worker's processor time in milliseconds. Returns true to end the job. Used in threads only. */
  isOver?(workerMs: number): boolean;
  /** Called once when a begun job has ended, with its processor time in ms, or with the elapsed time if it has no answer. */
  onEnd?(processorMs: number, heldBytes?: number): void;
  onNews?(news: unknown): void;
}

export interface PoolWorker<Job, Answer> {
  /** Runs a job and never rejects. After an outcome without answer, the worker has ended or must be ended. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  usable(): boolean;
  /** Elapsed time that the start took, in milliseconds; 0 for a thread. Undefined until the worker has started. */
  startMs(): number | undefined;
  end(): Promise<void>;
}

/** Type of the function `answer` of a worker's module. `step` sets a processor time limit (ms) for the next part of a job. */
export type JobHandler<Job, Answer> = (
  job: Job,
  report: (news: unknown) => void,
  step: (processorMs: number) => void,
) => Answer | Promise<Answer>;

/** A message from a worker thread. `cpuMs` is the thread's processor time in milliseconds since its start. */
export type ThreadMessage<Answer> =
  | { readonly ready: true; readonly cpuMs: number }
  | { readonly news: unknown }
  | { readonly answer: Answer; readonly cpuMs: number };

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

export const START_TIMEOUT_MS = 120_000;

/** Returns the elapsed time limit of a job in milliseconds. It is so long that only a job that hangs reaches it. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures the elapsed time of a job in place of its processor time, which is unknown if the job gave no answer. */
export function createJobClock(processorMs: number) {
  let begunAt: number | undefined;
  return {
    begin(): void {
      begunAt ??= performance.now();
    },
    /** Returns the milliseconds to count as the job's processor time if it gave no answer. Undefined if it did not begin. */
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
