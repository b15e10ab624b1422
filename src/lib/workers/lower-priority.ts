import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Number that is added to a process's nice value. With 10, documents were read too late for their callers. */
const STEP = 5;

/** Lowers the priority of a process. Ignores errors, because the process may have ended already. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/** Sets the priority of all threads of this process to the same value. On Linux, each thread has its own priority. */
export function equalizeThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {}
  }
}
