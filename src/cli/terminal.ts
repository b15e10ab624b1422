import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { Tone } from '../command.ts';
import { isDumbTerminal } from '../config/config.ts';
import { asAppError } from '../errors.ts';
import { reasonAtTerminal } from '../lib/reason-at-terminal.ts';
import type { Input, Io, Output } from './io.ts';

/** Exit codes: 0 done, 1 failed or found, 2 the command line is wrong, 3 done in part, 130 stopped by Ctrl-C. */
export const EXIT = {
  done: 0,
  failed: 1,
  found: 1,
  usage: 2,
  waiting: 3,
  partly: 3,
  damaged: 3,
  stopped: 130,
} as const;

/** Where a person or a script reads. */
export interface Terminal {
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** It knows no control codes: lines are only ever added, without colour. */
  readonly dumb: boolean;
}

/** The terminal of a run; its input is opened when a question is asked. */
export function createTerminal(io: Io): Terminal {
  return {
    get stdin() {
      return io.stdin;
    },
    stdout: io.stdout,
    stderr: io.stderr,
    dumb: isDumbTerminal(io.env),
  };
}

/** Shows how far the work is. */
export interface Progress {
  show(message: string): void;
  /** Before an answer is written, and at the end of the work. */
  clear(): void;
}

/** Milliseconds of work before its first message. */
const FIRST_MESSAGE_MS = 500;
/** Milliseconds between two changes of a line that is rewritten. */
const REDRAW_INTERVAL_MS = 100;
/** Milliseconds between two lines where lines can only be added. */
const LINE_INTERVAL_MS = 5000;

/**
 * On a terminal one line that is rewritten; on a dumb one, lines from time to time. Elsewhere (a file, a
 * pipe) nothing, or with `unattended` lines from time to time, for work that takes long.
 */
export function progressLine({ stderr, dumb }: Terminal, { unattended = false } = {}): Progress {
  if (stderr.isTTY && !dumb) return rewrittenLine(stderr);
  return stderr.isTTY || unattended ? addedLines(stderr) : { show() {}, clear() {} };
}

function rewrittenLine(stderr: Output): Progress {
  let latest = '';
  let shown = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    shown = true;
    stderr.write(`\r\u001b[K${withoutControls(latest).slice(0, (stderr.columns || 80) - 1)}`);
  };
  return {
    show(message) {
      latest = message;
      timer ??= setTimeout(draw, shown ? REDRAW_INTERVAL_MS : FIRST_MESSAGE_MS);
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
      if (shown) stderr.write('\r\u001b[K');
      shown = false;
    },
  };
}

function addedLines(stderr: Output): Progress {
  let next = performance.now() + FIRST_MESSAGE_MS;
  let latest = '';
  let timer: NodeJS.Timeout | undefined;
  const add = () => {
    timer = undefined;
    next = performance.now() + LINE_INTERVAL_MS;
    stderr.write(`${withoutControls(latest)}\n`);
  };
  return {
    show(message) {
      latest = message;
      const left = next - performance.now();
      if (left <= 0) add();
      // A person waits for the message; a file can do without the last one.
      else if (stderr.isTTY) timer ??= setTimeout(add, left);
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

/** Writes on stderr what went wrong; resolves with the exit code. */
export async function failWith(thrown: unknown, { stderr, dumb }: Terminal, json = false): Promise<number> {
  const error = asAppError(thrown);
  const reason = reasonAtTerminal(thrown);
  const text = json ? JSON.stringify({ error: reason }) : `magpie: ${withoutControls(reason)}`;
  const plain = json || dumb || !stderr.isTTY;
  await write(stderr, `${plain ? text : styleText('red', text, { stream: stderr })}\n`);
  if (error.code === 'cancelled') return EXIT.stopped;
  return error.code === 'bad_request' ? EXIT.usage : EXIT.failed;
}

/** Whether the person says yes; the end of the input is a no. Rejects with the signal's reason. */
export async function askPerson(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  const { promise: over, resolve: end } = Promise.withResolvers<string>();
  lines.once('close', () => end(''));
  // On a terminal Ctrl-C comes to readline and not to the process.
  const stop = new AbortController();
  lines.once('SIGINT', () => stop.abort());
  try {
    const both = AbortSignal.any([signal, stop.signal]);
    const answer = lines.question(`${withoutControls(question)} [y/N] `, { signal: both });
    return /^\s*y(es)?\s*$/i.test(await Promise.race([answer, over]));
  } finally {
    lines.close();
  }
}

const TONES = { alarm: 'red', warning: 'yellow', hint: 'cyan', quiet: 'dim' } as const;

/** On a terminal headings stand out, and lines with a tone; text that goes elsewhere is left alone, and control characters never pass. */
export function forPeople(text: string, { stdout, dumb }: Terminal, tone?: Tone): string {
  const safe = withoutControls(text);
  if (!stdout.isTTY || dumb) return safe;
  if (tone) return styleText(TONES[tone], safe, { stream: stdout });
  return safe.replace(/^#{1,6} .*$/gm, (heading) => styleText('bold', heading, { stream: stdout }));
}

/** A help text: on a terminal its first line, its headings and the terms of its tables stand out. */
export function withEmphasis(text: string, { stdout, dumb }: Terminal): string {
  if (!stdout.isTTY || dumb) return text;
  const bold = (words: string) => styleText('bold', words, { stream: stdout });
  // A term stands before two blanks or more; lines that go on with an explanation begin with blanks only.
  return text
    .replace(/^.*/, bold)
    .replace(/^[A-Z][^\n:]{0,80}:$/gm, bold)
    .replace(/^( *)(\S(?: ?\S)*)(?= {2,}\S)/gm, (_, before: string, term: string) => before + bold(term));
}

/** Pages and file names come from outside: none of them may control the terminal. */
export function withoutControls(text: string): string {
  return text.replace(/(?![\n\t])\p{Cc}/gu, '');
}

/** Resolves once the text is handed over, so that an exit does not cut it off. */
export function write(stream: Output, text: string): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
