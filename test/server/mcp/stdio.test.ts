import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStdioTransport } from '../../../src/server/mcp/stdio.ts';
import { withoutModel } from '../../helpers/embeddings-api.ts';
import { environment, MAIN, temporaryFolder } from '../../helpers/magpie.ts';
import { runStdio } from '../../helpers/stdio-run.ts';
import { startWeb, type TestWeb } from '../../helpers/web.ts';

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

const connectTo = async (transport: Transport, era: keyof typeof ERAS) => {
  const client = new Client({ name: 'test', version: '1' }, ERAS[era]);
  await client.connect(transport);
  return client;
};

/** A real client of a run of the program in this process, whose streams are in the test's hands. */
async function start(era: keyof typeof ERAS, more: Record<string, string> = {}) {
  const run = runStdio({ ...environment(folder.path, web), ...more });
  return { ...run, client: await connectTo(run.transport, era) };
}

const isAsked = (path: string) => expect.poll(() => web.asked).toContain(path);

const browse = (path: string) => ({
  name: 'browse',
  arguments: { q: `${web.url}${path}`, percentile: 1, numofpages: 1 },
});

test('a process answers the running call when its input ends, and exits with 0', async () => {
  const env = environment(folder.path, web);
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const exit = once(child, 'exit');
  const client = await connectTo(new StdioServerTransport(child.stdout, child.stdin), '2026');
  const call = client.callTool(browse('/delay?in=process'));
  await isAsked('/delay?in=process');
  child.stdin.end();
  expect(JSON.stringify(await call)).toContain('But here.');
  expect(await exit).toEqual([0, null]);
});

describe.each(['2025', '2026'] as const)('in the era of %s', (era) => {
  test('a running call at the end of the input is answered before the server exits', async () => {
    const { input, client, ended } = await start(era);
    const call = client.callTool(browse(`/delay?era=${era}`));
    await isAsked(`/delay?era=${era}`);
    input.end();
    expect(JSON.stringify(await call)).toContain('But here.');
    expect(await ended).toBe(0);
  });

  test('a line that is not a message is answered with an error, and other lines are read', async () => {
    const { input, client, lines, ended } = await start(era);
    input.write('nonsense\n\n{"jsonrpc":"2.0","id":"mine","method":7}\n[]\n');
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
    input.end();
    expect(await ended).toBe(0);
  });
});

test('a hanging call at the end of the input is answered at its deadline, in both eras', async () => {
  const hang = async (era: keyof typeof ERAS) => {
    const { input, client, ended } = await start(era, { MAGPIE_CALL_TIMEOUT: '3000' });
    const call = client.callTool(browse(`/hang?era=${era}`));
    await isAsked(`/hang?era=${era}`);
    input.end();
    expect(await call).toMatchObject({ isError: true });
    expect(await ended).toBe(0);
  };
  // Both wait for their deadlines at once.
  await Promise.all([hang('2025'), hang('2026')]);
});

test('a question that can no longer be answered does not delay the exit', async () => {
  const env = { ...environment(folder.path, web), ...(await withoutModel()) };
  const { transport, input, ended } = runStdio(env);
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  client.setRequestHandler('elicitation/create', () => {
    ask();
    return new Promise(() => {});
  });
  await client.connect(transport);
  await client.callTool({ name: 'upsert', arguments: { q: 'The mill was built in 1712.' } });
  const call = client.callTool({ name: 'reset', arguments: { q: '' } });
  await asked;
  input.end();
  expect(await ended).toBe(0);
  expect(await call).toMatchObject({ isError: true });
});

describe('the pipes', () => {
  const request = (id: number, method = 'ping') => `${JSON.stringify({ jsonrpc: '2.0', id, method })}\n`;

  async function connect(patience = 60_000) {
    const [input, output] = [new PassThrough(), new PassThrough()];
    const wire = createStdioTransport(input, output, patience);
    const received: unknown[] = [];
    wire.transport.onmessage = (message) => received.push('id' in message ? message.id : message);
    await wire.transport.start();
    return { ...wire, input, output, received };
  }

  test('a message may come in pieces or with others, and the last one without a line end', async () => {
    const { input, received, transport, ended } = await connect();
    const text = Buffer.from(request(1, 'ünï').repeat(3) + request(2).trimEnd());
    for (let at = 0; at < text.length; at += 7) input.write(text.subarray(at, at + 7));
    input.end();
    await expect.poll(() => received).toEqual([1, 1, 1, 2]);
    for (const id of [1, 2]) await transport.send({ jsonrpc: '2.0', id, result: {} });
    await ended;
  });

  test('all messages before the end of the input are answered, however many there are', async () => {
    const { input, output, received, transport, ended } = await connect();
    output.resume();
    input.end(Array.from({ length: 400 }, (_, id) => request(id)).join(''));
    for (let answered = 0; answered < 400; answered++) {
      await expect.poll(() => received.length).toBeGreaterThan(answered);
      await transport.send({ jsonrpc: '2.0', id: answered, result: {} });
    }
    await ended;
    expect(received).toHaveLength(400);
  });

  test('a message that is too long is refused, and the next one is read', async () => {
    const { input, output, received } = await connect();
    input.write('x'.repeat(6_000_000));
    input.write(`${'x'.repeat(6_000_000)}\n${request(5)}`);
    await expect.poll(() => received).toEqual([5]);
    expect(String(output.read())).toContain('-32700');
  });

  test('subscriptions and cancelled calls do not delay the end, and other calls delay it for a limited time', async () => {
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

  const agree = async (wire: Awaited<ReturnType<typeof connect>>, protocolVersion: string) => {
    wire.input.write(request(0, 'initialize'));
    await expect.poll(() => wire.received).toEqual([0]);
    await wire.transport.send({ jsonrpc: '2.0', id: 0, result: { protocolVersion } });
    wire.output.read();
    wire.received.length = 0;
  };
  const batch = (...values: unknown[]) => `${JSON.stringify(values)}\n`;
  const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });

  test.each(['2024-11-05', '2025-03-26'])(
    '%s has batches, and their answers come together',
    async (revision) => {
      const wire = await connect();
      const { input, output, received, transport } = wire;
      await agree(wire, revision);
      const notification = { jsonrpc: '2.0', method: 'notifications/x' };
      input.write(batch(ping(1), notification, { jsonrpc: '2.0', id: 9, method: 7 }, ping(2)));
      await expect.poll(() => received).toEqual([1, notification, 2]);
      await transport.send({ jsonrpc: '2.0', id: 2, result: {} });
      expect(output.read()).toBeNull();
      await transport.send({ jsonrpc: '2.0', id: 1, result: {} });
      const lines = String(output.read()).trim().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual([
        [
          {
            jsonrpc: '2.0',
            id: 9,
            error: { code: -32600, message: 'this is not a message of JSON-RPC 2.0' },
          },
          { jsonrpc: '2.0', id: 2, result: {} },
          { jsonrpc: '2.0', id: 1, result: {} },
        ],
      ]);
      input.write(batch(ping(3), ping(4)));
      const params = { requestId: 3 };
      input.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params })}\n`);
      await expect.poll(() => received.length).toBe(6);
      await transport.send({ jsonrpc: '2.0', id: 4, result: {} });
      expect(JSON.parse(String(output.read()))).toEqual([{ jsonrpc: '2.0', id: 4, result: {} }]);
      input.write(batch());
      input.write(batch(...Array.from({ length: 101 }, (_, id) => ping(id))));
      await expect.poll(() => output.readableLength).toBeGreaterThan(200);
      expect(String(output.read())).toMatch(/the batch is empty.*\n.*101 messages: it takes at most 100/);
    },
  );

  test.each(['2025-06-18', '2025-11-25'])('%s has no batches', async (revision) => {
    const wire = await connect();
    await agree(wire, revision);
    wire.input.write(batch(ping(1)));
    await expect.poll(() => wire.output.readableLength).toBeGreaterThan(0);
    expect(JSON.parse(String(wire.output.read()))).toMatchObject({
      id: null,
      error: { code: -32600, message: expect.stringContaining(`${revision}, has no batches`) },
    });
    expect(wire.received).toEqual([]);
  });

  test('a limited number of requests run at once, and each answer admits another', async () => {
    const { input, received, transport } = await connect();
    for (let id = 0; id < 100; id++) input.write(request(id));
    await expect.poll(() => input.isPaused()).toBe(true);
    expect(received).toHaveLength(32);
    await transport.send({ jsonrpc: '2.0', id: 7, result: {} });
    await expect.poll(() => received).toHaveLength(33);
  });

  test('no input is read from a client that does not read, and the client gets everything once it reads', async () => {
    const { input, output, received, transport } = await connect();
    const notify = (method: string, n: number) => transport.send({ jsonrpc: '2.0', method, params: { n } });
    transport.onmessage = (message) => {
      received.push('id' in message ? message.id : message);
      if ('id' in message && message.id !== undefined) {
        const result = { text: 'x'.repeat(10_000) };
        void transport.send({ jsonrpc: '2.0', id: message.id, result });
      }
    };
    const all = 2000;
    for (let id = 1; id <= all; id++) input.write(request(id));
    await expect.poll(() => input.isPaused()).toBe(true);
    const taken = received.length;
    expect(taken).toBeLessThan(300);
    for (let n = 0; n < 5000; n++) void notify('notifications/progress', n);
    for (let n = 0; n < 5000; n++) void notify('notifications/resources/updated', n % 10);
    expect(received.length).toBe(taken);
    expect(output.writableLength + output.readableLength).toBeLessThan(2_000_000);
    let text = '';
    output.on('data', (chunk: Buffer) => {
      text += chunk;
    });
    await expect.poll(() => received.length).toBe(all);
    await expect.poll(() => text.split('"result"').length - 1).toBe(all);
    expect(text).not.toContain('notifications/progress');
    expect(text.split('notifications/resources/updated').length - 1).toBe(10);
  });
});
