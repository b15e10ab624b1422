import { takeCharacters } from '../../lib/text/text.ts';
import type { PlatformTask } from '../platform.ts';

const MAX_NAME_CHARACTERS = 100;
const UNFINISHED = ' unfinished]';

export function formatAutomationName({ plan, fingerprint }: PlatformTask): string {
  const mark = `[magpie ${fingerprint}]`;
  const space = MAX_NAME_CHARACTERS - mark.length - 1;
  const task = plan.task.length > space ? `${takeCharacters(plan.task, space - 1)}…` : plan.task;
  return `${task} ${mark}`;
}

/** Marks an automation's name as unfinished: the automation was never switched on. */
export const markUnfinished = (name: string): string => name.replace(/\]$/, UNFINISHED);

export const isUnfinishedAutomation = (name: string): boolean => name.endsWith(UNFINISHED);

export const removeUnfinishedMark = (name: string): string =>
  isUnfinishedAutomation(name) ? `${name.slice(0, -UNFINISHED.length)}]` : name;

export const hasTaskFingerprint = (name: string, fingerprint: string): boolean =>
  removeUnfinishedMark(name).endsWith(`[magpie ${fingerprint}]`);
