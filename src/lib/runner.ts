import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';

/** Milliseconds between two signs of life of what runs, and after which it is taken for dead. */
export const BEAT = 5_000;
const SILENCE = 60_000;

/** This process, told from every other that shares the data folder, past ones with the same id included. */
export const RUNNER = `${hostname()} ${process.pid} ${randomBytes(6).toString('hex')}`;

/** Whether the process that had the work in hand is gone; `silentMs` since its last sign. */
export function isGone(runner: string, silentMs: number): boolean {
  if (runner === RUNNER) return false;
  if (silentMs > SILENCE) return true;
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
