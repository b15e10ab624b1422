import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';
import { processorTime } from './processor-time.ts';

/** Indices in `cells`. `running`: 1 during a job. `until`: processor time in ms at which the job must end. */
export const WATCH_CELLS = { running: 0, until: 1 } as const;
export const LIMIT_EXIT_MESSAGES = {
  time: 'magpie worker: out of time',
  memory: 'magpie worker: out of memory',
} as const;

export interface WatchData {
  readonly cells: Int32Array<SharedArrayBuffer>;
  readonly memoryBytes: number;
  readonly parent: number;
}

/** Ends this process if a job exceeds its time or `memoryBytes`, or if the parent process ends. */
export function startProcessWatch(memoryBytes: number) {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const data: WatchData = { cells, memoryBytes, parent: process.ppid };
  const thread = new Worker(moduleUrl('./process-watch-entry.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  thread.unref();
  let until = 0;
  const set = (running: number) => {
    Atomics.store(cells, WATCH_CELLS.running, running);
    Atomics.notify(cells, WATCH_CELLS.running);
  };
  return {
    begin(processorMs: number): void {
      until = Math.min(processorTime() + processorMs, 0x7fffffff);
      Atomics.store(cells, WATCH_CELLS.until, until);
      set(1);
    },
    step: (processorMs: number) =>
      void Atomics.store(cells, WATCH_CELLS.until, Math.min(processorTime() + processorMs, until)),
    end: () => set(0),
  };
}

export function endProcess(why: keyof typeof LIMIT_EXIT_MESSAGES): void {
  try {
    writeSync(2, `${LIMIT_EXIT_MESSAGES[why]}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
