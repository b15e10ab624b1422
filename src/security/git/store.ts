import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runGit, startGit } from './process.ts';
import type { GitSurroundings } from './remote/environment.ts';

/** A bare git repository with Magpie's configuration instead of the scanned repository's. */
export type GitStore = Awaited<ReturnType<typeof createGitStore>>;

export interface GitProcessOptions extends Pick<GitSurroundings, 'config' | 'env'> {
  readonly cwd?: string;
  readonly hear?: (piece: string) => void;
}

export type GitObjectFormat = 'sha1' | 'sha256';

export interface GitStoreOptions {
  readonly folder: string;
  readonly searchPath: string;
  readonly format?: GitObjectFormat;
  readonly env?: Readonly<Record<string, string>>;
}

export async function createGitStore({ folder, searchPath, format = 'sha1', env }: GitStoreOptions) {
  const gitDir = join(folder, 'store.git');
  const home = join(folder, 'home');
  await mkdir(join(gitDir, 'objects', 'pack'), { recursive: true, mode: 0o700 });
  await mkdir(join(gitDir, 'refs'), { recursive: true });
  await mkdir(home);
  await writeFile(join(gitDir, 'HEAD'), 'ref: refs/heads/none\n');
  await writeConfig(gitDir, format);
  const call = (args: readonly string[], signal: AbortSignal, more: GitProcessOptions = {}) => ({
    args,
    signal,
    searchPath,
    home,
    gitDir,
    cwd: folder,
    ...more,
    env: { ...env, ...more.env },
  });
  return {
    gitDir,
    run: (args: readonly string[], signal: AbortSignal, more?: GitProcessOptions) =>
      runGit(call(args, signal, more)),
    start: (args: readonly string[], signal: AbortSignal, more?: GitProcessOptions) =>
      startGit(call(args, signal, more)),
  };
}

export async function writeConfig(gitDir: string, format: GitObjectFormat): Promise<void> {
  const lines =
    format === 'sha1'
      ? ['repositoryformatversion = 0', 'bare = true']
      : ['repositoryformatversion = 1', 'bare = true', '[extensions]', 'objectFormat = sha256'];
  await writeFile(join(gitDir, 'config'), `[core]\n${lines.join('\n')}\n`);
}
