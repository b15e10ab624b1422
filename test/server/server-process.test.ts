import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { exitOf } from '../helpers/exit-of.ts';
import { bareRepository } from '../helpers/git.ts';
import { environment, type RunningProcess, spawnServer, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb, type TestWeb } from '../helpers/web.ts';

/** What a server shows in a process of its own: what it starts beside itself, and its end. */

const [folder, roots] = [temporaryFolder(), temporaryFolder()];
let web: TestWeb;
let server: RunningProcess;
beforeAll(async () => {
  web = await startWeb();
  server = await spawnServer({ ...environment(folder.path, web), MAGPIE_SCAN_ROOTS: roots.path });
});
afterAll(async () => {
  server.process.kill('SIGKILL');
  await web.close();
  for (const one of [folder, roots]) one.remove();
});

// A small process starts all others: a large one would be held up by each.
test.runIf(process.platform === 'linux')('readers and git are started by one small process', async () => {
  const page = await fetch(`${server.url}/browse?q=${web.url}/page/magpie-nest&percentile=3&numofpages=1`);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('nest building')]);
  const data = 'export const one = 1;\n';
  const repository = await bareRepository(join(roots.path, 'one'), [[{ path: 'a.js', data }]]);
  const scan = await fetch(`${server.url}/v1/scan`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ repository, options: { deep_scan: true } }),
  });
  expect([scan.status, await scan.text()]).toEqual([200, expect.stringContaining('"files":1')]);

  const small = childrenOf(server.process.pid);
  expect(small.map(({ command }) => command)).toEqual([expect.stringContaining('starter-entry')]);
  expect(childrenOf(small[0]?.pid)).toContainEqual(
    expect.objectContaining({ command: expect.stringContaining('reader-worker') }),
  );
});

test('SIGTERM lets a running call end, takes no new one, and ends with 0', async () => {
  // A reader is there: to start one may take a busy machine longer than calls are waited for.
  await fetch(
    `${server.url}/browse?${new URLSearchParams({ q: `${web.url}/long`, percentile: '1', numofpages: '1' })}`,
  );
  const call = fetch(
    `${server.url}/browse?${new URLSearchParams({ q: `${web.url}/delay`, percentile: '1', numofpages: '1' })}`,
  );
  await expect.poll(() => web.asked.includes('/delay')).toBe(true);
  server.process.kill('SIGTERM');
  const response = await call;
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('But here.');
  expect(await exitOf(server.process)).toEqual([0, null]);
  await expect(fetch(`${server.url}/list`)).rejects.toThrow();
});

function childrenOf(parent = 0): { readonly pid: number; readonly command: string }[] {
  return readdirSync('/proc').flatMap((name) => {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
      if (Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) !== parent) return [];
      return [{ pid: Number(name), command: readFileSync(`/proc/${name}/cmdline`, 'latin1') }];
    } catch {
      return [];
    }
  });
}
