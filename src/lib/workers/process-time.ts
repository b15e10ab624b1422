import { readdir, readFile } from 'node:fs/promises';
import { clockLimit } from './pool-worker.ts';

/** Milliseconds of one tick in which Linux counts processor time for programs, on every machine (USER_HZ is 100). */
const TICK_MS = 10;
/** Most milliseconds between two readings, and least. */
const [MAX_INTERVAL_MS, MIN_INTERVAL_MS] = [30_000, 100];
/** Share of the clock below which a group of processes does not compute but wait. */
const WAITING_SHARE = 0.005;

/**
 * Milliseconds of processor time that a process group and its ended children have used; undefined where the system does
 * not say (all but Linux).
 */
export async function groupProcessorMs(group: number): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const names = await readdir('/proc').catch(() => []);
  const stats = names
    .filter((name) => /^\d+$/.test(name))
    .map((id) => readFile(`/proc/${id}/stat`, 'latin1'));
  let ticks = 0;
  for (const read of await Promise.allSettled(stats)) {
    if (read.status === 'rejected') continue;
    // proc_pid_stat(5): after the name in brackets, state ppid pgrp ...; utime, stime, cutime and cstime are 14 to 17.
    const fields = read.value.slice(read.value.lastIndexOf(')') + 2).split(' ');
    if (Number(fields[2]) !== group) continue;
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks * TICK_MS;
}

/**
 * Calls `over` once a process group has had its time: `limitMs` on the clock, and as much processor time beyond it as it
 * takes to make up for a busy machine; what waits, and does not compute, is over on the clock, and so is all after `hardMs`. Returns what ends the watch.
 * Without a group, whose start failed, nothing is watched.
 */
export function watchGroup(
  group: number | undefined,
  limitMs: number,
  over: () => void,
  hardMs = clockLimit(limitMs),
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
  // The last reading before the limit, against which the first one after it is judged.
  timer = setTimeout(() => void read(false), Math.max(0, limitMs - intervalMs));
  return stop;
}
