import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/config.ts';
import type { Waits } from '../wiring/waits.ts';

export type ProgramInput = Readable & { readonly isTTY?: boolean | undefined };

export type ProgramOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

/** `process`, or an emitter in tests. */
export interface Signals {
  once(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

/** Everything outside of the program, so that tests need no `process`. Built in `src/main.ts`. */
export interface Io {
  readonly stdin: ProgramInput;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly node: string;
  readonly signals: Signals;
  /** File name of the started program. `magpie-mcp` without a command serves MCP over its pipes. */
  readonly program: string;
  /** Changes when the parent process ends. */
  parentId(): number;
  /** Default: lines are written synchronously to standard error. */
  readonly log?: ((line: string) => void) | undefined;
  readonly waits?: Waits | undefined;
}
