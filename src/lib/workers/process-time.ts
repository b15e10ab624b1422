import { readdir, readFile } from 'node:fs/promises';
import { elapsedLimitMs } from './pool-worker.ts';

/** Milliseconds of a clock tick. USER_HZ is 100 on every Linux. */
const TICK_MS = 10;
const [MAX_INTERVAL_MS, MIN_INTERVAL_MS] = [30_000, 100];
/** Processes that use less than this share of a processor count as waiting. */
const WAITING_SHARE = 0.005;

/** Returns the milliseconds of processor time of a process group. Returns undefined if not on Linux. */
export async function groupProcessorMs(group: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const names = await readdir('/proc').catch(() => []);
  const stats = names
    .filter((name) => /^\d+$/.test(name))
    .map((id) => readFile(`/proc/${id}/stat`, 'latin1'));
  let ticks = 0;
  for (const read of await Promise.allSettled(stats)) {
    if (read.status === 'rejected') continue;
    // utime, stime, cutime and cstime are fields 14 to 17 (proc_pid_stat(5)).
    const fields = read.value.slice(read.value.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) !== group) continue;
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * TICK_MS;
}

/** Calls `over` after `limitMs` of processor time. If the group only waits, elapsed time counts instead. */
export function limitProcessGroup(
  group: number | undefined,
  limitMs: number,
  over: () => void,
  hardMs = elapsedLimitMs(limitMs),
): () => void {
  if (group === undefined) return () => {};
  const intervalMs = Math.min(MAX_INTERVAL_MS, Math.max(MIN_INTERVAL_MS, limitMs / 4));
  let isEnded = false;
  let timer: NodeJS.Timeout;
  let before = 0;
  let readAt = performance.now();
  const read = async (isLate: boolean) => {
    const used = await groupProcessorMs(group);
    if (isEnded) return;
    const [gained, passed] = [(used ?? 0) - before, performance.now() - readAt];
    const isWaiting = used === undefined || gained < passed * WAITING_SHARE;
    if (isLate && (isWaiting || used >= limitMs)) return end();
    [before, readAt] = [used ?? 0, performance.now()];
    timer = setTimeout(() => void read(true), intervalMs);
  };
  const end = () => {
    stop();
    over();
  };
  const hard = setTimeout(end, hardMs);
  const stop = () => {
    isEnded = true;
    clearTimeout(timer);
    clearTimeout(hard);
  };
  timer = setTimeout(() => void read(false), Math.max(0, limitMs - intervalMs));
  return stop;
}
