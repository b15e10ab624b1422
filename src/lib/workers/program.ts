import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { attempt } from '../attempt.ts';
import { isStarterProcessEnabled, startProgramByStarter } from './process-host.ts';
import { openSocketServer, type SocketServer, waitForSocketClose } from './socket-server.ts';
import type { StartReport } from './starter.ts';

export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All environment variables of the program. None are inherited. `command` is searched in their PATH. */
  readonly env: Readonly<Record<string, string>>;
}

export interface RunningProgram {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly group: number | undefined;
  /**
   * Resolves to the exit code, or to null after a signal. Rejects if the program could not be started
   * or was lost. A caller may leave it alone.
   */
  readonly ended: Promise<number | null>;
  kill(): void;
}

export async function startProgram(call: ProgramCall): Promise<RunningProgram> {
  const line = isStarterProcessEnabled() ? await openSocketServer(3) : undefined;
  return line ? startByOther(call, line) : startHere(call);
}

function startHere({ command, args, cwd, env }: ProgramCall): RunningProgram {
  const child = spawn(command, [...args], { cwd, env, stdio: 'pipe', detached: true });
  const kill = () => killGroup(child.pid);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', kill);
    child.on('close', resolve);
  });
  ended.catch(() => {});
  const { stdin, stdout, stderr, pid } = child;
  return { stdin, stdout, stderr, group: pid, ended, kill };
}

async function startByOther(call: ProgramCall, line: SocketServer): Promise<RunningProgram> {
  const { promise: started, resolve: setStarted } = Promise.withResolvers<number | undefined>();
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<StartReport>();
  const streams = ['line', 'line', 'line'] as const;
  startProgramByStarter({ ...call, detached: true, streams, path: line.path }, (report) => {
    setStarted('pid' in report ? report.pid : undefined);
    if ('pid' in report) return;
    // A program that could not be started will never connect to the socket, so the socket is closed.
    if (!('exit' in report)) line.close();
    setEnded(report);
  });
  const group = await started;
  const [stdin, stdout, stderr] = await line.sockets.catch(async () => {
    killGroup(group);
    throw failureOf(await ended);
  });
  if (!stdin || !stdout || !stderr) throw new Error('a stream of the program is missing');
  const kill = () => killGroup(group);
  const whole = async () => {
    const how = await ended;
    kill();
    if (!('exit' in how)) {
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
      throw failureOf(how);
    }
    for (const stream of [stdout, stderr]) if (stream.readableFlowing === null) stream.resume();
    stdin.destroy();
    await Promise.all([stdout, stderr].map(waitForSocketClose));
    return how.exit;
  };
  const result = whole();
  result.catch(() => {});
  return { stdin, stdout, stderr, group, ended: result, kill };
}

function killGroup(group: number | undefined): void {
  if (group !== undefined) attempt(() => process.kill(-group, 'SIGKILL'));
}

function failureOf(report: StartReport): Error {
  const { failed = 'the program could not be started', code = undefined } = 'failed' in report ? report : {};
  return Object.assign(new Error(failed), code === undefined ? {} : { code });
}
