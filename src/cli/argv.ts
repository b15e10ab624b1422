import { parseArgs } from 'node:util';
import { prompts } from '../../prompts/index.ts';
import { operations } from '../../tools/index.ts';
import type { Command } from '../command.ts';
import { flagOf } from '../config/config.ts';
import { SETTINGS } from '../config/settings.ts';
import { AppError } from '../errors.ts';
import { didYouMean } from '../lib/likely.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../server/invoke.ts';
import type { Io } from './io.ts';
import { commandFlags, operationFlags } from './run.ts';

/** What the command line asks for. */
export type Asked =
  | { readonly kind: 'serve' | 'stdio' | 'help' }
  /** `call`, or the first word of several commands: only its help can be asked for. */
  | { readonly kind: 'group'; readonly name: string }
  | { readonly kind: 'operation'; readonly operation: Operation }
  | { readonly kind: 'command'; readonly command: Command };

/** The command line, read. */
export interface CommandLine {
  readonly asked: Asked;
  /** Flags by name: settings, `json`, `help`, `version`, and those of the operation or command. */
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
}

type Flags = Readonly<Record<string, { readonly type: string; readonly multiple?: boolean | undefined }>>;

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

/** Whether `args` start a server, so that nobody needs to know the commands. */
export function startsServer(args: readonly string[]): boolean {
  const [word] = wordsOf(plainBooleans(args, FLAGS));
  return word === undefined || word.value === 'serve' || word.value === 'stdio';
}

/**
 * What `args` ask for, flags before and after the command alike. AppError `bad_request` names the word or
 * flag that is not known. Where a server is started, `commands` may be empty.
 */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  io: Pick<Io, 'program' | 'stdin'>,
): CommandLine {
  const argv = plainBooleans(args, FLAGS);
  const { asked, rest } = findCommand(argv, commands, io);
  const own = ownFlags(asked);
  const options = { ...own, ...FLAGS };
  try {
    const { values, positionals, tokens } = parseArgs({
      args: plainBooleans(rest, options),
      options,
      allowPositionals: own !== undefined,
      allowNegative: true,
      tokens: true,
    });
    rejectTwice(tokens, options);
    if (asked.kind === 'group' && values.help !== true) throw lacksWord(asked.name, commands);
    return { asked, values: values as CommandLine['values'], positionals };
  } catch (cause) {
    throw cause instanceof AppError ? cause : flagError(cause as Error, asked, options);
  }
}

/** Flags of the operation or command; undefined for what takes no words either. */
function ownFlags(asked: Asked) {
  if (asked.kind === 'operation') return operationFlags(asked.operation);
  return asked.kind === 'command' ? commandFlags(asked.command) : undefined;
}

interface Token {
  readonly kind: string;
  readonly name?: string;
  readonly rawName?: string;
  readonly value?: string | undefined;
}

/** Of two values one would be lost without a word. A switch may be said again, and not unsaid. */
function rejectTwice(tokens: readonly Token[], options: Flags): void {
  const before = new Map<string, string>();
  for (const { kind, name = '', rawName = '', value } of tokens) {
    if (kind !== 'option' || options[name]?.multiple) continue;
    const said = rawName.startsWith('--no-') ? 'no' : 'yes';
    const earlier = before.get(name);
    if (earlier !== undefined && (value !== undefined || earlier !== said)) {
      throw new AppError('bad_request', `--${name} is given twice: it takes one value`);
    }
    before.set(name, said);
  }
}

function flagError(cause: Error, asked: Asked, options: object): AppError {
  const [why = ''] = cause.message.split('. To specify');
  const flag = /^Unknown option '--([^']+)'/.exec(why)?.[1];
  const meant = flag === undefined ? '' : didYouMean(flag, Object.keys(options), '--');
  return new AppError('bad_request', `${why}${meant}; magpie ${nameOf(asked)}--help lists the flags`, {
    cause,
  });
}

/** As it stands on the command line, with a space after it. */
function nameOf(asked: Asked): string {
  if (asked.kind === 'operation') return `${asked.operation.name} `;
  if (asked.kind === 'command') return `${asked.command.name} `;
  return asked.kind === 'group' ? `${asked.name} ` : asked.kind === 'help' ? '' : `${asked.kind} `;
}

/**
 * `--read-only=false` and `--read-only false` as parseArgs knows them: `--no-read-only`. Every yes-or-no flag of
 * `options` takes its value so; what follows `--` is left alone.
 */
function plainBooleans(argv: readonly string[], options: Flags): string[] {
  const isBoolean = (flag: string) => Object.hasOwn(options, flag) && options[flag]?.type === 'boolean';
  const end = argv.indexOf('--');
  const out: string[] = [];
  for (const word of argv.slice(0, end < 0 ? undefined : end)) {
    const [, flag = '', joined] = /^--([\w-]+)(?:=(true|false))?$/.exec(word) ?? [];
    const before = /^--(?!no-)([\w-]+)$/.exec(out.at(-1) ?? '')?.[1] ?? '';
    if (joined !== undefined && isBoolean(flag)) out.push(joined === 'true' ? `--${flag}` : `--no-${flag}`);
    else if ((word === 'true' || word === 'false') && isBoolean(before)) {
      if (word === 'false') out.splice(-1, 1, `--no-${before}`);
    } else out.push(word);
  }
  return end < 0 ? out : [...out, ...argv.slice(end)];
}

/** The first word is the command; `call <operation>` and the operation's own name are the same. */
function findCommand(
  argv: readonly string[],
  commands: readonly Command[],
  io: Pick<Io, 'program' | 'stdin'>,
): { asked: Asked; rest: string[] } {
  const words = wordsOf(argv);
  const [word, second] = words;
  if (!word) {
    const help = argv.includes('--help') || argv.includes('-h');
    return { asked: { kind: help ? 'help' : defaultCommand(io) }, rest: [...argv] };
  }
  const { value } = word;
  const without = (...taken: { index: number }[]) =>
    argv.filter((_, index) => !taken.some((one) => one.index === index));
  if (value === 'help' && second) {
    const { asked, rest } = findCommand(without(word), commands, io);
    return { asked, rest: [...rest, '--help'] };
  }
  if (value === 'serve' || value === 'stdio' || value === 'help') {
    return { asked: { kind: value }, rest: without(word) };
  }
  if (value === 'call') {
    if (!second) return { asked: { kind: 'group', name: value }, rest: without(word) };
    return { asked: { kind: 'operation', operation: named(second.value) }, rest: without(word, second) };
  }
  const pair = second && commands.find(({ name }) => name === `${value} ${second.value}`);
  if (pair) return { asked: { kind: 'command', command: pair }, rest: without(word, second) };
  const command = commands.find(({ name }) => name === value);
  if (command) return { asked: { kind: 'command', command }, rest: without(word) };
  const operation = operations.find(({ name }) => name === value);
  if (operation) return { asked: { kind: 'operation', operation }, rest: without(word) };
  if (!commands.some(({ name }) => name.startsWith(`${value} `)))
    throw unknownWord(value, commands, argv[word.index - 1]);
  if (second) throw unknownWord(`${value} ${second.value}`, commands);
  return { asked: { kind: 'group', name: value }, rest: without(word) };
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

function lacksWord(name: string, commands: readonly Command[]): AppError {
  const family = commands.filter((command) => command.name.startsWith(`${name} `));
  return new AppError(
    'bad_request',
    name === 'call'
      ? 'call takes an operation: magpie call <operation> --key value'
      : `${name} is followed by another word: ${family.map((command) => `magpie ${command.name}`).join(', ')}`,
  );
}

/** @param before the word on the command line before it, whose value it may be */
function unknownWord(value: string, commands: readonly Command[], before = ''): AppError {
  const flag = /^--(?!no-)([\w-]+)$/.exec(before)?.[1];
  if (flag !== undefined && !Object.hasOwn(FLAGS, flag)) {
    return flagError(new Error(`Unknown option '${before}'`), { kind: 'help' }, FLAGS);
  }
  const names = [...commands, ...operations].map(({ name }) => name);
  const groups = names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? name);
  const meant = didYouMean(value, [...names, ...groups, 'serve', 'stdio', 'call', 'help'], 'magpie ');
  const short = JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value);
  return new AppError(
    'bad_request',
    `there is no command ${short}${meant}; magpie --help lists what there is`,
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
function defaultCommand({ program, stdin }: Pick<Io, 'program' | 'stdin'>): 'stdio' | 'help' {
  return program.startsWith('magpie-mcp') || !stdin.isTTY ? 'stdio' : 'help';
}
