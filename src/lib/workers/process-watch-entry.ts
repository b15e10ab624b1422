import module from 'node:module';
import { workerData } from 'node:worker_threads';
import { endProcess, WATCH, type WatchData } from './process-watch.ts';
import { processorTime } from './processor-time.ts';

/** The thread of a pool's process that keeps its bounds; see process-watch.ts. It sleeps while there is no job. */
const { cells, memoryBytes, parent } = workerData as WatchData;
/** Milliseconds between checks: a process that writes as fast as it can takes some 50 MB in that time. */
const CHECK_INTERVAL_MS = 25;

// This thread has no end at which Node.js would keep its compiled code.
module.flushCompileCache?.();
for (;;) {
  Atomics.wait(cells, WATCH.running, 0);
  while (Atomics.load(cells, WATCH.running) === 1) {
    if (process.memoryUsage.rss() > memoryBytes) endProcess('memory');
    if (processorTime() > Atomics.load(cells, WATCH.until)) endProcess('time');
    // Its parent was killed: whom it works for is gone.
    if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
    Atomics.wait(cells, WATCH.running, 1, CHECK_INTERVAL_MS);
  }
}
