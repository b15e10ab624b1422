import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { localCaller } from '../../src/caller.ts';
import { commandHelp } from '../../src/cli/help.ts';
import { runCommand } from '../../src/cli/run.ts';
import {
  createProgressLine,
  emphasizeHelp,
  printError,
  styleForTerminal,
  type Terminal,
} from '../../src/cli/terminal.ts';
import { defineCommand } from '../../src/command.ts';
import { loadConfig } from '../../src/config/config.ts';
import { AppError } from '../../src/errors.ts';
import { createLog } from '../../src/log.ts';
import type { Services } from '../../src/wiring/services.ts';

/** A terminal whose output is kept; the code under test reads `isTTY` and `columns` alone. */
function terminal({ tty = true, dumb = false } = {}) {
  const text = { out: '', err: '' };
  const stream = (key: 'out' | 'err') => {
    const through = new PassThrough();
    through.on('data', (chunk: Buffer) => (text[key] += chunk));
    return Object.assign(through, { isTTY: tty, columns: 30, getColorDepth: () => 8 });
  };
  return {
    text,
    terminal: { stdout: stream('out'), stderr: stream('err'), dumb } as unknown as Terminal,
  };
}

/** What the progress of a run goes by. */
const TIMERS: Parameters<typeof vi.useFakeTimers>[0] = {
  toFake: ['setTimeout', 'clearTimeout', 'performance'],
};
afterEach(() => void vi.useRealTimers());

const ESCAPE = '\u001b';

test('a terminal gets one line that is rewritten, never wider than the terminal', async () => {
  const { text, terminal: one } = terminal();
  vi.useFakeTimers(TIMERS);
  const status = createProgressLine(one);
  status.show('first');
  vi.advanceTimersByTime(1000);
  await expect.poll(() => text.err).toContain('first');
  status.show(`second ${'x'.repeat(100)}${ESCAPE}[2J`);
  vi.advanceTimersByTime(1000);
  await expect.poll(() => text.err).toContain('second');
  status.clear();
  const drawn = text.err.split(`\r${ESCAPE}[K`);
  expect(drawn.map((line) => line.length)).toEqual([0, 5, 29, 0]);
  expect(drawn.join('')).not.toContain(ESCAPE);
});

test('work that ends soon draws nothing', async () => {
  const { text, terminal: one } = terminal();
  vi.useFakeTimers(TIMERS);
  const status = createProgressLine(one);
  status.show('quick');
  status.clear();
  vi.advanceTimersByTime(10_000);
  expect(text.err).toBe('');
});

test('a dumb terminal gets plain lines at intervals, and a pipe only on request', async () => {
  vi.useFakeTimers(TIMERS);
  const dumb = terminal({ dumb: true });
  const piped = terminal({ tty: false });
  const long = terminal({ tty: false });
  const all = [
    createProgressLine(dumb.terminal),
    createProgressLine(piped.terminal),
    createProgressLine(long.terminal, { unattended: true }),
  ];
  vi.advanceTimersByTime(600);
  for (const status of all) {
    for (let i = 0; i < 100; i++) status.show(`step ${i}${ESCAPE}[1m`);
    status.clear();
  }
  await expect.poll(() => long.text.err).toBe('step 0[1m\n');
  expect([dumb.text.err, piped.text.err]).toEqual(['step 0[1m\n', '']);
});

test.each([false, true])('work without messages is not silent on a terminal (dumb: %s)', async (dumb) => {
  const { text, terminal: one } = terminal({ dumb });
  const wait: typeof greet = {
    ...greet,
    async run() {
      vi.advanceTimersByTime(1000);
      await expect.poll(() => text.err, { timeout: 60_000 }).toContain('say hello is under way');
      return 'done';
    },
  };
  const given = { values: {}, positionals: ['Ann'], json: false, signal: new AbortController().signal };
  vi.useFakeTimers(TIMERS);
  expect(await runCommand(wait, given, context, one)).toBe(0);
});

test('nothing is written over a pending question', async () => {
  const { text, terminal: one } = terminal();
  const stdin = Object.assign(new PassThrough(), { isTTY: true }) as unknown as Terminal['stdin'];
  const ask: typeof greet = { ...greet, question: async () => 'Say it?' };
  const given = { values: {}, positionals: ['Ann'], json: false, signal: new AbortController().signal };
  vi.useFakeTimers(TIMERS);
  const code = runCommand(ask, given, context, { ...one, stdin });
  await expect.poll(() => text.err).toContain('Say it? [y/N] ');
  vi.advanceTimersByTime(10_000);
  expect(text.err).not.toContain('under way');
  (stdin as unknown as PassThrough).write('y\n');
  expect(await code).toBe(0);
  expect(text.out).toContain('hello Ann!');
});

test('colour is used on terminals that support it; control characters are never passed on', async () => {
  const [rich, dumb] = [terminal(), terminal({ dumb: true })];
  expect(styleForTerminal(`# Head${ESCAPE}]0;title\u0007\ntext`, dumb.terminal)).toBe('# Head]0;title\ntext');
  for (const one of [rich, dumb]) {
    expect(await printError(new AppError('bad_request', `bad${ESCAPE}[2J`), one.terminal)).toBe(2);
  }
  await expect.poll(() => dumb.text.err).toBe('magpie: bad[2J\n');
});

const greet = defineCommand({
  name: 'say hello',
  summary: 'Greets.',
  description: 'Greets someone.',
  words: ['whom'],
  input: z.object({
    whom: z.string().describe('Who is greeted.'),
    times: z.int().min(1).max(3).default(1).describe('How often.'),
    tags: z.array(z.string()).default([]).describe('Words that go with it.'),
    quietVoice: z.boolean().default(false).describe('Softly.'),
  }),
  examples: [['magpie say hello Ann', 'greets Ann']],
  effect: () => 'write',
  async run({ whom, times, tags, quietVoice }, { print, caller }) {
    for (let i = 0; i < times; i++) await print(`hello ${whom}${quietVoice ? '' : '!'} ${tags.join('+')}`);
    await print(`${ESCAPE}from ${caller.id}`);
    return whom === 'no one' ? 'failed' : 'done';
  },
});

const context: Parameters<typeof runCommand>[2] = {
  config: loadConfig({}, {}),
  caller: localCaller('ada', 'cli'),
  services: {} as Services,
  log: createLog('silent'),
  machine: { platform: 'linux', env: {}, node: process.execPath },
};

const run = async (values: Record<string, unknown>, positionals: string[], json = false) => {
  const { text, terminal: one } = terminal({ tty: false });
  const given = { values, positionals, json, signal: new AbortController().signal };
  const code = await runCommand(greet, given, context, one);
  return { code, ...text };
};

test('a command gets its words and flags with types, and its result is the exit code', async () => {
  expect(await run({ times: '2', tags: ['a', 'b'], quietVoice: true }, ['Ann'])).toEqual({
    code: 0,
    out: 'hello Ann a+b\nhello Ann a+b\nfrom ada\n',
    err: '',
  });
  expect(await run({}, ['no one'])).toMatchObject({ code: 1, out: expect.stringContaining('hello no one!') });
});

test.each([
  [{ times: '9' }, ['Ann'], 'times is "9": it takes a whole number from 1 to 3'],
  [{}, [], 'whom is required: text'],
  [{}, ['Ann', 'Bob'], 'say hello takes <whom>, and got 2 words'],
])('the error of %j %j is reported, with exit code 2', async (values, words, message) => {
  expect(await run(values, words)).toEqual({ code: 2, out: '', err: expect.stringContaining(message) });
  expect(JSON.parse((await run(values, words, true)).err)).toEqual({
    error: expect.stringContaining(message),
  });
});

test('the help of a command is generated from its declaration', () => {
  expect(commandHelp(greet)).toBe(`magpie say hello <whom> [flags]

Greets someone.

  whom                 Who is greeted.
  --times              a whole number from 1 to 3. How often.
  --tags               a list, each text. Words that go with it.
  --quiet-voice        Softly.
  --json               the answer as JSON, for scripts

Examples:
  magpie say hello Ann  greets Ann`);
});

test('a help text is emphasised on a terminal only', () => {
  const help =
    'magpie scan [flags]\n\nScans: a folder.\n\n--json     the answer\n           as JSON\n\nExamples:\nmagpie scan .   here';
  const shown = emphasizeHelp(help, terminal().terminal);
  const bold = (text: string) => `${ESCAPE}[1m${text}${ESCAPE}[22m`;
  expect(shown).toBe(
    `${bold('magpie scan [flags]')}\n\nScans: a folder.\n\n${bold('--json')}     the answer\n           as JSON\n\n${bold('Examples:')}\n${bold('magpie scan .')}   here`,
  );
  expect(emphasizeHelp(help, terminal({ tty: false }).terminal)).toBe(help);
  expect(emphasizeHelp(help, terminal({ dumb: true }).terminal)).toBe(help);
});
