import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/config.ts';
import type { Waits } from '../wiring/waits.ts';

export type ProgramInput = Readable & { readonly isTTY?: boolean | undefined };

export type ProgramOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Emits SIGINT (Ctrl-C) and SIGTERM. It is `process`, or an emitter in tests. */
export interface Signals {
  once(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/**
 * Everything that a run shares with its environment. `src/main.ts` builds it from the process, tests from streams in memory. No
 * other code in this folder or in src/commands uses `process`.
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
  /** File name under which the program was started. `magpie-mcp` without a command serves MCP over its pipes. */
  readonly program: string;
  /** Id of the parent process; it changes when the parent ends. */
  parentId(): number;
  /** Writes each log line; default: synchronous writes to standard error. */
  readonly log?: ((line: string) => void) | undefined;
  /** Shorter waiting times than the program's own, for tests. */
  readonly waits?: Waits | undefined;
}
