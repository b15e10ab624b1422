import { setTimeout } from 'node:timers/promises';
import type { Caller } from '../caller.ts';
import type { Command, CommandContext } from '../command.ts';
import { type AppError, badRequestError, notFoundError, tooLargeError } from '../errors.ts';
import { waitUnlessAborted } from '../lib/concurrency/deadline.ts';
import { redactSecrets } from '../lib/secrets/redact.ts';
import type { Operation, UserConsent } from '../operation.ts';
import { type InputDeclaration, inputSchema, parseInput } from '../server/input.ts';
import {
  findConsentQuestion,
  invokeOperation,
  type OperationCall,
  type OperationPipeline,
  readOnlyError,
} from '../server/invoke.ts';
import type { ProgramInput } from './io.ts';
import {
  askYesNo,
  createProgressLine,
  EXIT_CODE,
  type ProgressLine,
  printError,
  styleForTerminal,
  type Terminal,
  writeToStream,
} from './terminal.ts';
import { addTerminalCredentials, askForPassword } from './terminal-credentials.ts';

export interface GivenArguments {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

export async function runOperation(
  pipe: OperationPipeline,
  caller: Caller,
  operation: Operation,
  given: GivenArguments,
  terminal: Terminal,
): Promise<number> {
  const status = createProgressLine(terminal);
  underWay(status, operation.name, terminal);
  try {
    const onLine = operationInput(operation, given);
    const input = await addStandardInput(operation, onLine, () => terminal.stdin, given.signal);
    const asked: OperationCall = {
      operation: operation.name,
      input,
      caller,
      signal: given.signal,
      unknown: 'reject',
      progress: status.show,
      wishes: { whole: true, later: false },
    };
    if (operation.secret) status.clear();
    const call = await addTerminalCredentials(pipe, asked, operation, terminal);
    const consent = given.values.yes === true ? 'yes' : await consentOf(pipe, call, terminal, status);
    const answer = await invokeOperation(pipe, { ...call, consent });
    status.clear();
    const missed = operation.missed?.(answer.output) === true;
    if (missed && !given.json) throw notFoundError(answer.text('person'));
    const text = given.json ? answer.json : styleForTerminal(answer.text('person'), terminal);
    await writeToStream(terminal.stdout, `${text}\n`);
    return missed ? EXIT_CODE.failed : EXIT_CODE.done;
  } catch (thrown) {
    status.clear();
    return printError(thrown, terminal, given.json);
  }
}

function underWay(status: ProgressLine, name: string, { stderr }: Terminal): void {
  if (stderr.isTTY) status.show(`${name} is under way`);
}

async function consentOf(
  pipe: OperationPipeline,
  call: OperationCall,
  terminal: Terminal,
  status: ProgressLine,
): Promise<UserConsent> {
  const question = await findConsentQuestion(pipe, call);
  if (question === undefined) return 'unasked';
  status.clear();
  return (await agrees(call.operation, question, terminal, call.signal)) ? 'yes' : 'no';
}

async function agrees(name: string, question: string, terminal: Terminal, signal: AbortSignal) {
  if (terminal.stdin.isTTY && terminal.stderr.isTTY) return askYesNo(question, terminal, signal);
  throw badRequestError(`${name} asks for confirmation, and there is no terminal to ask at: --yes confirms`);
}

/** Resolves to the exit code. A command that changes data fails if the configuration is read-only. */
export async function runCommand(
  command: Command,
  given: GivenArguments,
  context: Pick<CommandContext, 'caller' | 'services' | 'log' | 'machine' | 'config'>,
  terminal: Terminal,
): Promise<number> {
  const status = createProgressLine(terminal, { unattended: true });
  underWay(status, command.name, terminal);
  try {
    const input = parseInput(command, commandInput(command, given), 'reject');
    const effect = command.effect(input);
    const { readOnly, pdfPassword } = context.config;
    if (readOnly && (effect === 'write' || effect === 'destroy')) throw readOnlyError(command.name);
    if (effect === 'read' && !command.makesFolder?.(input)) context.services.lifecycle.onlyRead();
    const ctx: CommandContext = {
      ...context,
      signal: given.signal,
      json: given.json,
      stdin: () => terminal.stdin,
      progress: status.show,
      pause: (ms) => setTimeout(ms, undefined, { signal: given.signal }).catch(() => {}),
      async askPassword(file, tries) {
        if (tries === 1 && pdfPassword !== undefined) return pdfPassword;
        status.clear();
        return askForPassword(file, given.signal, terminal);
      },
      async print(line, tone) {
        status.clear();
        await writeToStream(
          terminal.stdout,
          `${given.json ? line : styleForTerminal(line, terminal, tone)}\n`,
        );
      },
    };
    const question = given.values.yes === true ? undefined : await command.question?.(input, ctx);
    if (question !== undefined) status.clear();
    if (question !== undefined && !(await agrees(command.name, question, terminal, given.signal))) {
      await ctx.print(given.json ? '{"done":false}' : 'Nothing was done.');
      return EXIT_CODE.done;
    }
    const outcome = await command.run(input, ctx);
    status.clear();
    return EXIT_CODE[outcome];
  } catch (thrown) {
    status.clear();
    const code = await printError(thrown, terminal, given.json);
    return code === EXIT_CODE.failed ? (command.failedExit ?? code) : code;
  }
}

function operationInput(operation: Operation, { values, positionals }: GivenArguments) {
  const input: Record<string, unknown> = { ...operation.start };
  const first = Object.keys(inputSchema(operation).properties ?? {})[0];
  if (positionals.length > 0) {
    if (first === undefined) throw takesNoWords(operation, positionals);
    if (positionals.length > 1 && inputSchema(operation).properties?.[first]?.format === 'uri') {
      throw badRequestError(
        `${operation.name} takes one address, and got ${positionals.length} words: ${positionals.join(' ').slice(0, 200)}`,
      );
    }
    input[first] = positionals.join(' ');
  }
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || (name === 'yes' && operation.question)) continue;
    input[name] = Array.isArray(value) ? value.join(',') : value;
  }
  return input;
}

function commandInput(command: Command, { values, positionals }: GivenArguments): Record<string, unknown> {
  const { words, input } = command;
  if (words.length === 0 && positionals.length > 0) throw takesNoWords(command, positionals);
  const { type } = inputSchema(command).properties?.[words.at(-1) ?? ''] ?? {};
  if (positionals.length > words.length && type !== 'array') {
    const wanted = words.map((name) => `<${name}>`).join(' ');
    throw badRequestError(
      `${command.name} takes ${wanted}, and got ${positionals.length} words; a name with spaces stands in quotes`,
    );
  }
  const named = Object.keys(input.shape).map((name) => [name, values[name]]);
  const last = words.length - 1;
  const byPlace =
    type === 'array'
      ? [
          ...positionals.slice(0, last).map((word, index) => [words[index], word]),
          [words[last], restOf(positionals, last)],
        ]
      : positionals.map((word, index) => [words[index], word]);
  return Object.fromEntries([...named, ...byPlace].filter(([, value]) => value !== undefined));
}

const restOf = (words: readonly string[], from: number): readonly string[] | undefined =>
  words.length > from ? words.slice(from) : undefined;

function takesNoWords({ name }: InputDeclaration, positionals: readonly string[]): AppError {
  const word = redactSecrets(JSON.stringify(positionals[0]));
  return badRequestError(`${name} takes no words, and got ${word}`);
}

const FROM_INPUT = '-';
const MAX_BYTES = 2_000_000;

/** Reads the first parameter from standard input if it is `-`, or if a `piped` operation lacks it. */
async function addStandardInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
  stdin: () => ProgramInput,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { properties = {} } = inputSchema(operation);
  const [first] = Object.keys(properties);
  if (first === undefined || properties[first]?.type !== 'string') return { ...input };
  const { piped } = operation;
  const wanted = piped !== undefined && !piped.unless.some((name) => input[name] !== undefined);
  const left = input[first] === undefined && wanted && stdin().isTTY !== true;
  if (input[first] !== FROM_INPUT && !left) return { ...input };
  const other = operation.secret?.find((name) => input[name] === FROM_INPUT);
  if (other !== undefined) {
    throw badRequestError(`${first} and ${other} both read standard input (-), and only one can`);
  }
  const text = await waitUnlessAborted(readText(stdin()), signal);
  // Removes the line end that commands such as `echo` add.
  const given = text.replace(/\r?\n$/, '');
  if (given === '') throw badRequestError(`${first} is required, and standard input is empty`);
  return { ...input, [first]: given };
}

async function readText(stdin: ProgramInput): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const piece = Buffer.from(chunk as Buffer | string);
    bytes += piece.length;
    if (bytes > MAX_BYTES) {
      throw tooLargeError(`standard input is over ${MAX_BYTES} bytes: give less, or in pieces`);
    }
    chunks.push(piece);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw badRequestError('standard input is not text in UTF-8', { cause });
  }
}
