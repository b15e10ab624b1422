import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
/** Makes Node.js look like version 20, which has no Zstandard. */
const OLD = `import { syncBuiltinESMExports } from 'node:module';
  const zlib = process.getBuiltinModule('node:zlib');
  for (const name of Object.keys(zlib)) if (name.startsWith('zstd')) delete zlib[name];
  syncBuiltinESMExports();
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });`;

test('an old Node.js is refused with a message that names the required version', async () => {
  const flag = `data:text/javascript,${encodeURIComponent(OLD)}`;
  const { code, stderr } = await promisify(execFile)(process.execPath, ['--import', flag, MAIN, 'list']).then(
    () => ({ code: 0, stderr: '' }),
    (error: { code: number; stderr: string }) => error,
  );
  expect(stderr).toBe(
    'magpie: this is Node.js 20.20.2, and Magpie needs 22.19 or newer; a checkout has one at node_modules/.bin/node\n',
  );
  expect(code).toBe(1);
});
