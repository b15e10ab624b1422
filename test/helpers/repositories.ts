import { mkdtempSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'vitest';
import {
  createRepositoryAccess,
  type RepositoriesOptions,
} from '../../src/security/git/remote/repositories.ts';
import type { OpenFileTree, PastFile, TreeRequest } from '../../src/security/trees/tree.ts';

/** Opens a repository with a data folder of its own under `base`, and looks that nothing is left there afterwards. */
export async function withTree<T>(
  base: string,
  request: Partial<TreeRequest> & { readonly repository: string },
  use: (tree: OpenFileTree) => Promise<T> | T,
  options: Partial<RepositoriesOptions> = {},
  watch: { signal?: AbortSignal; progress?: (message: string) => void } = {},
): Promise<T> {
  const folder = mkdtempSync(join(base, 'data-'));
  // A folder from where Magpie was started, as the configuration may name one.
  const repositories = createRepositoryAccess({
    folder: relative('.', folder),
    roots: [],
    allowHosts: [],
    ...options,
  });
  const scans = () => readdirSync(join(folder, 'scans'), { recursive: true }).map(String);
  try {
    const tree = await repositories.open(
      { history: false, anyFolder: false, ...request },
      { signal: new AbortController().signal, progress: () => {}, ...watch },
    );
    try {
      return await use(tree);
    } finally {
      await tree.close();
    }
  } finally {
    expect(scans().filter((name) => name.includes('scan-'))).toEqual([]);
    await repositories.close();
    expect(scans()).toEqual([]);
  }
}

/** All contents of the past. */
export async function pastOf(tree: OpenFileTree): Promise<PastFile[]> {
  const past: PastFile[] = [];
  for await (const one of tree.history(new AbortController().signal)) past.push(one);
  return past;
}

/** All files with their texts, by path. */
export async function textsOf(tree: OpenFileTree): Promise<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const file of tree.files) texts[file.path] = Buffer.from(await tree.read(file)).toString();
  return texts;
}
