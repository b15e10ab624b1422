import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ANSWERS } from '../fixtures/engine-answers.ts';
import { type EmbeddingsApi, startEmbeddingsApi } from '../helpers/embeddings-api.ts';
import { environment, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** `magpie doctor` in a home folder of its own, with one engine on loopback. */

const PAGES = [{ url: 'https://birds.example/1', title: 'Magpies', words: 'They build.' }];
let api: EmbeddingsApi;
let home: ReturnType<typeof temporaryFolder>;
let engine: Server;
let env: Record<string, string>;

beforeAll(async () => {
  api = await startEmbeddingsApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  home = temporaryFolder();
  engine = createServer((_, response) => response.end(ANSWERS.hackernews?.(PAGES))).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  env = {
    ...environment(home.path),
    ...api.settings,
    MAGPIE_DATA: join(home.path, 'data'),
    MAGPIE_ENGINES: 'hackernews,local',
    MAGPIE_ENGINE_URLS: `hackernews=http://127.0.0.1:${(engine.address() as AddressInfo).port}`,
  };
});
afterEach(async () => {
  engine.closeAllConnections();
  await new Promise((done) => engine.close(done));
  home.remove();
});

interface Finding {
  readonly state: string;
  readonly what: string;
  readonly says: string;
  readonly mend?: string;
}
const doctor = (...args: string[]) => runMagpie(['doctor', ...args], env);
async function found(...args: string[]): Promise<{ code: number | null; of(what: string): Finding[] }> {
  const { code, stdout } = await doctor('--json', ...args);
  const { findings } = JSON.parse(stdout) as { findings: Finding[] };
  return { code, of: (what) => findings.filter((finding) => finding.what === what) };
}

test('an intact installation is reported with exit code 0, and nothing is created', async () => {
  // With the model that comes along.
  const { MAGPIE_EMBEDDER: _, ...own } = env;
  env = own;
  const { code, stdout } = await doctor();
  expect(stdout).not.toMatch(/^(?:PROBLEM|note)/m);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^good {5}program {5}Magpie \d+\.\d+\.\d+ runs on Node\.js/m);
  expect(stdout).toMatch(/^good {5}model {7}the model \S+, which finds texts by their meaning, works/m);
  expect(stdout).toMatch(/^good {5}engines {5}1 of 1 engine answered/m);
  expect(stdout).toMatch(/^good {5}questions {3}A question about code.* goes to those of 1 service/m);
  expect(stdout).toMatch(/^good {5}questions {3}All of it costs nothing/m);
  expect(stdout).toMatch(/\n\nAll works\. What is unused is not needed\.\nmagpie scan --agents checks .*\n$/);
  expect(readdirSync(home.path)).toEqual([]);
});

test('keys are shown by number and age, with the versions of assistants', async () => {
  expect((await found('--offline')).of('keys')).toEqual([expect.objectContaining({ state: 'left' })]);
  const made = await runMagpie(['key', 'create', '--scope', 'read', '--expires', '3d', '--json'], env);
  const { key, id } = JSON.parse(made.stdout) as { key: string; id: string };
  const bin = join(home.path, 'bin');
  mkdirSync(bin);
  mkdirSync(join(home.path, '.codex'));
  writeFileSync(join(bin, 'codex'), '#!/bin/sh\necho "codex-cli 1.2.3"\n', { mode: 0o755 });
  env = { ...env, PATH: `${bin}:${env.PATH}` };
  const all = await found('--offline');
  expect(all.of('keys')).toEqual([
    expect.objectContaining({ state: 'good', says: '1 of 1 access key is valid' }),
    expect.objectContaining({ state: 'note', says: expect.stringContaining('ends within 14 days') }),
  ]);
  expect(all.of('keys')[1]?.mend).toBe(`magpie key rotate ${id}`);
  expect(JSON.stringify(all.of('keys'))).not.toContain(key);
  expect(all.of('assistants')[0]?.says).toBe('Codex 1.2.3 does not know Magpie');
});

test('a damaged database is reported with the repair command', async () => {
  writeFileSync(
    join(home.path, 'note.txt'),
    'magpies build domed nests of sticks and mud in the crowns of trees\n'.repeat(1500),
  );
  expect((await runMagpie(['upload', join(home.path, 'note.txt')], env)).code).toBe(0);
  const healthy = await found('--offline');
  expect(healthy.of('data').map(({ state }) => state)).toEqual(['good', 'good']);
  const file = openSync(join(home.path, 'data', 'magpie.sqlite'), 'r+');
  for (let page = 20; page < 60; page++)
    writeSync(file, Buffer.alloc(3000, 0xff), 0, 3000, page * 4096 + 500);
  closeSync(file);
  const { code, of } = await found('--offline');
  expect(code).toBe(1);
  expect(of('data').at(-1)).toMatchObject({
    state: 'problem',
    mend: expect.stringContaining('kb check --mend'),
  });
});

test('a file that is not a database is reported as such, also for its keys', async () => {
  mkdirSync(join(home.path, 'data'));
  writeFileSync(join(home.path, 'data', 'magpie.sqlite'), 'no database '.repeat(1000));
  const { of } = await found('--offline');
  expect(of('data').at(-1)).toMatchObject({ state: 'problem' });
  expect(of('keys')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('is not a Magpie database') }),
  ]);
});

test('an unwritable folder, a missing browser and an invalid setting are reported', async () => {
  writeFileSync(join(home.path, 'file'), '');
  env = {
    ...env,
    MAGPIE_DATA: join(home.path, 'file', 'data'),
    MAGPIE_BROWSER: '/no/browser',
    MAGPIE_BRAVE: 'x',
  };
  const { code, of } = await found('--offline');
  expect(code).toBe(1);
  expect(of('data')[0]).toMatchObject({ state: 'problem' });
  expect(of('browser')).toEqual([
    expect.objectContaining({ state: 'problem', says: expect.stringContaining('/no/browser') }),
  ]);
  expect(of('settings').at(-1)).toMatchObject({
    state: 'note',
    says: expect.stringContaining('MAGPIE_BRAVE'),
  });
});

test('keys are named and not shown', async () => {
  env = { ...env, BRAVE_API_KEY: 'brave-secret-value' };
  const { stdout, stderr } = await doctor('--offline');
  expect(stdout).toContain('set: BRAVE_API_KEY');
  expect(stdout + stderr).not.toContain('brave-secret-value');
});

test('failing engines are reported, and a state in which none answers', async () => {
  engine.removeAllListeners('request').on('request', (_, response) => response.writeHead(429).end());
  const { code, of } = await found();
  expect(code).toBe(1);
  expect(of('engines')).toEqual([
    expect.objectContaining({
      state: 'problem',
      says: expect.stringContaining('0 of 1 engine answered; hackernews: '),
      mend: expect.stringMatching(/^(?!.*network).*docs\/engines\.md/),
    }),
  ]);
});

test('a machine without a network is told so once, in plain words, with the proxy that is not used', async () => {
  const nowhere = Object.fromEntries(
    ['hackernews', 'wikipedia', 'arxiv'].map((name) => [name, `http://${name}.invalid`]),
  );
  env = {
    ...env,
    MAGPIE_ENGINES: Object.keys(nowhere).join(','),
    MAGPIE_ENGINE_URLS: Object.entries(nowhere)
      .map((pair) => pair.join('='))
      .join(','),
    HTTPS_PROXY: 'http://proxy.invalid:3128',
  };
  const { stdout } = await doctor();
  expect(stdout).toMatch(
    /^PROBLEM {2}engines {5}none of the 3 search engines can be reached: this machine has no way to the internet now, or its name service does not answer\n {21}to mend it: .*network.*Magpie does not use the proxy in HTTPS_PROXY/m,
  );
  expect(stdout).not.toMatch(/\b(?:E[A-Z]{3,}|UND_ERR\w+|fetch failed)\b/);
  expect(stdout).toMatch(/\n\n1 thing does not work \(PROBLEM\)/);
});

test('engines that fail for one reason stand together', async () => {
  engine.removeAllListeners('request').on('request', (_, response) => response.writeHead(429).end());
  const { port } = engine.address() as AddressInfo;
  const names = ['hackernews', 'wikipedia', 'arxiv'];
  env = {
    ...env,
    MAGPIE_ENGINES: names.join(','),
    MAGPIE_ENGINE_URLS: names.map((name) => `${name}=http://127.0.0.1:${port}`).join(','),
  };
  const [{ says = '' } = {}] = (await found()).of('engines');
  expect(says).toMatch(/^0 of 3 engines answered; /);
  for (const name of names) expect(says).toContain(name);
  expect(says.split('; ').length).toBeLessThan(names.length + 1);
});

test('a running server and a port in use by another program are reported', async () => {
  const server = await startMagpie(env);
  expect((await found('--offline')).of('server')).toEqual([
    expect.objectContaining({ state: 'good', says: `magpie serve runs at ${server.url}` }),
  ]);
  await server.stop();
  const { port } = engine.address() as AddressInfo;
  const taken = await found('--offline', '--port', String(port));
  expect(taken.code).toBe(3);
  expect(taken.of('server')).toEqual([
    expect.objectContaining({ state: 'note', says: `another program uses port ${port}` }),
  ]);
});

test('assistants are reported without Magpie, with it, and with a missing program', async () => {
  const file = join(home.path, '.cursor', 'mcp.json');
  mkdirSync(join(home.path, '.cursor'));
  expect((await found('--offline')).of('assistants')).toEqual([
    expect.objectContaining({
      state: 'note',
      says: 'Cursor does not know Magpie',
      mend: 'magpie setup cursor',
    }),
  ]);
  await runMagpie(['setup', 'cursor', '--yes'], env);
  expect((await found('--offline')).of('assistants')[0]).toMatchObject({ state: 'good' });
  writeFileSync(file, '{"mcpServers":{"magpie":{"command":"/gone/node","args":[]}}}');
  expect((await found('--offline')).of('assistants')).toEqual([
    expect.objectContaining({ state: 'problem', says: 'Cursor starts /gone/node, which is not there' }),
  ]);
});

test('git is available where tests run', async () => {
  const version = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim();
  expect((await found('--offline')).of('git')[0]?.says).toBe(
    `${version} is installed, so that repositories can be scanned`,
  );
});
