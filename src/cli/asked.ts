import type { Command } from '../command.ts';
import type { Operation } from '../operation.ts';
import type { Io } from './io.ts';

/** What the command line asks for. */
export type Asked =
  | { readonly kind: 'serve' | 'stdio' }
  | { readonly kind: 'version' }
  /** What there is, and every setting. */
  | { readonly kind: 'help' | 'settings' }
  /** The script that completes command lines in this shell. */
  | { readonly kind: 'completion'; readonly shell: string | undefined }
  /** `call`, or the first word of several commands: only its help can be asked for. */
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'command'; readonly command: Command };

/** The command line, read. */
export interface CommandLine {
  readonly asked: Asked;
  /** Flags by name: settings and keys of an input as they are declared, `json`, `help`, `version`, `yes`. */
  readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly positionals: readonly string[];
}

/** Desktop clients start the program with no command and talk over its pipes; a person at a terminal gets the help. */
export function defaultCommand({ program, stdin }: Pick<Io, 'program' | 'stdin'>): 'stdio' | 'help' {
  return program.startsWith('magpie-mcp') || !stdin.isTTY ? 'stdio' : 'help';
}

/** A command line that starts a server and says nothing else, read without the parser: most starts have one. */
export function readServerStart(
  args: readonly string[],
  io: Pick<Io, 'program' | 'stdin'>,
): CommandLine | undefined {
  const [word = defaultCommand(io), ...rest] = args;
  if (rest.length > 0 || (word !== 'serve' && word !== 'stdio')) return undefined;
  return { asked: { kind: word }, values: {}, positionals: [] };
}
