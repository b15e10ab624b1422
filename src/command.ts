import type { z } from 'zod';
import type { Config } from './config/config.ts';
import type { MachineEnvironment } from './lib/assistants/machine.ts';
import type { Operation, OperationContext } from './operation.ts';

export type { MachineEnvironment as Machine } from './lib/assistants/machine.ts';

export interface CommandContext extends Pick<OperationContext, 'caller' | 'services' | 'log' | 'progress'> {
  readonly machine: MachineEnvironment;
  readonly config: Config;
  /** Aborts at Ctrl-C or SIGTERM. The command then ends and keeps the finished part of its work. */
  readonly signal: AbortSignal;
  readonly json: boolean;
  stdin(): AsyncIterable<unknown>;
  pause(ms: number): Promise<void>;
  /** Returns MAGPIE_PDF_PASSWORD, or a password that the user types without an echo. */
  askPassword(file: string, tries: number): Promise<string | undefined>;
  /** Prints a line without its control characters. Resolves when the line is written. */
  print(line: string, tone?: TerminalTone): Promise<void>;
}

export type TerminalTone = 'alarm' | 'warning' | 'hint' | 'quiet';

/** Effect of a command. Read-only mode refuses `write` and `destroy`, but allows `access` (key changes). */
export type CommandEffect = Operation['effect'] | 'access';

/** `found`: a check found problems. `damaged`: stored data is damaged. `waiting`: stored texts are not embedded yet. */
export type CommandOutcome = 'done' | 'found' | 'damaged' | 'failed' | 'waiting' | 'partly' | 'stopped';

/** A terminal command that manages this installation. Assistants cannot call it. Each key of `input` is a flag. */
export interface Command<In extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  /** Keys of `input` that are positional arguments, in order. */
  readonly words: readonly string[];
  /** Exit code if the command fails. Default: 1. It is set only if exit code 1 has another meaning. */
  readonly failedExit?: number;
  readonly input: In;
  readonly examples: readonly (readonly [line: string, does: string])[];
  effect(input: z.output<In>): CommandEffect;
  /** True if the command stores texts. The program then embeds them before it ends. */
  readonly keepsTexts?: true;
  makesFolder?(input: z.output<In>): boolean;
  /** Returns a yes-or-no question for the user. `--yes` answers it, and is required without a terminal. */
  question?(input: z.output<In>, ctx: CommandContext): Promise<string | undefined>;
  run(input: z.output<In>, ctx: CommandContext): Promise<CommandOutcome>;
}

export function defineCommand<In extends z.ZodObject>(
  command: Command<In> & { readonly words: readonly (keyof In['shape'])[] },
): Command<In> {
  return command;
}
