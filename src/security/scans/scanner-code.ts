import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folders with the code of scanners and their libraries. `chunks` exists only in the published package. */
const FOLDERS = ['..', '../../lib', '../../chunks'];
const MANIFESTS = ['../../../package.json', '../../../../package.json'];

export async function hashScannerCode(module: URL, folders = codeFolders()): Promise<string> {
  const names = (await Promise.all(folders.map(listCode))).flat();
  const manifest = await Promise.any(MANIFESTS.map((path) => readFile(here(path)))).catch(() => '');
  const hash = createHash('sha256')
    .update(manifest)
    .update(await readFile(module));
  const contents = await Promise.all(names.map(({ path }) => readFile(path)));
  for (const [at, { name }] of names.entries()) hash.update(`\0${name}\0`).update(contents[at] ?? '');
  return hash.digest('base64url');
}

const codeFolders = () => FOLDERS.map(here).filter((folder) => existsSync(folder));
const here = (path: string): URL => new URL(path, import.meta.url);

async function listCode(folder: URL): Promise<{ readonly name: string; readonly path: string }[]> {
  const root = fileURLToPath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /(?<!\.d)\.(?:[jt]s|json|tsv|ya?ml)$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ name: relative(root, path), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
