import type { z } from 'zod';
import type { Caller } from './caller.ts';
import type { Config, Environment } from './config/config.ts';
import type { Logger } from './log.ts';
import type { Operation } from './operation.ts';
import type { Services } from './wiring/services.ts';

/** The machine that a command runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Environment;
  /** Path of the node program that runs this. */
  readonly node: string;
}

/** What a command gets besides its input. */
export interface CommandContext {
  readonly caller: Caller;
  readonly services: Services;
  readonly log: Logger;
  readonly machine: Machine;
  readonly config: Config;
  /** Aborted by Ctrl-C and SIGTERM: the command ends cleanly and keeps what is done. */
  readonly signal: AbortSignal;
  /** The answer is wanted as JSON, for scripts. */
  readonly json: boolean;
  /** Standard input, opened when it is asked for. */
  stdin(): AsyncIterable<unknown>;
  /** Shows the person at the terminal how far the work is; cheap to call often. */
  progress(message: string): void;
  /** Resolves after so many milliseconds, or once `signal` is aborted. */
  pause(ms: number): Promise<void>;
  /**
   * The password of an encrypted file: the one of MAGPIE_PDF_PASSWORD at the first try, and then what the person at the terminal
   * types without an echo; undefined where neither is there.
   */
  askPassword(file: string, tries: number): Promise<string | undefined>;
  /**
   * A line of the answer, on stdout without control characters, in its tone on a terminal; resolves once it is
   * written.
   */
  print(line: string, tone?: Tone): Promise<void>;
}

/** How a line stands out for a person. */
export type Tone = 'alarm' | 'warning' | 'hint' | 'quiet';

/**
 * What a command does: `write` and `destroy` change what is kept, and --read-only refuses them; `access` changes
 * keys, which a server that only reads wants as well.
 */
export type CommandEffect = Operation['effect'] | 'access';

/**
 * How a command ended, as its exit code says to a script. `found`: there is something that should not be there.
 * `damaged`: what is kept has damage that is left, or something of it is lost.
 * `waiting`: what was asked is kept, and a part of it waits for what cannot be reached now. `partly`: a part of it could not be done.
 */
export type Outcome = 'done' | 'found' | 'damaged' | 'failed' | 'waiting' | 'partly' | 'stopped';

/**
 * A command of the terminal that is not an operation: it manages this installation, and no assistant may call
 * it. Its help, its flags and the errors about them are read from this. A flag is a key of `input` in
 * kebab-case; a boolean takes no value, a list may be given several times.
 */
export interface Command<In extends z.ZodObject = z.ZodObject> {
  /** One word, or two: `kb export`. */
  readonly name: string;
  /** One line, for `magpie --help`. */
  readonly summary: string;
  /** What it does and how it ends, for its own help. */
  readonly description: string;
  /** Keys of `input` that the words after the name stand for, in order. */
  readonly words: readonly string[];
  /** Exit code of a failure where 1 means something else. */
  readonly failedExit?: number;
  readonly input: In;
  /** Command lines with what each does. */
  readonly examples: readonly (readonly [line: string, does: string])[];
  effect(input: z.output<In>): CommandEffect;
  /** It keeps texts and does not wait for their vectors itself: the program waits before it ends. */
  readonly keepsTexts?: true;
  /** Makes a data folder that is missing although its effect is `read`: it keeps what it finds, or reads nothing of the folder. */
  makesFolder?(input: z.output<In>): boolean;
  /**
   * What a person is asked before it runs, to answer yes or no; undefined when there is nothing to ask. `--yes`
   * answers it, and is needed without a terminal.
   */
  question?(input: z.output<In>, ctx: CommandContext): Promise<string | undefined>;
  /** Throws AppError for what a person must know. */
  run(input: z.output<In>, ctx: CommandContext): Promise<Outcome>;
}

/** Checks a declaration's types where it is written; the list holds commands of every input. */
export function defineCommand<In extends z.ZodObject>(
  command: Command<In> & { readonly words: readonly (keyof In['shape'])[] },
): Command<In> {
  return command;
}
