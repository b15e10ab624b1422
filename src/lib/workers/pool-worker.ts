export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

/** Result of a job. Also says if the job's worker could not start (with a `cause` for the log) or was stopped. */
export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Limit of processor time in milliseconds. Unlike elapsed time, processor time does not depend on the machine's load. */
  readonly processorMs: number;
  /** Called often with the worker's processor time in milliseconds. Returns true to end the job. Used in threads only. */
  isOver?(workerMs: number): boolean;
  /** Called once when a begun job ends, with its processor time in ms, or with its elapsed time in ms if it gave no answer. */
  onEnd?(processorMs: number, heldBytes?: number): void;
  onNews?(news: unknown): void;
}

export interface PoolWorker<Job, Answer> {
  /** Runs a job; never rejects. After an outcome without an answer, the worker has ended or the caller must end it. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  usable(): boolean;
  /** Elapsed time that the start took, in milliseconds; 0 for a thread. Undefined until the worker has started. */
  startMs(): number | undefined;
  end(): Promise<void>;
}

/** Type of the function `answer` that a worker's module exports. `step` limits the processor time (ms) of its next part. */
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

/** Returns the elapsed time limit of a job in milliseconds. The limit is so long that only a hanging job reaches it. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures the elapsed time of a job. It replaces the processor time, which is unknown if the job gave no answer. */
export function createJobClock(processorMs: number) {
  let begunAt: number | undefined;
  return {
    begin(): void {
      begunAt ??= performance.now();
    },
    /** Returns the milliseconds to count as the processor time of a job without an answer; undefined if it did not begin. */
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
