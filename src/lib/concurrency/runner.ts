import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Milliseconds between heartbeats. A process without a heartbeat for `DEAD_AFTER_MS` counts as ended. */
export const HEARTBEAT_MS = 5_000;
const DEAD_AFTER_MS = 60_000;
/** Id of this process. The random part distinguishes processes with the same host and process id. */
export const PROCESS_RUNNER_ID = `${hostname()} ${process.pid} ${randomBytes(6).toString('hex')}`;

/** Returns true if the process that ran the work has ended. `silentMs`: ms since its last heartbeat. */
export function isRunnerDead(runner: string, silentMs: number): boolean {
  if (runner.startsWith(PROCESS_RUNNER_ID)) return false;
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
