import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Milliseconds between two heartbeats of a run, and after which its process counts as ended. */
export const HEARTBEAT_MS = 5_000;
const DEAD_AFTER_MS = 60_000;

/** Identifies this process among all that share the data folder, past ones with the same process id included. */
export const RUNNER = `${hostname()} ${process.pid} ${randomBytes(6).toString('hex')}`;

/** Whether the process that ran the work has ended; `silentMs` since its last heartbeat. */
export function isGone(runner: string, silentMs: number): boolean {
  // A run of a job has its number behind it.
  if (runner.startsWith(RUNNER)) return false;
  if (silentMs > DEAD_AFTER_MS) return true;
  const [host, pid] = runner.split(' ');
  if (host !== hostname()) return false;
  return Number(pid) === process.pid || !isAlive(Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
