import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before a server's first module (`--import`): writes, into the file that MAGPIE_BENCH_TURNS names, the processor
 * time of the main thread between two ticks of a timer, in milliseconds, where that is more than a turn should take.
 */

const TICK_MS = 5;
const LONG_MS = 20;

const file = process.env.MAGPIE_BENCH_TURNS ?? '';
if (isMainThread) {
  let before = process.threadCpuUsage();
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > LONG_MS) appendFileSync(file, `${ms}\n`);
    before = process.threadCpuUsage();
  }, TICK_MS).unref();
}
