import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** The exit code and the signal of a process, at once if it has ended already: an event that is past comes to nobody. */
export async function exitOf(child: ChildProcess): Promise<[number | null, NodeJS.Signals | null]> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return [child.exitCode, child.signalCode];
}
