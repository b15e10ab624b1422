import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createStdioWire } from '../../../src/server/mcp/stdio.ts';
import { environment, MAIN, temporaryFolder } from '../../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

// A process takes seconds to start where many tests run at once.
vi.setConfig({ testTimeout: 120_000 });

const folder = temporaryFolder();
let web: TestWeb;
beforeAll(async () => {
  web = await startWeb();
});
afterAll(async () => {
  await web.close();
  folder.remove();
});

const ERAS = {
  '2025': {},
  '2026': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
} as const;

/** A real client of a server in a process of its own, whose pipes are in the test's hands. */
async function start(era: keyof typeof ERAS, more: Record<string, string> = {}) {
  const env = { ...environment(folder.path, web), ...more };
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk;
  });
  const client = new Client({ name: 'test', version: '1' }, ERAS[era]);
  // The transport of the other side, on the other ends of the pipes.
  const pipes = new StdioServerTransport(child.stdout, child.stdin);
  await client.connect(pipes);
  return { child, client, lines: () => text.split('\n').filter(Boolean), exit: exitOf(child) };
}

function exitOf(child: ChildProcess): Promise<[number | null, string | null]> {
  return once(child, 'exit') as Promise<[number | null, string | null]>;
}

/** (No expect.poll: tests that run beside each other have no test of their own for it.) */
const isAsked = (path: string) => vi.waitUntil(() => web.asked.includes(path), { timeout: 60_000 });

const browse = (path: string) => ({
  name: 'browse',
  arguments: { q: `${web.url}${path}`, percentile: 1, numofpages: 1 },
});

describe.concurrent.each(['2025', '2026'] as const)('in the era of %s', (era) => {
  test('a call under way when the input ends is answered before the server goes', async () => {
    const { child, client, exit } = await start(era);
    const call = client.callTool(browse(`/delay?era=${era}`));
    await isAsked(`/delay?era=${era}`);
    child.stdin?.end();
    expect(JSON.stringify(await call)).toContain('But here.');
    expect(await exit).toEqual([0, null]);
  });

  test('a call that hangs when the input ends is answered at its deadline', async () => {
    const { child, client, exit } = await start(era, { MAGPIE_CALL_TIMEOUT: '4000' });
    const call = client.callTool(browse(`/hang?era=${era}`));
    await isAsked(`/hang?era=${era}`);
    child.stdin?.end();
    expect(await call).toMatchObject({ isError: true });
    expect(await exit).toEqual([0, null]);
  });

  test('a line that is not a message is answered with an error, and other lines are read', async () => {
    const { child, client, lines, exit } = await start(era);
    child.stdin?.write('nonsense\n\n{"jsonrpc":"2.0","id":"mine","method":7}\n[]\n');
    const { tools } = await client.listTools();
    expect(tools.length).toBeGreaterThan(10);
    const errors = lines()
      .map((line) => JSON.parse(line))
      .filter(({ error }) => error);
    expect(errors).toEqual([
      { jsonrpc: '2.0', id: null, error: { code: -32700, message: expect.stringContaining('not JSON') } },
      { jsonrpc: '2.0', id: 'mine', error: { code: -32600, message: expect.any(String) } },
      { jsonrpc: '2.0', id: null, error: { code: -32600, message: expect.any(String) } },
    ]);
    child.stdin?.end();
    expect(await exit).toEqual([0, null]);
  });
});

test.concurrent('a question that nobody can answer any more holds nothing up', async () => {
  const env = environment(folder.path, web);
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  client.setRequestHandler('elicitation/create', () => {
    ask();
    return new Promise(() => {});
  });
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  await client.callTool({ name: 'upsert', arguments: { q: 'The mill was built in 1712.' } });
  const call = client.callTool({ name: 'reset', arguments: { q: '' } });
  await asked;
  child.stdin.end();
  expect(await exitOf(child)).toEqual([0, null]);
  expect(await call).toMatchObject({ isError: true });
});

describe('the pipes', () => {
  const request = (id: number, method = 'ping') => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;

  async function connect(patience = 60_000) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const wire = createStdioWire(input, output, patience);
    const received: unknown[] = [];
    wire.transport.onmessage = (message) => received.push('id' in message ? message.id : message);
    await wire.transport.start();
    return { ...wire, input, output, received };
  }

  test('a message may come in pieces, many at once, and the last without an end', async () => {
    const { input, received, transport, ended } = await connect();
    const text = Buffer.from(request(1, 'ünï').repeat(3) + request(2).trimEnd());
    for (let at = 0; at < text.length; at += 7) input.write(text.subarray(at, at + 7));
    input.end();
    await expect.poll(() => received).toEqual([1, 1, 1, 2]);
    for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, result: {} });
    await ended;
  });

  test('one that is too long is refused, and what follows is read', async () => {
    const { input, output, received } = await connect();
    input.write('x'.repeat(6_000_000));
    input.write(`${'x'.repeat(6_000_000)}\n${request(5)}`);
    await expect.poll(() => received).toEqual([5]);
    expect(String(output.read())).toContain('-32700');
  });

  test('a subscription, and a call that was cancelled, are not waited for; other calls only so long', async () => {
    const { input, ended } = await connect();
    input.write(request(1, 'subscriptions/listen') + request(2));
    const params = { requestId: 2 };
    input.end(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }));
    await ended;

    const late = await connect(100);
    late.input.end(request(3));
    await late.ended;
    expect(late.received).toEqual([3]);
  });
});
