import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { expect, test } from 'vitest';
import { exitOf } from '../helpers/exit-of.ts';
import { environment, MAIN, temporaryFolder } from '../helpers/magpie.ts';
import { startWeb } from '../helpers/web.ts';

/** The end of a stdio server that takes as long as calls under way are given: ten seconds. */

test('SIGTERM ends a server that waits for a call after the end of its input', async () => {
  const folder = temporaryFolder();
  const web = await startWeb();
  const env = environment(folder.path, web);
  const child = spawn(process.execPath, [MAIN, 'stdio'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const client = new Client({ name: 'test', version: '1' });
  // The transport of the other side, on the other ends of the pipes.
  await client.connect(new StdioServerTransport(child.stdout, child.stdin));
  const call = client
    .callTool({ name: 'browse', arguments: { q: `${web.url}/hang?term`, percentile: 1, numofpages: 1 } })
    .catch(() => undefined);
  await expect.poll(() => web.asked.includes('/hang?term')).toBe(true);
  child.stdin.end();
  child.kill('SIGTERM');
  expect(await exitOf(child)).toEqual([0, null]);
  await call;
  await web.close();
  folder.remove();
});
