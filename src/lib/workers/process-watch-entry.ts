import module from 'node:module';
import { workerData } from 'node:worker_threads';
import { endProcess, WATCH_CELLS, type WatchData } from './process-watch.ts';
import { processorTime } from './processor-time.ts';

/** Code of the thread that enforces the limits of a worker process. The thread sleeps while no job runs. */
const { cells, memoryBytes, parent } = workerData as WatchData;
/** Time between two checks of the memory in milliseconds. Between two checks, a process can fill about 50 MB. */
const CHECK_INTERVAL_MS = 25;

// Saves this thread's cache of compiled code now, because this thread never ends normally.
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
