import { writeSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { moduleUrl } from './module-url.ts';
import { processorTime } from './processor-time.ts';

/** Cells that the watched thread writes: whether a job runs, and the processor time at which it is over, in milliseconds. */
export const WATCH = { running: 0, until: 1 } as const;
/** What a process says on standard error before it ends itself. */
export const LAST_WORDS = {
  time: 'magpie worker: out of time',
  memory: 'magpie worker: out of memory',
} as const;

/** What the watching thread is started with. */
export interface WatchData {
  readonly cells: Int32Array<SharedArrayBuffer>;
  readonly memoryBytes: number;
  /** The process that started this one. */
  readonly parent: number;
}

/** Bounds of this process, kept by a thread beside the one that works: nothing that the work does holds it up. */
export interface ProcessWatch {
  begin(processorMs: number): void;
  /** Bounds what the job does next, within what the job may take. */
  step(processorMs: number): void;
  end(): void;
}

/** Ends this process once a job has used up its time, or all of it has over `memoryBytes`, or its parent is gone. */
export function watchProcess(memoryBytes: number): ProcessWatch {
  const cells = new Int32Array(new SharedArrayBuffer(8));
  const data: WatchData = { cells, memoryBytes, parent: process.ppid };
  const thread = new Worker(moduleUrl('./process-watch-entry.ts', import.meta.url), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2, stackSizeMb: 1 },
  });
  thread.unref();
  let until = 0;
  const set = (running: number) => {
    Atomics.store(cells, WATCH.running, running);
    Atomics.notify(cells, WATCH.running);
  };
  return {
    begin(processorMs) {
      until = Math.min(processorTime() + processorMs, 0x7fffffff);
      Atomics.store(cells, WATCH.until, until);
      set(1);
    },
    step: (processorMs) =>
      void Atomics.store(cells, WATCH.until, Math.min(processorTime() + processorMs, until)),
    end: () => set(0),
  };
}

/** Ends this process at once, whatever its other threads do. */
export function endProcess(why: keyof typeof LAST_WORDS): void {
  try {
    writeSync(2, `${LAST_WORDS[why]}\n`);
  } finally {
    process.kill(process.pid, 'SIGKILL');
  }
}
