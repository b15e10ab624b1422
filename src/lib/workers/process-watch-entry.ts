import module from 'node:module';
import { workerData } from 'node:worker_threads';
import { endProcess, WATCH_CELLS, type WatchData } from './process-watch.ts';
import { processorTime } from './processor-time.ts';

const { cells, memoryBytes, parent } = workerData as WatchData;
const CHECK_INTERVAL_MS = 25;

// Saves the cache of compiled code now, because this thread never ends normally.
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
