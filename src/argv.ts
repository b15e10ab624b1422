import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { prompts } from '../prompts/index.ts';
import { operations } from '../tools/index.ts';
import type { Command } from './command.ts';
import { commands } from './commands/index.ts';
import { flagOf } from './config.ts';
import { AppError } from './errors.ts';
import type { Operation } from './operation.ts';
import { commandFlags, operationFlags } from './server/cli.ts';
import { findOperation } from './server/invoke.ts';
import { SETTINGS } from './settings.ts';

/** What the command line asks for. */
export type Asked =
  | { readonly kind: 'serve' | 'stdio' | 'help' }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'command'; readonly command: Command };

/** The command line, read. */
export interface CommandLine {
  readonly asked: Asked;
  /** Flags by name: settings, `json`, `help`, `version`, and those of the operation or command. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

const FLAGS = {
  ...Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { takes }]) => [
      flagOf(name),
      { type: takes === 'true or false' ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
  config: { type: 'string' as const },
  json: { type: 'boolean' as const },
  help: { type: 'boolean' as const, short: 'h' },
  version: { type: 'boolean' as const, short: 'v' },
};

/**
 * What `args` ask for, flags before and after the command alike. AppError `bad_request` names the word or
 * flag that is not known.
 */
export function readCommandLine(args: readonly string[]): CommandLine {
  const argv = plainBooleans(args);
  const { asked, rest } = findCommand(argv);
  const own =
    asked.kind === 'operation'
      ? operationFlags(asked.operation)
      : asked.kind === 'command'
        ? commandFlags(asked.command)
        : undefined;
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      options: { ...own, ...FLAGS },
      allowPositionals: own !== undefined,
      allowNegative: true,
    });
    return { asked, values: values as CommandLine['values'], positionals };
  } catch (cause) {
    const why = (cause as Error).message.split('. To specify')[0];
    const where = asked.kind === 'command' ? `magpie ${asked.command.name} --help` : 'magpie --help';
    throw new AppError('bad_request', `${why}; ${where} lists the flags`, { cause });
  }
}

/** `--read-only=false` and `--read-only false` as parseArgs knows them: `--no-read-only`. */
function plainBooleans(argv: readonly string[]): string[] {
  const out: string[] = [];
  for (const word of argv) {
    const [, flag = '', joined] = /^--([a-z-]+)(?:=(true|false))?$/.exec(word) ?? [];
    const before = /^--(?!no-)([a-z-]+)$/.exec(out.at(-1) ?? '')?.[1] ?? '';
    if (joined !== undefined && isBoolean(flag)) out.push(joined === 'true' ? `--${flag}` : `--no-${flag}`);
    else if ((word === 'true' || word === 'false') && isBoolean(before)) {
      if (word === 'false') out.splice(-1, 1, `--no-${before}`);
    } else out.push(word);
  }
  return out;
}

function isBoolean(flag: string): boolean {
  return (FLAGS as Record<string, { type: string }>)[flag]?.type === 'boolean';
}

/** The first word is the command; `call <operation>` and the operation's own name are the same. */
function findCommand(argv: readonly string[]): { asked: Asked; rest: string[] } {
  const words = wordsOf(argv);
  const [word, second] = words;
  if (!word) return { asked: { kind: defaultCommand() }, rest: [...argv] };
  const { value } = word;
  const without = (...taken: { index: number }[]) =>
    argv.filter((_, index) => !taken.some((one) => one.index === index));
  if (value === 'serve' || value === 'stdio' || value === 'help') {
    return { asked: { kind: value }, rest: without(word) };
  }
  if (value === 'call') {
    if (!second) {
      throw new AppError('bad_request', 'call takes an operation: magpie call <operation> --key value');
    }
    return { asked: { kind: 'operation', operation: named(second.value) }, rest: without(word, second) };
  }
  const pair = second && commands.find(({ name }) => name === `${value} ${second.value}`);
  if (pair) return { asked: { kind: 'command', command: pair }, rest: without(word, second) };
  const command = commands.find(({ name }) => name === value);
  if (command) return { asked: { kind: 'command', command }, rest: without(word) };
  const operation = operations.find(({ name }) => name === value);
  if (operation) return { asked: { kind: 'operation', operation }, rest: without(word) };
  throw unknownWord(value);
}

/**
 * The words among flags, with their places. Flags of a command that stand before its name are not known yet,
 * so a value after one of them would be taken for the name: flags of its own stand after it.
 */
function wordsOf(argv: readonly string[]): { value: string; index: number }[] {
  const { tokens } = parseArgs({
    args: [...argv],
    options: FLAGS,
    strict: false,
    allowPositionals: true,
    allowNegative: true,
    tokens: true,
  });
  return tokens.filter((token) => token.kind === 'positional');
}

function unknownWord(value: string): AppError {
  const family = commands.filter(({ name }) => name.startsWith(`${value} `)).map(({ name }) => name);
  return new AppError(
    'bad_request',
    family.length > 0
      ? `${value} is followed by another word: ${family.map((name) => `magpie ${name}`).join(', ')}`
      : `there is no command ${JSON.stringify(value)}; magpie --help lists what there is`,
  );
}

function named(name: string): Operation {
  try {
    return findOperation({ operations, prompts }, name);
  } catch (error) {
    throw new AppError('bad_request', (error as AppError).message);
  }
}

/** Desktop clients start the bin with no command and talk over its pipes; a person at a terminal gets the help. */
function defaultCommand(): 'stdio' | 'help' {
  const asked = basename(process.argv[1] ?? '').startsWith('magpie-mcp');
  return asked || !process.stdin.isTTY ? 'stdio' : 'help';
}
