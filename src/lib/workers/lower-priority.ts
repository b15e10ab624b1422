import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/** Increase of a process's nice value. With PRIORITY_BELOW_NORMAL (twice as much), readers missed their callers' deadlines. */
const STEP = 5;

/** Lowers the priority of a process. Ignores errors, since the process may have ended already. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/** Lowers all threads of this process, because on Linux each thread has its own priority. */
export function equalizeThreadPriorities(): void {
  if (process.platform !== 'linux') return;
  const priority = getPriority();
  for (const thread of readdirSync('/proc/self/task')) {
    try {
      setPriority(Number(thread), priority);
    } catch {}
  }
}
