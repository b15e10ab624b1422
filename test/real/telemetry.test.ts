import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { environment, spawnMagpie, temporaryFolder } from '../helpers/magpie.ts';

/** The native runtime of the sentence model reports nothing, and keeps nothing to report later. */

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('a process that has embedded texts leaves no telemetry files', async () => {
  const [TMPDIR, XDG_CACHE_HOME, data] = ['tmp', 'cache', 'data'].map((name) => {
    const path = join(folder.path, name);
    mkdirSync(path);
    return path;
  }) as [string, string, string];
  // A machine whose environment has CI would suppress it.
  const { CI: _, ...own } = environment(data);
  const env = { ...own, TMPDIR, XDG_CACHE_HOME, MAGPIE_EMBEDDER: 'english' };
  const kept = await spawnMagpie(['upsert', 'The spare key is with Ada.'], env);
  expect(kept).toMatchObject({ code: 0 });
  const found = await spawnMagpie(['query', 'who keeps our key?', '--json'], env);
  expect(JSON.parse(found.stdout).matches[0].metadata.pending ?? 0).toBe(0);
  expect(found.stdout).toContain('The spare key is with Ada.');
  expect(readdirSync(TMPDIR)).toEqual([]);
  expect(readdirSync(XDG_CACHE_HOME)).toEqual([]);
  expect(existsSync(join(data, '.cache'))).toBe(false);
});
