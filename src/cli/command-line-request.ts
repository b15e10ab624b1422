import type { Command } from '../command.ts';
import type { Operation } from '../operation.ts';
import type { ProgramIo } from './io.ts';

export type CommandLineRequest =
  | { readonly kind: 'serve' | 'stdio' }
  | { readonly kind: 'version' }
  | { readonly kind: 'help' | 'settings' }
  | { readonly kind: 'completion'; readonly shell: string | undefined }
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'command'; readonly command: Command };

export interface CommandLine {
  readonly asked: CommandLineRequest;
  readonly values: Readonly<Record<string, string | boolean | string[] | undefined>>;
  readonly positionals: readonly string[];
}

export const defaultCommand = ({ program, stdin }: Pick<ProgramIo, 'program' | 'stdin'>): 'stdio' | 'help' =>
  program.startsWith('magpie-mcp') || !stdin.isTTY ? 'stdio' : 'help';

/** Parses `serve` and `stdio` without the slow full parser. Returns undefined for other command lines. */
export function parseServerCommand(
  args: readonly string[],
  io: Pick<ProgramIo, 'program' | 'stdin'>,
): CommandLine | undefined {
  const [word = defaultCommand(io), ...rest] = args;
  if (rest.length > 0 || (word !== 'serve' && word !== 'stdio')) return undefined;
  return { asked: { kind: word }, values: {}, positionals: [] };
}
