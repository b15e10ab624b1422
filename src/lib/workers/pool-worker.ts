export type JobOutcome<Answer> =
  | { readonly answer: Answer }
  | { readonly failed: 'time' | 'memory' | 'broken' };

export type WorkerOutcome<Answer> =
  | JobOutcome<Answer>
  | { readonly failed: 'start'; readonly cause: unknown }
  | { readonly failed: 'stopped' };

export interface JobLimits {
  /** Milliseconds of processor time. Unlike elapsed time, it does not depend on the machine's load. */
  readonly processorMs: number;
  /** Called often with a thread's processor time in ms. Returns true to end the job. Only for threads. */
  isOver?(workerMs: number): boolean;
  /** Called at the job's end. Without an answer, `processorMs` is the elapsed time (at most the limit). */
  onEnd?(processorMs: number, heldBytes?: number): void;
  onNews?(news: unknown): void;
}

export interface PoolWorker<Job, Answer> {
  /** Runs a job and never rejects. A worker that gave no answer must not be used again. */
  work(job: Job, limits: JobLimits, stop: AbortSignal): Promise<WorkerOutcome<Answer>>;
  usable(): boolean;
  startMs(): number | undefined;
  end(): Promise<void>;
}

/** Type of `handleJob` in a worker's module. `step` sets the limit (processor ms) of the job's next step. */
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
  | { readonly answer: Answer; readonly spent: boolean; readonly cpuMs: number; readonly heldBytes: number };

export const START_TIMEOUT_MS = 120_000;

/** Returns a limit in elapsed milliseconds that only a hanging job can reach. */
export function elapsedLimitMs(processorMs: number): number {
  return Math.max(1, Math.min(20 * processorMs + 20_000, 0x7fffffff));
}

/** Measures a job's elapsed time, because its processor time is unknown if there is no answer. */
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
