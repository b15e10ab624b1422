import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitOf } from '../helpers/exit-of.ts';
import { environment, MAIN, spawnMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** What only a process shows: exit codes, signals, pipes that close, a folder that two servers want. */

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

test('the exit code and the two outputs of a process are those of the run', async () => {
  const ends = await Promise.all([['list'], ['serach', 'x']].map((args) => spawnMagpie(args, env)));
  expect(ends.map(({ code }) => code)).toEqual([0, 2]);
  expect(ends.map(({ stdout }) => stdout !== '')).toEqual([true, false]);
  expect(ends.map(({ stderr }) => stderr.startsWith('magpie: '))).toEqual([false, true]);
});

test('output that is no longer read is not a failure', async () => {
  const child = spawn(process.execPath, [MAIN, 'call', 'help'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  expect([(await once(child, 'close'))[0], stderr]).toEqual([0, '']);
});

test('Ctrl-C stops the work with its own exit code', async () => {
  const child = spawn(process.execPath, [MAIN, 'browse', `${web.url}/hang`], { env, stdio: 'ignore' });
  await expect.poll(() => web.asked.includes('/hang'), { timeout: 60_000 }).toBe(true);
  child.kill('SIGINT');
  expect(await exitOf(child)).toEqual([130, null]);
});

test('a second server on the same data folder is refused with the id of the process that holds it', async () => {
  const first = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  await once(first.stderr, 'data');
  const second = await spawnMagpie(['serve'], env);
  expect([second.code, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toMatch(/^magpie: /);
  expect(second.stderr).toContain(`another Magpie server (process ${first.pid}) uses ${folder.path}`);
  first.kill('SIGKILL');
  await exitOf(first);
  // One that is killed leaves the folder to the next.
  const third = await startMagpie(env);
  expect(third.stderr()).toMatch(/^magpie is listening on http:/);
  expect(await third.stop()).toBe(0);
});
