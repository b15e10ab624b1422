import { readdirSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Processor time of this process and of those that it started, and where the main thread spends its own. */

/** Milliseconds of processor time so far: of the main thread, of other threads, and of the processes that it started. */
export interface ProcessorTime {
  readonly main: number;
  readonly threads: number;
  readonly children: number;
}

/** Milliseconds of a tick in which Linux counts processor time (USER_HZ is 100). */
const TICK_MS = 10;

/** `others` are processes that this one started, but that are no part of what is measured. */
export function processorTime(others: readonly number[] = []): ProcessorTime {
  const main = milliseconds(process.threadCpuUsage());
  return {
    main,
    threads: milliseconds(process.cpuUsage()) - main,
    children: childrenMs(process.pid, new Set(others)),
  };
}

export function spentSince(before: ProcessorTime, others: readonly number[] = []): ProcessorTime {
  const now = processorTime(others);
  return {
    main: now.main - before.main,
    threads: now.threads - before.threads,
    children: now.children - before.children,
  };
}

function milliseconds({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000;
}

/** Of all processes below one, by Linux; one that has ended counts no more. */
function childrenMs(parent: number, others: ReadonlySet<number>): number {
  let sum = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || others.has(Number(name))) continue;
    const fields = statOf(name);
    if (Number(fields[1]) !== parent) continue;
    sum += TICK_MS * (Number(fields[11]) + Number(fields[12])) + childrenMs(Number(name), others);
  }
  return sum;
}

/** proc_pid_stat(5): after the name in brackets, state ppid pgrp ...; utime and stime are 14 and 15 from the start. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Microseconds between two samples. */
const SAMPLING_US = 500;

interface Frame {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/**
 * Runs `work` and returns milliseconds of this thread by name: that of a frame is `nameOf(url, function)`, that of a sample
 * its innermost frame with a name. Time in which the thread waits is left out.
 */
export async function sampled(
  work: () => Promise<unknown>,
  nameOf: (url: string, functionName: string) => string | undefined,
): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const names = namesOf(profile.nodes, nameOf);
  const times = new Map<string, number>();
  const { samples = [], timeDeltas = [] } = profile;
  samples.forEach((id, at) => {
    const name = names.get(id);
    if (name !== undefined) times.set(name, (times.get(name) ?? 0) + (timeDeltas[at + 1] ?? 0) / 1000);
  });
  return times;
}

function namesOf(
  frames: readonly Frame[],
  nameOf: (url: string, functionName: string) => string | undefined,
): Map<number, string> {
  const parents = new Map(
    frames.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const names = new Map<number, string>();
  // Parents stand before their children.
  for (const { id, callFrame } of frames) {
    const { url, functionName } = callFrame;
    if (functionName === '(idle)' || functionName === '(program)') continue;
    const outer = names.get(parents.get(id) ?? 0) ?? 'other';
    names.set(
      id,
      functionName === '(garbage collector)' ? 'garbage collection' : (nameOf(url, functionName) ?? outer),
    );
  }
  return names;
}
