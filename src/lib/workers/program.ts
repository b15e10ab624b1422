import { spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { closed, type Line, openLine } from './line.ts';
import { startProgramBeside, startsBeside } from './process-host.ts';
import type { StartReport } from './starter.ts';

/** A program that is to be run in its own process group. */
export interface ProgramCall {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** All of its environment; programs are searched for in its PATH. */
  readonly env: Readonly<Record<string, string>>;
}

/** A program that runs. */
export interface Program {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Its process group; undefined where it could not be started. */
  readonly group: number | undefined;
  /** Its exit code, null where a signal ended it, once its streams are closed; rejects where it could not be started. */
  readonly ended: Promise<number | null>;
  /** Ends it and all that it started. */
  kill(): void;
}

/** Starts a program: in a server by the small process that starts others, so that the server is not held up. */
export async function startProgram(call: ProgramCall): Promise<Program> {
  const line = startsBeside() ? await openLine(3) : undefined;
  return line ? startByOther(call, line) : startHere(call);
}

function startHere({ command, args, cwd, env }: ProgramCall): Program {
  const child = spawn(command, [...args], { cwd, env, stdio: 'pipe', detached: true });
  const kill = () => killGroup(child.pid);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    // What it started ends with it.
    child.on('exit', kill);
    child.on('close', resolve);
  });
  const { stdin, stdout, stderr, pid } = child;
  return { stdin, stdout, stderr, group: pid, ended, kill };
}

async function startByOther(call: ProgramCall, line: Line): Promise<Program> {
  const { promise: started, resolve: setStarted } = Promise.withResolvers<number | undefined>();
  const { promise: ended, resolve: setEnded } = Promise.withResolvers<StartReport>();
  const streams = ['line', 'line', 'line'] as const;
  startProgramBeside({ ...call, detached: true, streams, path: line.path }, (report) => {
    setStarted('pid' in report ? report.pid : undefined);
    if ('pid' in report) return;
    // One that ran has connected, though this process may learn of that after its end.
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
    await Promise.all([stdout, stderr].map(closed));
    return how.exit;
  };
  return { stdin, stdout, stderr, group, ended: whole(), kill };
}

function killGroup(group: number | undefined): void {
  if (group === undefined) return;
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // The group is gone.
  }
}

/** With the system's code, such as ENOENT. */
function failureOf(report: StartReport): Error {
  const { failed = 'the program could not be started', code = undefined } = 'failed' in report ? report : {};
  return Object.assign(new Error(failed), code === undefined ? {} : { code });
}
