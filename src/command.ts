import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Config, Environment } from './config/config.ts';
import type { Logger } from './log.ts';
import type { Operation } from './operation.ts';
import type { Services } from './wiring/services.ts';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** Path of the Node.js executable. */
  readonly node: string;
}

export interface CommandContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly log: Logger;
  readonly machine: Machine;
  readonly config: Config;
  /** Aborts at Ctrl-C and SIGTERM. The command then ends cleanly and keeps what it has done. */
  readonly signal: AbortSignal;
  /** True if the output must be JSON, for scripts. */
  readonly json: boolean;
  /** Returns standard input, which is opened only when this is called. */
  stdin(): AsyncIterable<unknown>;
  /** Shows progress to the user at the terminal. It may be called often. */
  progress(message: string): void;
  /** Resolves after `ms` milliseconds, or earlier if `signal` aborts. */
  pause(ms: number): Promise<void>;
  /**
   * Returns a password for an encrypted file: first that of MAGPIE_PDF_PASSWORD, then the one that the user types without echo.
   * Undefined if there is neither.
   */
  askPassword(file: string, tries: number): Promise<string | undefined>;
  /**
   * Prints a line to stdout without control characters; on a terminal, `tone` gives it a colour. Resolves once the line is
   * written.
   */
  print(line: string, tone?: Tone): Promise<void>;
}

/** Emphasis of a line at the terminal. */
export type Tone = 'alarm' | 'warning' | 'hint' | 'quiet';

/**
 * Effect of a command. `write` and `destroy` change stored data and are refused with --read-only. `access` changes keys, which is
 * allowed on a read-only server too.
 */
export type CommandEffect = Operation['effect'] | 'access';

/**
 * Result of a command, which determines its exit code. `found`: something was found that should not exist. `damaged`: stored data
 * is damaged or partly lost. `waiting`: the data is stored, but a part of the work waits for a service that cannot be reached
 * now. `partly`: a part could not be done.
 */
export type Outcome = 'done' | 'found' | 'damaged' | 'failed' | 'waiting' | 'partly' | 'stopped';

/**
 * A terminal command that is not an operation: it manages this installation, and no assistant may call it. Its help, flags and
 * error messages are generated from this declaration. Each key of `input` is a flag in kebab-case; a boolean takes no value, and
 * a list may be given several times.
 */
export interface Command<In extends z.ZodObject = z.ZodObject> {
  /** Name of one or two words, such as `kb export`. */
  readonly name: string;
  /** One line for `magpie --help`. */
  readonly summary: string;
  /** What the command does and how it ends, for its own help text. */
  readonly description: string;
  /** Keys of `input` that the positional arguments stand for, in order. */
  readonly words: readonly string[];
  /** Exit code of a failure, for commands in which 1 has another meaning. */
  readonly failedExit?: number;
  readonly input: In;
  /** Command lines, each with what it does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  effect(input: z.output<In>): CommandEffect;
  /** True if the command stores texts without waiting for their embeddings. The program then waits for them before it ends. */
  readonly keepsTexts?: true;
  /** True if a missing data folder is created although the effect is `read`: the command stores results, or does not read it. */
  makesFolder?(input: z.output<In>): boolean;
  /**
   * Returns a yes-or-no question to ask the user before the run, or undefined if there is nothing to ask. `--yes` answers it, and
   * is required without a terminal.
   */
  question?(input: z.output<In>, ctx: CommandContext): Promise<string | undefined>;
  /** Runs the command. Throws AppError with a message for the user. */
  run(input: z.output<In>, ctx: CommandContext): Promise<Outcome>;
}

/** Checks the types of a declaration. The list of commands can then hold commands with any input. */
export function defineCommand<In extends z.ZodObject>(
  command: Command<In> & { readonly words: readonly (keyof In['shape'])[] },
): Command<In> {
  return command;
}
