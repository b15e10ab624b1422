import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../helpers/magpie.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = temporaryFolder();
afterAll(() => folder.remove());

test('the code is whole without a package that is compiled when it is installed', async () => {
  for (const name of ['src', 'tools', 'prompts', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(folder.path, name), { recursive: true });
  const modules = join(folder.path, 'node_modules');
  mkdirSync(modules);
  const others = readdirSync(join(ROOT, 'node_modules')).filter((name) => name !== 'hnswlib-node');
  for (const name of others) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', 'tsconfig.json', '--noEmit'], {
    cwd: folder.path,
  }).catch((error: { stdout: string }) => error);
  expect(stdout).toBe('');
});
