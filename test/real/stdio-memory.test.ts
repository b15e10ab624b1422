import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { afterAll, expect, test, vi } from 'vitest';
import { environment, MAIN, temporaryFolder } from '../helpers/magpie.ts';

/** The memory of a stdio server whose client does not read; what it does then is in test/server/mcp/stdio.test.ts. */

const folder = temporaryFolder();
afterAll(() => folder.remove());

test.concurrent('a client that sends requests and never reads makes the server stop reading, without growing memory', async () => {
  const env = environment(folder.path);
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const say = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  say({ id: 0, method: 'initialize', params });
  say({ method: 'notifications/initialized' });
  await once(child.stdout, 'readable');
  // Nothing is read from here on; 400 MB of answers would come.
  for (let id = 1; id <= 20_000; id++) say({ id, method: 'tools/list' });
  await vi.waitUntil(() => stillFor(child), { timeout: 60_000, interval: 500 });
  expect(child.stdin.writableLength).toBeGreaterThan(100_000);
  expect(residentMegabytes(child.pid ?? 0)).toBeLessThan(400);
  child.stdin.destroy();
  child.stdout.destroy();
  child.kill();
  await once(child, 'exit');
});

test.concurrent('a client that never reads does not make the server hold many large answers', async () => {
  const env = environment(folder.path);
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  const q = 'A word of a long text. '.repeat(40_000);
  await client.callTool({ name: 'upsert', arguments: { q } });
  const { resources } = await client.listResources();
  const uri = resources.find(({ name }) => name.startsWith('A word'))?.uri;
  expect(uri).toMatch(/^kb:/);
  const before = residentMegabytes(child.pid ?? 0);
  child.stdout.removeAllListeners('data').pause();
  const read = { jsonrpc: '2.0', method: 'resources/read', params: { uri } };
  for (let id = 1000; id < 1600; id++) child.stdin.write(`${JSON.stringify({ ...read, id })}\n`);
  // What was read waits in the queue of lines; what is answered at once is 32 times a megabyte.
  await vi.waitUntil(() => stillFor(child), { timeout: 60_000, interval: 2000 });
  expect(residentMegabytes(child.pid ?? 0) - before).toBeLessThan(300);
  child.stdin.destroy();
  child.stdout.destroy();
  child.kill();
  await once(child, 'exit');
});

const lengths = new WeakMap<ChildProcess, number>();

/** Whether as much waits to be read by the process as when this was asked last. */
function stillFor(child: ChildProcess): boolean {
  const length = child.stdin?.writableLength ?? 0;
  const before = lengths.get(child);
  lengths.set(child, length);
  return before === length;
}

function residentMegabytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
