import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/config.ts';
import type { Waits } from '../wiring/waits.ts';

/** Where a run reads: a terminal, a pipe or a file. */
export type Input = Readable & { readonly isTTY?: boolean | undefined };

/** Where a run writes: a terminal has a width, and may know colours. */
export type Output = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** Who delivers Ctrl-C and SIGTERM: `process`, or an emitter of a test's own. */
export interface Signals {
  once(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/**
 * Everything that a run of the program shares with the world outside: `src/main.ts` makes it of the process, a test of
 * streams in memory. Nothing else in this folder or in src/commands uses `process`.
 */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  /** Path of the node program that runs this. */
  readonly node: string;
  readonly signals: Signals;
  /** File name under which the program was started: `magpie-mcp` without a command talks MCP over its pipes. */
  readonly program: string;
  /** Id of the process that started this one; a change of it means that the starter has ended. */
  parentId(): number;
  /** Takes each line of the log; synchronous writes to the process's standard error when left out. */
  readonly log?: ((line: string) => void) | undefined;
  /** Shorter waits than those of the program, for a test. */
  readonly waits?: Waits | undefined;
}
