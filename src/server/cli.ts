import { type parseArgs, styleText } from 'node:util';
import type { Caller } from '../caller.ts';
import { AppError, asAppError } from '../errors.ts';
import type { Operation } from '../operation.ts';
import { inputSchema, takes } from './input.ts';
import { invoke, type Pipe } from './invoke.ts';

/** Exit codes: 0 done, 1 failed, 2 the command line is wrong, 130 stopped by Ctrl-C. */
export const EXIT = { done: 0, failed: 1, usage: 2, stopped: 130 } as const;

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** An operation's flags, read from its input: every value is text, decoded by the same schema as a query string. */
export function operationFlags(operation: Operation): Options {
  const names = Object.keys(inputSchema(operation).properties ?? {});
  return Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
}

export interface Command {
  readonly operation: Operation;
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
  readonly json: boolean;
  readonly signal: AbortSignal;
}

export interface Terminal {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Runs one operation for a person or a script; resolves with the exit code. */
export async function runCommand(
  pipe: Pipe,
  caller: Caller,
  command: Command,
  { stdout, stderr }: Terminal,
): Promise<number> {
  const status = progressLine(stderr);
  try {
    const answer = await invoke(pipe, {
      operation: command.operation.name,
      input: commandInput(command),
      caller,
      signal: command.signal,
      unknown: 'reject',
      progress: status.show,
    });
    status.clear();
    const text = command.json ? answer.json : forPeople(answer.text('person'), stdout);
    await write(stdout, `${text}\n`);
    return EXIT.done;
  } catch (thrown) {
    status.clear();
    return failWith(thrown, stderr, command.json);
  }
}

/** Says on stderr what went wrong; resolves with the exit code. */
export async function failWith(thrown: unknown, stderr: NodeJS.WriteStream, json = false): Promise<number> {
  const error = asAppError(thrown);
  const text = json ? JSON.stringify({ error: error.message }) : `magpie: ${error.message}`;
  await write(stderr, `${stderr.isTTY && !json ? styleText('red', text) : text}\n`);
  if (error.code === 'cancelled') return EXIT.stopped;
  return error.code === 'bad_request' ? EXIT.usage : EXIT.failed;
}

/** Words after the command are `q`; values not given take the contract's start values. */
function commandInput({ operation, values, positionals }: Command): Record<string, unknown> {
  const input: Record<string, unknown> = { ...operation.start };
  const first = Object.keys(inputSchema(operation).properties ?? {})[0];
  if (positionals.length > 0) {
    if (first === undefined) {
      throw new AppError(
        'bad_request',
        `${operation.name} takes no words, and got ${JSON.stringify(positionals[0])}`,
      );
    }
    if (positionals.length > 1 && inputSchema(operation).properties?.[first]?.format === 'uri') {
      throw new AppError(
        'bad_request',
        `${operation.name} takes one address, and got ${positionals.length} words`,
      );
    }
    input[first] = positionals.join(' ');
  }
  for (const [name, value] of Object.entries(values)) if (value !== undefined) input[name] = value;
  return input;
}

/** The help of one command: its flags, what each takes, where it starts. */
export function commandHelp(operation: Operation): string {
  const { properties = {}, required = [] } = inputSchema(operation);
  const start = (operation.start ?? {}) as Record<string, unknown>;
  const [first] = Object.keys(properties);
  const rows = Object.entries(properties).map(([name, schema]) => {
    const value =
      start[name] !== undefined
        ? `, ${start[name]} when left out`
        : required.includes(name)
          ? ''
          : ', optional';
    const about = schema.description ? `. ${schema.description}` : '';
    return `  --${name.padEnd(18)} ${takes(schema)}${value}${about}`;
  });
  return [
    `magpie ${operation.name}${first ? ` <${first}>` : ''} [flags]`,
    '',
    operation.description,
    '',
    ...rows,
    '  --json               the answer as JSON, for scripts',
  ].join('\n');
}

/** One line on a terminal that says what is going on, once it has gone on for a while; nothing elsewhere. */
function progressLine(stderr: NodeJS.WriteStream): { show(message: string): void; clear(): void } {
  if (!stderr.isTTY) return { show() {}, clear() {} };
  let latest = '';
  let shown = false;
  const draw = () => {
    shown = true;
    stderr.write(`\r\u001b[K${latest.slice(0, (stderr.columns || 80) - 1)}`);
  };
  const timer = setTimeout(draw, 500);
  return {
    show(message) {
      latest = message;
      if (shown) draw();
    },
    clear() {
      clearTimeout(timer);
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}

/** On a terminal headings stand out; text that goes elsewhere is left alone, and control characters never pass. */
function forPeople(text: string, stdout: NodeJS.WriteStream): string {
  const safe = text.replace(/(?![\n\t])\p{Cc}/gu, '');
  return stdout.isTTY ? safe.replace(/^#{1,6} .*$/gm, (heading) => styleText('bold', heading)) : safe;
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
