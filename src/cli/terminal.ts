import { createInterface } from 'node:readline/promises';
import { styleText } from 'node:util';
import type { TerminalTone } from '../command.ts';
import { isDumbTerminal } from '../config/config.ts';
import { asAppError } from '../errors.ts';
import { reasonAtTerminal } from '../lib/reason-at-terminal.ts';
import type { ProgramIo, ProgramOutput } from './io.ts';

/** Exit codes. 3 means that the result is partial or data is damaged, 130 that the user pressed Ctrl-C. */
export const EXIT_CODE = {
  done: 0,
  failed: 1,
  found: 1,
  usage: 2,
  waiting: 3,
  partly: 3,
  damaged: 3,
  stopped: 130,
} as const;

export type Terminal = ReturnType<typeof createTerminal>;

export const createTerminal = (io: ProgramIo) => ({
  get stdin() {
    return io.stdin;
  },
  stdout: io.stdout,
  stderr: io.stderr,
  /** True if the terminal supports no control codes. Output is then only appended, without colour. */
  dumb: isDumbTerminal(io.env),
});

export interface ProgressLine {
  show(message: string): void;
  clear(): void;
}

const FIRST_MESSAGE_MS = 500;
const REDRAW_INTERVAL_MS = 100;
const LINE_INTERVAL_MS = 5000;

/** A terminal shows progress. Output to a file or a pipe has progress lines only if `unattended` is set. */
export function createProgressLine({ stderr, dumb }: Terminal, { unattended = false } = {}): ProgressLine {
  if (stderr.isTTY && !dumb) return rewrittenLine(stderr);
  return stderr.isTTY || unattended ? addedLines(stderr) : { show() {}, clear() {} };
}

function rewrittenLine(stderr: ProgramOutput): ProgressLine {
  let latest = '';
  let shown = false;
  let timer: NodeJS.Timeout | undefined;
  const draw = () => {
    timer = undefined;
    shown = true;
    stderr.write(`\r\u001b[K${removeControlCharacters(latest).slice(0, (stderr.columns || 80) - 1)}`);
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

function addedLines(stderr: ProgramOutput): ProgressLine {
  let next = performance.now() + FIRST_MESSAGE_MS;
  let latest = '';
  let timer: NodeJS.Timeout | undefined;
  const add = () => {
    timer = undefined;
    next = performance.now() + LINE_INTERVAL_MS;
    stderr.write(`${removeControlCharacters(latest)}\n`);
  };
  return {
    show(message) {
      latest = message;
      const left = next - performance.now();
      if (left <= 0) add();
      // Soon after another message, a terminal shows this message later. Other outputs omit it.
      else if (stderr.isTTY) timer ??= setTimeout(add, left);
    },
    clear() {
      clearTimeout(timer);
      timer = undefined;
    },
  };
}

export async function printError(thrown: unknown, { stderr, dumb }: Terminal, json = false): Promise<number> {
  const error = asAppError(thrown);
  const reason = reasonAtTerminal(thrown);
  const text = json ? JSON.stringify({ error: reason }) : `magpie: ${removeControlCharacters(reason)}`;
  const plain = json || dumb || !stderr.isTTY;
  await writeToStream(stderr, `${plain ? text : styleText('red', text, { stream: stderr })}\n`);
  if (error.code === 'cancelled') return EXIT_CODE.stopped;
  return error.code === 'bad_request' ? EXIT_CODE.usage : EXIT_CODE.failed;
}

/** Asks a yes-or-no question. The end of input means no. Rejects when the signal aborts, or at Ctrl-C. */
export async function askYesNo(
  question: string,
  { stdin, stderr }: Terminal,
  signal: AbortSignal,
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr });
  const { promise: over, resolve: end } = Promise.withResolvers<string>();
  lines.once('close', () => end(''));
  // At a terminal, Ctrl-C reaches readline instead of the process.
  const stop = new AbortController();
  lines.once('SIGINT', () => stop.abort());
  try {
    const both = AbortSignal.any([signal, stop.signal]);
    const answer = lines.question(`${removeControlCharacters(question)} [y/N] `, { signal: both });
    return /^\s*y(es)?\s*$/i.test(await Promise.race([answer, over]));
  } finally {
    lines.close();
  }
}

const TONES = { alarm: 'red', warning: 'yellow', hint: 'cyan', quiet: 'dim' } as const;

/** At a terminal, returns bold or coloured text. Always removes control characters. */
export function styleForTerminal(text: string, { stdout, dumb }: Terminal, tone?: TerminalTone): string {
  const safe = removeControlCharacters(text);
  if (!stdout.isTTY || dumb) return safe;
  if (tone) return styleText(TONES[tone], safe, { stream: stdout });
  return safe.replace(/^#{1,6} .*$/gm, (heading) => styleText('bold', heading, { stream: stdout }));
}

export function emphasizeHelp(text: string, { stdout, dumb }: Terminal): string {
  if (!stdout.isTTY || dumb) return text;
  const bold = (words: string) => styleText('bold', words, { stream: stdout });
  // The last replacement makes the first column of a list bold. The column ends before two spaces.
  return text
    .replace(/^.*/, bold)
    .replace(/^[A-Z][^\n:]{0,80}:$/gm, bold)
    .replace(/^( *)(\S(?: ?\S)*)(?= {2,}\S)/gm, (_, before: string, term: string) => before + bold(term));
}

/** Removes control characters, so that texts of pages and file names cannot control the terminal. */
export const removeControlCharacters = (text: string): string => text.replace(/(?![\n\t])\p{Cc}/gu, '');

export const writeToStream = (stream: ProgramOutput, text: string): Promise<void> =>
  new Promise((resolve) => stream.write(text, () => resolve()));
