import { readdirSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';

/**
 * How much lower: on Linux a thread of normal priority gets three times the time of such a one where both compute. Half of
 * PRIORITY_BELOW_NORMAL: with that, ten times, readers on a machine that others keep busy met the deadlines of their callers.
 */
const STEP = 5;

/** Lowers the priority of a process that this one has just started; one that has ended meanwhile needs none. */
export function lowerPriority(pid: number): void {
  try {
    setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
  } catch {}
}

/**
 * Gives all threads of this process the priority of this one. On Linux each thread has its own, from the one that started it:
 * those that collect garbage may have been there before the priority of their process was lowered.
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
