import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Amount by which a process's nice value rises. With twice as much, documents were read too late for their callers. */
const STEP = 5;

/** Lowers the priority of a process. Ignores errors, since the process may have ended already. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/** Sets the priority of all threads of this process to the same value, because on Linux each thread has its own. */
export function equalizeThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {}
  }
}
