import { constants, getPriority, setPriority } from 'node:os';

/** How much lower: a thread of normal priority gets ten times the time of such a one where both compute. */
const STEP = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lowers the priority of this thread and of what it starts on Linux, elsewhere of the whole process. Never above what it
 * was, which would be refused.
 */
export function lowerPriority(): void {
  setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + STEP));
}
