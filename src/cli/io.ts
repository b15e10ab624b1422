import type { Readable, Writable } from 'node:stream';
import type { Environment } from '../config/config.ts';
import type { WaitTimes } from '../wiring/waits.ts';

export type ProgramInput = Readable & { readonly isTTY?: boolean | undefined };

export type ProgramOutput = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type StopSignal = 'SIGINT' | 'SIGTERM';

export interface Signals {
  once(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
}

export interface ProgramIo {
  readonly stdin: ProgramInput;
  readonly stdout: ProgramOutput;
  readonly stderr: ProgramOutput;
  readonly env: Environment;
  readonly platform: NodeJS.Platform;
  readonly node: string;
  readonly signals: Signals;
  /** File name of the started program. `magpie-mcp` without a command serves MCP over its pipes. */
  readonly program: string;
  /** Id of the parent process. A different id means that the parent process has ended. */
  parentId(): number;
  /** Writes a line of the log. Default: synchronously to standard error. */
  readonly log?: ((line: string) => void) | undefined;
  readonly waits?: WaitTimes | undefined;
}
