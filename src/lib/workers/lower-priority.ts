import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * Increase of the nice value, half of PRIORITY_BELOW_NORMAL. On Linux, a thread with normal priority then gets three times the
 * processor time. With the full value (ten times), readers on a busy machine missed their callers' deadlines.
 */
const STEP = 5;

/** Lowers the priority of a process that was just started. Ignores errors, since the process may have ended already. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/**
 * Gives all threads of this process the priority of the current one. On Linux each thread inherits its own priority, and the
 * garbage collector's threads may have started before the priority of the process was lowered.
 */
export function levelPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {}
  }
}
