import { startProgram } from '../../lib/workers/program.ts';

/** Pings through the program `ping`, because Magpie's own process may not send ICMP packets. */

const PROGRAMS = ['/usr/bin/ping', '/bin/ping', '/sbin/ping', '/usr/sbin/ping'];
const MAX_OUTPUT_CHARS = 4000;

export interface PingOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly programs?: readonly string[] | undefined;
}

export class NoPingError extends Error {}

/** Returns the round-trip time in ms. Rejects with NoPingError if this machine cannot send pings. */
export async function pingAddress(address: string, options: PingOptions): Promise<number> {
  const { signal, timeoutMs, programs = PROGRAMS } = options;
  for (const command of programs) {
    signal.throwIfAborted();
    const answer = await runPing(command, address, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    if (answer) {
      signal.throwIfAborted();
      return millisecondsOf(answer);
    }
  }
  throw new NoPingError(
    'this machine has no program to ping with: install ping, or watch a port (tcp://host:port)',
  );
}

interface PingAnswer {
  readonly code: number | null;
  readonly output: string;
  readonly tookMs: number;
}

async function runPing(command: string, address: string, signal: AbortSignal) {
  const begun = performance.now();
  let output = '';
  try {
    const program = await startProgram({
      command,
      args: ['-n', '-c', '1', address],
      cwd: '/',
      env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    });
    const hear = (part: Buffer) => {
      output = (output + part.toString()).slice(0, MAX_OUTPUT_CHARS);
    };
    program.stdout.on('data', hear);
    program.stderr.on('data', hear);
    program.stdin.on('error', () => {});
    program.stdin.end();
    signal.addEventListener('abort', program.kill, { once: true });
    if (signal.aborted) program.kill();
    const code = await program.ended;
    signal.removeEventListener('abort', program.kill);
    return { code, output, tookMs: performance.now() - begun };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function millisecondsOf({ code, output, tookMs }: PingAnswer): number {
  if (code === 0) {
    const [, time] = /time[=<]\s?([\d.]{1,12})\s?ms/.exec(output) ?? [];
    return time === undefined ? tookMs : Number(time);
  }
  if (/not permitted|permission denied|lacking privilege/i.test(output)) {
    throw new NoPingError(
      'this machine may not send pings: give its ping program the right, or watch a port (tcp://host:port)',
    );
  }
  throw Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' });
}
