import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { attempt } from '../attempt.ts';

const STEP = 5;

export function lowerPriority(pid: number): void {
  attempt(() => setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP)));
}

/** Sets the process's priority for each thread, because Linux stores one priority per thread. */
export function equalizeThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) attempt(() => setPriority(Number(thread), priority));
}
