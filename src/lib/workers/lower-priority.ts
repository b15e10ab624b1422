import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

const STEP = 5;

export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/** Sets the process's priority for each thread, because Linux stores one priority per thread. */
export function equalizeThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {}
  }
}
