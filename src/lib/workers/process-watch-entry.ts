import module from 'node:module';
import { workerData } from 'node:worker_threads';
import { endProcess, WATCH_CELLS, type WatchData } from './process-watch.ts';
import { processorTime } from './processor-time.ts';

/** Enforces the limits of a worker process (see process-watch.ts). This thread sleeps while no job runs. */
const { cells, memoryBytes, parent } = workerData as WatchData;
/** Time between two checks, in milliseconds. A process can fill some 50 MB in that time. */
const CHECK_INTERVAL_MS = 25;

// Saves this thread's compiled code now, because Node.js saves it only at the thread's normal end.
module.flushCompileCache?.();
for (;;) {
  Atomics.wait(cells, WATCH_CELLS.running, 0);
  while (Atomics.load(cells, WATCH_CELLS.running) === 1) {
    if (process.memoryUsage.rss() > memoryBytes) endProcess('memory');
    if (processorTime() > Atomics.load(cells, WATCH_CELLS.until)) endProcess('time');
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    Atomics.wait(cells, WATCH_CELLS.running, 1, CHECK_INTERVAL_MS);
  }
}
