import type { Task } from '../platform.ts';

/** The end of its name, by which an automation is found again on its platform. */

const MAX_NAME_CHARACTERS = 100;
const UNFINISHED = ' unfinished]';

/** The automation's name; the mark at its end is what it is found by. */
export function nameOf({ plan, fingerprint }: Task): string {
  const mark = `[magpie ${fingerprint}]`;
  const space = MAX_NAME_CHARACTERS - mark.length - 1;
  const task = plan.task.length > space ? `${plan.task.slice(0, space - 1).toWellFormed()}…` : plan.task;
  return `${task} ${mark}`;
}

/**
 * The name until it is first switched on. It distinguishes what a call that broke off has left from what its user has
 * switched off.
 */
export function unfinished(name: string): string {
  return name.replace(/\]$/, UNFINISHED);
}

export function isUnfinished(name: string): boolean {
  return name.endsWith(UNFINISHED);
}

/** The name once it is switched on. */
export function finished(name: string): string {
  return isUnfinished(name) ? `${name.slice(0, -UNFINISHED.length)}]` : name;
}

export function hasMark(name: string, fingerprint: string): boolean {
  return finished(name).endsWith(`[magpie ${fingerprint}]`);
}
