import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environment, MAIN, runMagpie, startMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** A disk that is full and a folder that may not be written: told in words, and what was kept is read. */

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => {
  chmodSync(folder.path, 0o700);
  folder.remove();
});

/** `magpie serve` whose files may not grow beyond `blocks` of 512 bytes. */
async function startOnSmallDisk(env: Record<string, string>, blocks: number) {
  // The signal that comes with the limit would end the process; a full disk sends none.
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$1" serve`;
  const child = spawn('sh', ['-c', script, process.execPath, MAIN], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /listening on (http:\/\/\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`magpie ended with ${code}: ${text}`)));
  });
  return { url, child };
}

const keep = (url: string, q: string) =>
  fetch(new URL('/upsertjson', url), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ q }),
  });

async function found(url: string, q: string): Promise<string[]> {
  const response = await fetch(new URL(`/query?q=${q}&topK=1`, url));
  expect(response.status).toBe(200);
  const { matches } = (await response.json()) as { matches: { id: string }[] };
  return matches.map(({ id }) => id);
}

test('on a full disk inserts are refused in words, and reading goes on [knowledge.storage]', async () => {
  const env = environment(folder.path);
  const { url, child } = await startOnSmallDisk(env, 6000);
  const kept = new Map<string, string>();
  let refused: Response | undefined;
  for (let i = 0; i < 200 && !refused; i++) {
    const key = `zf${i}f`;
    const response = await keep(
      url,
      `The key is ${key}. ${`Words that fill the disk, number ${i}. `.repeat(500)}`,
    );
    if (response.status === 200) kept.set(key, ((await response.json()) as { id: string }).id);
    else refused = response;
  }
  expect(refused?.status).toBe(503);
  expect(await refused?.json()).toEqual({
    error: expect.stringMatching(/^the database .* (cannot be read or written|cannot grow)/),
  });
  expect(kept.size).toBeGreaterThan(0);
  for (const [key, id] of kept) expect(await found(url, key)).toEqual([id]);
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await exit).toEqual([0, null]);

  const roomy = await startMagpie(env);
  for (const [key, id] of kept) expect(await found(roomy.url, key)).toEqual([id]);
  expect((await keep(roomy.url, 'There is room again.')).status).toBe(200);
  await roomy.stop();
});

test('a folder that may not be written is told before anything else [knowledge.storage]', async () => {
  const data = join(folder.path, 'data');
  const env = environment(data);
  expect((await runMagpie(['upsert', 'kept while it could be'], env)).code).toBe(0);
  chmodSync(data, 0o500);
  // root may write anywhere, unless it gives that up.
  const giveUp = ['setpriv', '--bounding-set=-dac_override,-dac_read_search'];
  const prefix = process.getuid?.() === 0 ? giveUp : ['env'];
  for (const args of [['upsert', 'not kept'], ['serve']]) {
    const child = spawn(prefix[0] ?? '', [...prefix.slice(1), process.execPath, MAIN, ...args], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let stderr = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
    });
    expect(await once(child, 'close')).toEqual([1, null]);
    expect(stderr).toContain(data);
    expect(stderr).toMatch(/MAGPIE_DATA.*writ|writ.*MAGPIE_DATA/);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  }
  chmodSync(data, 0o700);
  expect((await runMagpie(['query', 'kept while it could be'], env)).stdout).toContain(
    'kept while it could be',
  );
});
