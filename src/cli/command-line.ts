import { type ParseOptionsResult, Command as Parser } from 'commander';
import { prompts } from '../../prompts/index.ts';
import { operations } from '../../tools/index.ts';
import type { Command } from '../command.ts';
import { type AppError, badRequestError } from '../errors.ts';
import { didYouMeanParameter } from '../lib/did-you-mean-parameter.ts';
import { didYouMean } from '../lib/text/did-you-mean.ts';
import { takeCharacters } from '../lib/text/text.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../server/invoke.ts';
import { type CommandLine, type CommandLineRequest, defaultCommand } from './command-line-request.ts';
import { commandFlags, type Flag, GLOBAL_FLAGS, operationFlags } from './flags.ts';
import type { ProgramIo } from './io.ts';

/** Parses a command line. Throws AppError `bad_request` for an unknown word or flag. */
export function readCommandLine(
  args: readonly string[],
  commands: readonly Command[],
  io: Pick<ProgramIo, 'program' | 'stdin'>,
): CommandLine {
  let read: CommandLine | undefined;
  const root = new Word('magpie').withFlags(GLOBAL_FLAGS);
  const answer = (node: Word, asked: CommandLineRequest) => {
    read = { asked, values: node.optsWithGlobals(), positionals: node.args };
  };
  growTree(root, commands, answer, (words) => {
    read = readCommandLine([...words, '--help'], commands, io);
  });
  root.allowExcessArguments().action(() => {
    const [word] = root.args;
    if (word !== undefined) throw unknownWord(word, commands);
    answer(root, { kind: root.opts().help === true ? 'help' : defaultCommand(io) });
  });
  root.parse(args, { from: 'user' });
  if (read === undefined) throw new Error('the command line has no reader');
  return read;
}

const BUILT_IN = ['serve', 'stdio', 'completion', 'version', 'call', 'help'];

type Handler = (node: Word, asked: CommandLineRequest) => void;

function growTree(
  root: Word,
  commands: readonly Command[],
  answer: Handler,
  help: (words: readonly string[]) => void,
): void {
  for (const kind of ['serve', 'stdio', 'version'] as const) {
    const node = root.grow(kind);
    node.action(() => answer(node, { kind }));
  }
  const shells = root.grow('completion').allowExcessArguments();
  shells.action(() => answer(shells, { kind: 'completion', shell: shells.args[0] }));
  const helper = root.grow('help').allowExcessArguments();
  helper.action(() => {
    if (helper.args.length === 1 && helper.args[0] === 'settings') answer(helper, { kind: 'settings' });
    else if (helper.args.length > 0) help(helper.args);
    else answer(helper, { kind: 'help' });
  });

  const call = growGroup(root, 'call', answer, (word) => {
    const operation = word === undefined ? undefined : named(word);
    if (operation === undefined) {
      throw badRequestError('call takes an operation: magpie call <operation> --key value');
    }
  });
  call.onEnter(() => {
    for (const operation of operations) growOperation(call, operation, answer);
  });
  for (const command of commands) {
    const [first = '', second] = command.name.split(' ');
    const parent = second === undefined ? root : familyOf(root, first, commands, answer);
    const node = parent.grow(second ?? first).allowExcessArguments();
    node.onEnter(() => node.withFlags(commandFlags(command)));
    node.action(() => answer(node, { kind: 'command', command }));
  }
  const taken = new Set(root.commands.map((node) => node.name()));
  for (const operation of operations) if (!taken.has(operation.name)) growOperation(root, operation, answer);
}

function growOperation(parent: Word, operation: Operation, answer: Handler): void {
  const node = parent.grow(operation.name).allowExcessArguments();
  node.onEnter(() => node.withFlags(operationFlags(operation)));
  node.action(() => answer(node, { kind: 'operation', operation }));
}

function familyOf(root: Word, first: string, commands: readonly Command[], answer: Handler): Word {
  const known = root.commands.find((node) => node.name() === first);
  if (known !== undefined) return known as Word;
  return growGroup(root, first, answer, (word) => {
    if (word !== undefined) throw unknownWord(`${first} ${word}`, commands);
    const family = commands.filter(({ name }) => name.startsWith(`${first} `));
    throw badRequestError(
      `${first} is followed by another word: ${family.map(({ name }) => `magpie ${name}`).join(', ')}`,
    );
  });
}

function growGroup(root: Word, name: string, answer: Handler, refuse: (word: string | undefined) => void) {
  const node = root.grow(name).allowExcessArguments();
  node.action(() => {
    const [word] = node.args;
    if (word !== undefined || node.optsWithGlobals().help !== true) refuse(word);
    answer(node, { kind: 'group', name });
  });
  return node;
}

class Word extends Parser {
  readonly #flags = new Map<string, Flag>();

  #prepare = () => {};

  constructor(name: string) {
    super(name);
    this.helpOption(false).helpCommand(false).allowExcessArguments(false);
    this.hook('preSubcommand', (_parent, node) => {
      if (node instanceof Word) node.#prepare();
    });
  }

  grow(name: string): Word {
    const node = new Word(name);
    this.addCommand(node);
    return node;
  }

  onEnter(prepare: () => void): void {
    this.#prepare = prepare;
  }

  withFlags(flags: readonly Flag[]): this {
    for (const { name, kind, short } of flags) {
      this.#flags.set(name, { name, kind });
      const long = `${short === undefined ? '' : `-${short}, `}--${name}`;
      if (kind === 'switch') this.option(long).option(`--no-${name}`);
      else if (kind === 'value') {
        this.option<string>(`${long} <value>`, '', (value, before?: string) => once(name, value, before));
      } else {
        this.option<string[]>(`${long} <value>`, '', (value, before?: string[]) => [
          ...(before ?? []),
          value,
        ]);
      }
    }
    return this;
  }

  override parseOptions(args: string[]): ParseOptionsResult {
    return super.parseOptions(plainWords(args, this.#flags));
  }

  override error(message: string, { code = '' }: { code?: string } = {}): never {
    const [text = ''] = message.replace(/^error: /, '').split('\n');
    const flag = code === 'commander.unknownOption' ? /'--([^'=]+)/.exec(text)?.[1] : undefined;
    const meant =
      flag === undefined
        ? ''
        : didYouMeanParameter(flag, [...this.#flags.keys()], '--') || didYouMean(flag, this.#visible(), '--');
    throw badRequestError(`${text}${meant}; magpie ${this.#path()}--help lists the flags`);
  }

  #visible(): string[] {
    const parent = this.parent instanceof Word ? this.parent.#visible() : [];
    return [...this.#flags.keys(), ...parent];
  }

  #path(): string {
    if (!(this.parent instanceof Word)) return '';
    const before = this.parent.#path();
    return `${before === 'call ' ? '' : before}${this.name()} `;
  }
}

/** Rewrites switches: `--links=false` becomes `--no-links`. Throws `bad_request` for contradictory ones. */
function plainWords(args: readonly string[], flags: ReadonlyMap<string, Flag>): string[] {
  const end = args.indexOf('--');
  const words = end < 0 ? args : args.slice(0, end);
  const plain: string[] = [];
  const switches = new Map<string, boolean>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    const { flag, negated, joined } = flagIn(word, flags);
    if (flag?.kind !== 'switch') {
      if (flag !== undefined && joined === undefined && /^--\w/.test(next))
        throw badRequestError(
          `--${flag.name} needs a value, and ${next} looks like a flag; to give it as the value, write --${flag.name}=${next}`,
        );
      plain.push(word);
      continue;
    }
    const { name } = flag;
    const follows = !negated && joined === undefined && /^(true|false)$/.test(next);
    if (follows) at++;
    const on = switchState(name, negated, follows ? next : joined);
    if (switches.get(name) === !on) throw givenTwice(name);
    switches.set(name, on);
    plain.push(on ? `--${name}` : `--no-${name}`);
  }
  return end < 0 ? plain : [...plain, ...args.slice(end)];
}

function flagIn(word: string, flags: ReadonlyMap<string, Flag>) {
  const [, no, name = '', joined] = /^--(no-)?([\w-]+)(?:=(.*))?$/s.exec(word) ?? [];
  return { flag: flags.get(name), negated: no !== undefined, joined };
}

function switchState(name: string, negated: boolean, value: string | undefined): boolean {
  if (value === undefined) return !negated;
  if (!negated && /^(true|false)$/.test(value)) return value === 'true';
  throw badRequestError(`--${name} takes no value other than true or false`);
}

const givenTwice = (name: string): AppError =>
  badRequestError(`--${name} is given twice: it takes one value`);

function once(name: string, value: string, before: string | undefined): string {
  if (before !== undefined) throw givenTwice(name);
  return value;
}

function unknownWord(value: string, commands: readonly Command[]): AppError {
  const names = [...commands, ...operations].map(({ name }) => name);
  const groups = names.filter((name) => name.includes(' ')).map((name) => name.split(' ')[0] ?? name);
  const short = JSON.stringify(value.length > 80 ? `${takeCharacters(value, 80)}…` : value);
  const meant =
    ofParameter(value) ??
    ofOtherName(value) ??
    didYouMean(value, [...names, ...groups, ...BUILT_IN], 'magpie ');
  return badRequestError(`there is no command ${short}${meant}; magpie --help lists what there is`);
}

const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
  browse: ['open', 'read', 'fetch', 'get', 'visit', 'view', 'scrape', 'curl'],
  search: ['google', 'find', 'web', 'lookup'],
  upsert: ['remember', 'save', 'add', 'store', 'note'],
  query: ['ask', 'recall'],
};

function ofOtherName(word: string): string | undefined {
  if (/^https?:\/\//i.test(word)) return ` (did you mean magpie browse ${word.slice(0, 80)}?)`;
  const [name] = Object.entries(OTHER_WORDS).find(([, words]) => words.includes(word.toLowerCase())) ?? [];
  return name && ` (did you mean magpie ${name}?)`;
}

function ofParameter(word: string): string | undefined {
  const owner = operations.find(({ family, input }) => !family && Object.hasOwn(input.shape, word));
  return owner && word !== 'q' ? ` (did you mean magpie ${owner.name} --${word}?)` : undefined;
}

function named(name: string): Operation {
  try {
    return findOperation({ operations, prompts }, name);
  } catch (error) {
    throw badRequestError((error as AppError).message);
  }
}
