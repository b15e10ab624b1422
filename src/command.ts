import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Config, Environment } from './config/config.ts';
import type { Logger } from './log.ts';
import type { Operation } from './operation.ts';
import type { Services } from './wiring/services.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  readonly node: string;
}

export interface CommandContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly log: Logger;
  readonly machine: Machine;
  readonly config: Config;
  /** Aborts at Ctrl-C or SIGTERM. The command then ends cleanly and keeps the work done so far. */
  readonly signal: AbortSignal;
  readonly json: boolean;
  /** Returns standard input, which is opened only by this call. */
  stdin(): AsyncIterable<unknown>;
  progress(message: string): void;
  /** Resolves after `ms` milliseconds, or earlier if `signal` aborts. */
  pause(ms: number): Promise<void>;
  /** Returns the password of MAGPIE_PDF_PASSWORD, or a password that the user types without an echo. */
  askPassword(file: string, tries: number): Promise<string | undefined>;
  /** Prints a line without control characters. Resolves once the line is written. */
  print(line: string, tone?: Tone): Promise<void>;
}

export type Tone = 'alarm' | 'warning' | 'hint' | 'quiet';

/** Effect of a command. With --read-only, `write` and `destroy` are refused, but `access` (changing keys) is allowed. */
export type CommandEffect = Operation['effect'] | 'access';

/** `found`: a check found problems. `damaged`: stored data is damaged. `waiting`: stored texts are not embedded yet. */
export type CommandOutcome = 'done' | 'found' | 'damaged' | 'failed' | 'waiting' | 'partly' | 'stopped';

/** A terminal command that manages this installation. No assistant may call it. Each key of `input` is a flag. */
export interface Command<In extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  /** What the command does and how it ends, for its own help text. */
  readonly description: string;
  /** Keys of `input` whose values are given as words without a flag, in order. */
  readonly words: readonly string[];
  /** Exit code of a failed command. It is set for commands in which exit code 1 has another meaning. */
  readonly failedExit?: number;
  readonly input: In;
  readonly examples: readonly (readonly [line: string, does: string])[];
  effect(input: z.output<In>): CommandEffect;
  /** True if the command stores texts. The program then waits until they are embedded, so that they can be found. */
  readonly keepsTexts?: true;
  /** True if the command creates a missing data folder although it only reads. */
  makesFolder?(input: z.output<In>): boolean;
  /** Returns a yes-or-no question to ask before the command runs. `--yes` answers it and is required without a terminal. */
  question?(input: z.output<In>, ctx: CommandContext): Promise<string | undefined>;
  /** Runs the command. Throws AppError with a message for the user. */
  run(input: z.output<In>, ctx: CommandContext): Promise<CommandOutcome>;
}

/** Returns the command unchanged. Its type ensures that `words` are keys of `input`. */
export function defineCommand<In extends z.ZodObject>(
  command: Command<In> & { readonly words: readonly (keyof In['shape'])[] },
): Command<In> {
  return command;
}
