import { lstat, mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { createGitStore, type GitObjectFormat, type GitStore } from '../store.ts';
import { readRegularFile } from './plain-file.ts';

export interface LocalRepository {
  readonly gitDir: string;
  /** Folder with git's objects and branches. Linked work trees share this folder. */
  readonly commonDir: string;
  readonly top: string | undefined;
  /** Path from `top` to the requested folder, with a trailing slash, or '' for `top` itself. */
  readonly prefix: string;
}

const MAX_SMALL_FILE_BYTES = 64 * 1024;
const MAX_LARGE_FILE_BYTES = 256 * 2 ** 20;
const MAX_REFS = 100_000;
const MAX_OBJECT_FILES = 2_000_000;

export async function findRepository(folder: string, ceiling: string): Promise<LocalRepository | undefined> {
  if (await isGitDir(folder)) return { gitDir: folder, commonDir: folder, top: undefined, prefix: '' };
  for (let top = folder; ; top = dirname(top)) {
    const dotGit = await lstat(join(top, '.git')).catch(() => undefined);
    if (dotGit) {
      const found = await gitDirOf(top, dotGit.isDirectory(), ceiling);
      if (!found) return undefined;
      const prefix = top === folder ? '' : `${relative(top, folder).split(sep).join('/')}/`;
      return { ...found, top, prefix };
    }
    if (top === ceiling || top === dirname(top)) return undefined;
  }
}

async function gitDirOf(top: string, isFolder: boolean, ceiling: string) {
  const dotGit = join(top, '.git');
  if (isFolder) return (await isGitDir(dotGit)) ? { gitDir: dotGit, commonDir: dotGit } : undefined;
  const link = /^gitdir: (.+)$/m.exec(
    (await readRegularFile(dotGit, MAX_SMALL_FILE_BYTES))?.toString() ?? '',
  )?.[1];
  const gitDir = link === undefined ? undefined : await below(resolve(top, link), ceiling);
  if (gitDir === undefined) return undefined;
  const common = (await readRegularFile(join(gitDir, 'commondir'), MAX_SMALL_FILE_BYTES))?.toString().trim();
  const commonDir = common ? await below(resolve(gitDir, common), ceiling) : gitDir;
  return commonDir === undefined ? undefined : { gitDir, commonDir };
}

async function below(path: string, ceiling: string): Promise<string | undefined> {
  const real = await realpath(path).catch(() => undefined);
  return real !== undefined && isBelow(real, ceiling) ? real : undefined;
}

export const isBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

async function isGitDir(folder: string): Promise<boolean> {
  const [head, objects, refs] = await Promise.all(
    ['HEAD', 'objects', 'refs'].map((name) => lstat(join(folder, name)).catch(() => undefined)),
  );
  return head?.isFile() === true && objects?.isDirectory() === true && refs?.isDirectory() === true;
}

export interface LocalStore {
  readonly store: GitStore;
  /** True if commits and file contents can be read, otherwise the reason why not. */
  readonly objects: true | string;
  readonly shallow: boolean;
}

/** Opens a repository without its configuration, because a configuration can contain commands to run. */
export async function openLocalStore(
  { gitDir, commonDir }: LocalRepository,
  folder: string,
  searchPath: string,
): Promise<LocalStore> {
  const objectsDir = join(commonDir, 'objects');
  const objects = await judgeObjects(objectsDir);
  const settings = (await readRegularFile(join(commonDir, 'config'), MAX_SMALL_FILE_BYTES))?.toString() ?? '';
  const format: GitObjectFormat = /^[ \t]*objectformat[ \t]*=[ \t]*"?sha256/im.test(settings)
    ? 'sha256'
    : 'sha1';
  const env: Record<string, string> = objects === true ? { GIT_OBJECT_DIRECTORY: objectsDir } : {};
  const store = await createGitStore({ folder, searchPath, format, env });
  const copy = async (from: string, name: string, most = MAX_LARGE_FILE_BYTES) => {
    const content = await readRegularFile(join(from, name), most);
    if (!content || content.length === 0) return false;
    await mkdir(dirname(join(store.gitDir, name)), { recursive: true });
    await writeFile(join(store.gitDir, name), content);
    return true;
  };
  await copy(gitDir, 'HEAD', MAX_SMALL_FILE_BYTES);
  await copy(commonDir, 'packed-refs');
  await copy(commonDir, 'info/exclude');
  const shallow = await copy(commonDir, 'shallow');
  for (const name of await filesBelow(join(commonDir, 'refs'), MAX_REFS))
    await copy(commonDir, join('refs', name), MAX_SMALL_FILE_BYTES);
  if (await copy(gitDir, 'index')) {
    for (const name of await readdir(gitDir))
      if (/^sharedindex\.[0-9a-f]+$/.test(name)) await copy(gitDir, name);
  }
  return { store, objects, shallow };
}

async function filesBelow(folder: string, most: number): Promise<string[]> {
  const files: string[] = [];
  const folders = [''];
  for (let at = folders.pop(); at !== undefined && files.length < most; at = folders.pop()) {
    for (const entry of await readdir(join(folder, at), { withFileTypes: true }).catch(() => [])) {
      if (entry.isDirectory() && folders.length < most) folders.push(join(at, entry.name));
      else if (entry.isFile()) files.push(join(at, entry.name));
    }
  }
  return files.slice(0, most);
}

async function judgeObjects(folder: string): Promise<true | string> {
  const linked = 'its objects are links to elsewhere';
  const alternates = await lstat(join(folder, 'info', 'alternates')).catch(() => undefined);
  if (alternates) return 'it borrows objects from another repository';
  let count = 0;
  const inside = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of inside) {
    if (entry.isSymbolicLink()) return linked;
    if (!entry.isDirectory()) continue;
    const entries = await readdir(join(folder, entry.name), { withFileTypes: true }).catch(() => []);
    if (entries.some((one) => one.isSymbolicLink())) return linked;
    count += entries.length;
    if (count > MAX_OBJECT_FILES) return 'it has too many loose objects';
  }
  return true;
}
