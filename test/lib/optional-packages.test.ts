import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isOptionalPackageInstalled, setOptionalPackagesFolder } from '../../src/lib/optional-packages.ts';
import { temporaryFolder } from '../helpers/magpie.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

test('a package of files alone, without a main module, is installed once it is there', () => {
  setOptionalPackagesFolder(folder.path);
  const place = join(folder.path, 'node_modules', 'magpie-mcp-multilingual');
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), '{"name":"magpie-mcp-multilingual","version":"0.1.0"}');
  expect(isOptionalPackageInstalled('multilingual')).toBe(true);
});
