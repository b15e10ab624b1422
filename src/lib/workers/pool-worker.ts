export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

/** Result of a job, or why its worker could not start or was stopped. */
export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Milliseconds of processor time. Unlike elapsed time, it does not depend on the machine's load. */
  readonly processorMs: number;
  /** Called often with the worker's processor time (ms). The job ends when it returns true. For threads only. */
  isOver?(workerMs: number): boolean;
  /** Called when a job ends, with its processor time in ms. Without an answer, it is the elapsed time. */
  onEnd?(processorMs: number, heldBytes?: number): void;
  onNews?(news: unknown): void;
}

export interface PoolWorker<Job, Answer> {
  /** Runs a job and never rejects. If there is no answer, the worker has ended or must be ended. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  usable(): boolean;
  startMs(): number | undefined;
  end(): Promise<void>;
}

/** Function `answer` of a worker's module. `step` limits the processor time (ms) of its next part. */
export type JobHandler<Job, Answer> = (
  job: Job,
  report: (news: unknown) => void,
  step: (processorMs: number) => void,
) => Answer | Promise<Answer>;

/** `cpuMs` is the thread's processor time in milliseconds since its start. */
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

/** Returns a limit of elapsed milliseconds that only a hanging job reaches. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures elapsed time, because the processor time is unknown if there is no answer. */
export function createJobClock(processorMs: number) {
  let begunAt: number | undefined;
  return {
    begin(): void {
      begunAt ??= performance.now();
    },
    charge: () =>
      begunAt === undefined ? undefined : Math.max(0, Math.min(processorMs, performance.now() - begunAt)),
  };
}
