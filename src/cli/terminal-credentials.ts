import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { AppError, badRequestError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { decodeInput, inputSchema } from '../server/input.ts';
import type { OperationCall, OperationPipeline } from '../server/invoke.ts';
import type { Terminal } from './terminal.ts';

const FROM_INPUT = '-';

/** Reads passwords and tokens from standard input, because other users can see command lines. */
export async function addTerminalCredentials(
  pipe: OperationPipeline,
  call: OperationCall,
  operation: Operation,
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
): Promise<OperationCall> {
  const { secret = [] } = operation;
  const given = secret.filter((name) => call.input[name] === FROM_INPUT);
  const person = terminal.stdin.isTTY === true && terminal.stderr.isTTY === true;
  const rest = Object.fromEntries(Object.entries(call.input).filter(([name]) => !given.includes(name)));
  const { caller } = call;
  const { services } = pipe;
  const { signal } = call;
  const meant = decodeInput(inputSchema(operation), rest, 'assistant');
  const { credentials = {} } =
    (person && (await operation.lacks?.(meant, { caller, services, signal }))) || {};
  const names = secret.filter((name) => given.includes(name) || credentials[name] !== undefined);
  if (names.length === 0) return call;
  const questions = names.map((name) => [name, credentials[name]] as const);
  const values = await readLines(questions, person, signal, terminal);
  return { ...call, input: { ...rest, ...values } };
}

/** Asks for a password without an echo, at a terminal only. Throws AppError `cancelled` at Ctrl-C. */
export async function askForPassword(
  file: string,
  signal: AbortSignal,
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
): Promise<string | undefined> {
  if (terminal.stdin.isTTY !== true || terminal.stderr.isTTY !== true) return undefined;
  const name = `password of ${file}`;
  return (await readLines([[name, undefined]], true, signal, terminal))[name];
}

async function readLines(
  questions: readonly (readonly [name: string, words: string | undefined])[],
  person: boolean,
  signal: AbortSignal,
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
): Promise<Record<string, string>> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({
    input: stdin,
    ...(person && { output: nowhere, terminal: true, historySize: 0 }),
  });
  let stopped = false;
  const stop = () => {
    stopped = true;
    lines.close();
  };
  lines.once('SIGINT', stop);
  signal.addEventListener('abort', stop, { once: true });
  const values: Record<string, string> = {};
  try {
    const typed = lines[Symbol.asyncIterator]();
    for (const [name, words] of questions) {
      if (person) stderr.write(`${name}${words === undefined ? '' : `, ${words}`} (not shown): `);
      const { value, done } = await typed.next();
      if (person) stderr.write('\n');
      if (stopped) throw new AppError('cancelled', 'the call was cancelled');
      if (done === true) throw badRequestError(`${name} is required, and standard input ended before it`);
      values[name] = value;
    }
    return values;
  } finally {
    signal.removeEventListener('abort', stop);
    lines.close();
  }
}
