import type { Task } from './platform.ts';

/** How an automation is known again on its platform: by the end of its name. */

/** Most characters of a name. */
const NAME = 100;
const UNFINISHED = ' unfinished]';

/** The automation's name; the mark at its end is what it is found by. */
export function nameOf({ plan, fingerprint }: Task): string {
  const mark = `[magpie ${fingerprint}]`;
  const room = NAME - mark.length - 1;
  const task = plan.task.length > room ? `${plan.task.slice(0, room - 1).toWellFormed()}…` : plan.task;
  return `${task} ${mark}`;
}

/**
 * The name for as long as it was never switched on: what a call that broke off has left is told by it from what its
 * user has switched off.
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
