import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/config.ts';
import type { Waits } from '../wiring/waits.ts';

export type ProgramInput = Readable & { readonly isTTY?: boolean | undefined };

export type ProgramOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Source of SIGINT (Ctrl-C) and SIGTERM: `process`, or an emitter in tests. */
export interface Signals {
  once(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/**
 * Everything outside of the program that a run uses. `src/main.ts` builds it from `process`, tests from streams in memory. No
 * other code in src/cli or src/commands uses `process`.
 */
export interface Io {
  readonly stdin: ProgramInput;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Path of the Node.js binary that runs this program. */
  readonly node: string;
  readonly signals: Signals;
  /** File name under which the program was started. As `magpie-mcp` without a command, it serves MCP over its pipes. */
  readonly program: string;
  /** Returns the id of the parent process. The id changes when the parent ends. */
  parentId(): number;
  /** Writes a log line. By default, lines are written synchronously to standard error. */
  readonly log?: ((line: string) => void) | undefined;
  /** Waiting times. Tests pass shorter times than the program's own. */
  readonly waits?: Waits | undefined;
}
