import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { operations } from '../../tools/index.ts';
import { CONNECTIONS } from '../helpers/clients.ts';
import { environment, MAIN, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { runStdio } from '../helpers/stdio-run.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

const folder = temporaryFolder();
let web: TestWeb;
let env: Record<string, string>;
beforeAll(async () => {
  web = await startWeb();
  env = environment(folder.path, web);
});
afterAll(async () => {
  await web.close();
  folder.remove();
});

test('open MCP sessions and streams do not delay the exit', async () => {
  const magpie = await startMagpie(env);
  const client = await CONNECTIONS['HTTP, 2025 era, v2 client']?.({ url: magpie.url, env });
  await client?.listTools();
  // The 3 s of calls under way never pass: a server that waited for them would not end.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  expect(await magpie.stop()).toBe(0);
  vi.useRealTimers();
  await client?.close().catch(() => {});
});

test('SIGTERM to `npm start` reaches the server, though npm gives it to a shell', async () => {
  // npm beside the Node.js that runs this, or on the path.
  const path = `${dirname(process.execPath)}:${process.env.PATH}`;
  const npm = spawn('npm', ['start'], {
    cwd: join(dirname(MAIN), '..'),
    env: { ...env, PATH: path, MAGPIE_DATA: join(folder.path, 'npm') },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  npm.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk;
  });
  const address = () => /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1];
  await expect.poll(address, { timeout: 60_000 }).toBeDefined();
  const health = () =>
    fetch(`${address()}/healthz`).then(
      ({ status }) => status,
      () => 'gone',
    );
  expect(await health()).toBe(200);
  npm.kill('SIGTERM');
  await expect.poll(health, { timeout: 60_000 }).toBe('gone');
  // The lock is given back, so that it was an end in order.
  const next = await startMagpie({ ...env, MAGPIE_DATA: join(folder.path, 'npm') });
  expect(await next.stop()).toBe(0);
});

test('a stdio server ends when its client goes', async () => {
  const { transport, ended } = runStdio(env);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  await client.close();
  expect(await ended).toBe(0);
});

test('--toolsets and --read-only limit the tools of a stdio client', async () => {
  const names = async (...flags: string[]) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(runStdio(env, flags).transport);
    const { tools } = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };
  const essential = operations.filter((operation) => operation.essential).map(({ name }) => name);
  const security = operations.filter(({ toolset }) => toolset === 'security').map(({ name }) => name);
  expect(essential).toContain('search');
  expect(await names('--toolsets', 'essential')).toEqual(essential);
  expect(await names('--toolsets', 'security')).toEqual(security);
  expect(await names('--read-only')).toContain('search');
});
