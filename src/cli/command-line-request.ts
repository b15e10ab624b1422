import type { Command } from '../command.ts';
import type { Operation } from '../operation.ts';
import type { Io } from './io.ts';

export type CommandLineRequest =
  | { readonly kind: 'serve' | 'stdio' }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' | 'settings' }
  | { readonly kind: 'completion'; readonly shell: string | undefined }
  /** A word that only begins commands, such as `kb`, followed by `--help`. The program prints the help of these commands. */
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'command'; readonly command: Command };

export interface CommandLine {
  readonly asked: CommandLineRequest;
  /** Values of the flags by the name of their setting or input, and of the flags `json`, `help`, `version` and `yes`. */
  readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly positionals: readonly string[];
}

/** Returns the command if the user names none. Desktop clients start the program with pipes; at a terminal it shows the help. */
export function defaultCommand({ program, stdin }: Pick<Io, 'program' | 'stdin'>): 'stdio' | 'help' {
  return program.startsWith('magpie-mcp') || !stdin.isTTY ? 'stdio' : 'help';
}

/** Reads a command line that only starts a server. It avoids loading the parser, because most starts are of a server. */
export function readServerStart(
  args: readonly string[],
  io: Pick<Io, 'program' | 'stdin'>,
): CommandLine | undefined {
  const [word = defaultCommand(io), ...rest] = args;
  if (rest.length > 0 || (word !== 'serve' && word !== 'stdio')) return undefined;
  return { asked: { kind: word }, values: {}, positionals: [] };
}
