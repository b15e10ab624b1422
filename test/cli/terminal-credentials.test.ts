import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { localCaller } from '../../src/caller.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { addTerminalCredentials } from '../../src/cli/terminal-credentials.ts';
import { defineOperation } from '../../src/operation.ts';
import type { OperationCall } from '../../src/server/invoke.ts';
import { type Stack, startStack } from '../helpers/stack.ts';

/** Credentials that do not stand on a command line. */

const operation = defineOperation({
  name: 'orders',
  title: 'T',
  description: 'D.',
  toolset: 'automation',
  routes: ['GET /orders'],
  effect: 'write',
  openWorld: true,
  scope: 'write',
  input: z.object({ q: z.string(), key: z.string().optional(), team: z.string().optional() }),
  secret: ['key', 'team'],
  output: z.object({ q: z.string() }),
  example: { q: 'a' },
  lacks: async (input) => {
    const credentials = Object.fromEntries(
      ['key', 'team'].filter((name) => input[name] === undefined).map((name) => [name, `the ${name} of it`]),
    );
    return Object.keys(credentials).length === 0 ? undefined : { purpose: 'on it', credentials };
  },
  run: async () => ({ q: 'done' }),
});

let stack: Stack | undefined;
afterEach(async () => {
  await stack?.close();
  stack = undefined;
});

async function ask(isTTY: boolean, input: Record<string, unknown>) {
  stack = await startStack({ catalog: { operations: [operation], prompts: [] } });
  const [stdin, stderr] = [new PassThrough(), new PassThrough()];
  let shown = '';
  stderr.setEncoding('utf8').on('data', (chunk: string) => {
    shown += chunk;
  });
  const terminal = {
    stdin: Object.assign(stdin, { isTTY }),
    stderr: Object.assign(stderr, { isTTY }),
  } as unknown as Terminal;
  const stop = new AbortController();
  const call: OperationCall = {
    operation: 'orders',
    input,
    caller: localCaller('ada', 'cli'),
    signal: stop.signal,
    unknown: 'reject',
  };
  const work = addTerminalCredentials(stack.pipe, call, operation, terminal);
  return { work, stdin, stderr, stop, shown: () => shown };
}

describe('at a terminal', () => {
  test('a person is asked for missing credentials, and typed text is not shown', async () => {
    const { work, stdin, stderr, shown } = await ask(true, { q: 'a' });
    for (const [name, typed] of [
      ['key', 'key-of-ada'],
      ['team', '4321'],
    ]) {
      while (!shown().includes(`${name} of it (not shown)`)) await once(stderr, 'data');
      stdin.write(`${typed}\r`);
    }
    expect((await work).input).toEqual({ q: 'a', key: 'key-of-ada', team: '4321' });
    expect(shown()).toBe('key, the key of it (not shown): \nteam, the team of it (not shown): \n');
  });

  test('a person is not asked for given credentials', async () => {
    const { work, shown } = await ask(true, { q: 'a', key: 'k', team: 't' });
    expect((await work).input).toEqual({ q: 'a', key: 'k', team: 't' });
    expect(shown()).toBe('');
  });

  test.each([
    ['Ctrl-C', '\u0003', 'cancelled'],
    ['Ctrl-D', '\u0004', 'bad_request'],
  ])('%s ends the question', async (_what, typed, code) => {
    const { work, stdin } = await ask(true, { q: 'a' });
    stdin.write(typed);
    await expect(work).rejects.toMatchObject({ code });
  });

  test('a call that is cancelled elsewhere does not wait', async () => {
    const { work, stop } = await ask(true, { q: 'a' });
    setTimeout(() => stop.abort(), 20);
    await expect(work).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('in a script', () => {
  test('each flag with the value - reads one line of standard input, in any order on the command line', async () => {
    const { work, stdin } = await ask(false, { team: '-', q: 'a', key: '-' });
    stdin.end('key-of-ada\n4321\n');
    expect((await work).input).toEqual({ q: 'a', key: 'key-of-ada', team: '4321' });
  });

  test('input that ends too early is an error', async () => {
    const { work, stdin } = await ask(false, { q: 'a', key: '-', team: '-' });
    stdin.end('key-of-ada\n');
    await expect(work).rejects.toThrow('team is required, and standard input ended before it');
  });

  test('standard input is not read without such a flag', async () => {
    const { work, stdin } = await ask(false, { q: '-' });
    expect((await work).input).toEqual({ q: '-' });
    expect(stdin.listenerCount('data')).toBe(0);
  });
});
