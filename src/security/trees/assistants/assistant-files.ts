import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { homeFolder, type MachineEnvironment } from '../../../lib/assistants/machine.ts';
import { openFolderTree } from '../../git/local/folder-tree.ts';
import { isBelow } from '../../git/local/local-repository.ts';
import { createOmissions } from '../../scans/omissions.ts';
import type { ReadPredicate, TreeFile } from '../tree.ts';

export interface AssistantFilesOptions {
  readonly machine: MachineEnvironment;
  readonly folders: readonly string[];
  readonly minds?: ReadPredicate | undefined;
  readonly signal: AbortSignal;
  progress(message: string): void;
}

export type AssistantFiles = ReturnType<typeof collectAssistantFiles>;

const LIMITS = { files: 5000, fileBytes: 10 * 2 ** 20, treeBytes: 64 * 2 ** 20, entries: 50_000 };
const MAX_FILES = 30_000;
const MAX_BYTES = 512 * 2 ** 20;
const FIX = 'read it yourself, or scan its folder';

/** Collects files from several folders of this machine. All folders share the limits of files and bytes. */
export function collectAssistantFiles({ machine, folders, minds, signal, progress }: AssistantFilesOptions) {
  const files = new Map<string, { readonly file: TreeFile; read(): Promise<Uint8Array> }>();
  const seen = new Map<string, readonly string[]>();
  const omissions = createOmissions();
  const home = resolve(homeFolder(machine));
  let bytes = 0;
  const show = (path: string) =>
    (isBelow(path, home) ? `~${path.slice(home.length)}` : path).replaceAll(sep, '/');

  /** Returns the folders into which links may lead, and the message if a link leads elsewhere. */
  function fencesOf(path: string): { readonly around: readonly string[]; readonly words: string } {
    const all = [home, ...folders.map((one) => resolve(one))].filter((one) => isBelow(path, one));
    const nearest = all.reduce((a, b) => (b.length > a.length ? b : a), '');
    if (nearest !== '' && nearest !== home)
      return { around: [nearest], words: `leads out of ${show(nearest)}` };
    const around = [nearest || dirname(path), ...folders];
    return { around, words: 'is your home folder or leads out of it' };
  }

  /** Adds a file or folder and returns its files' paths. Does not follow links out of allowed folders. */
  async function add(path: string, followsLinks = true): Promise<readonly string[]> {
    signal.throwIfAborted();
    const real = await realpath(path).catch((error: NodeJS.ErrnoException) => error);
    if (real instanceof Error) {
      if (real.code !== 'ENOENT' && real.code !== 'ENOTDIR') omissions.miss('unreadable', show(path));
      return [];
    }
    const known = seen.get(real);
    if (known) return known;
    const { around, words } = fencesOf(path);
    const [ownHome = home, ...fences] = await Promise.all(
      [home, ...around].map((one) => realpath(one).catch(() => one)),
    );
    if (isBelow(ownHome, real) || !fences.some((fence) => isBelow(real, fence))) {
      omissions.miss('links', `${show(path)}, which ${words}`, FIX);
    } else if (files.size >= MAX_FILES || bytes >= MAX_BYTES) {
      omissions.miss('limits', `${show(path)}, past the first ${files.size} files`, FIX);
    } else seen.set(real, await read(path, real, followsLinks));
    return seen.get(real) ?? [];
  }

  async function read(path: string, real: string, followsLinks: boolean): Promise<readonly string[]> {
    const isFolder = (await stat(real).catch(() => undefined))?.isDirectory() === true;
    const only = isFolder ? undefined : [Buffer.from(basename(real))];
    const folder = isFolder ? real : dirname(real);
    const tree = await openFolderTree({ folder, only, limits: LIMITS, deep: false, minds, signal, progress });
    const told = new Set(tree.gaps.map(({ what }) => what));
    for (const { kind, what, fix } of tree.gaps) omissions.miss(kind, `${show(path)}: ${what}`, fix);
    for (const what of tree.left) if (!told.has(what)) omissions.leave(`${show(path)}: ${what}`);
    const added = tree.files.map((at) => {
      const file = { ...at, path: isFolder ? `${show(path)}/${at.path}` : show(path) };
      if (!files.has(file.path)) bytes += file.bytes;
      files.set(file.path, { file, read: () => tree.read(at) });
      return file.path;
    });
    const entries =
      isFolder && followsLinks ? await readdir(real, { withFileTypes: true }).catch(() => []) : [];
    for (const { name } of entries.filter((one) => one.isSymbolicLink()).slice(0, LIMITS.files))
      added.push(...(await add(join(path, name), false)));
    return added;
  }

  const contentOf = async (path: string) => (await files.get(path)?.read()) ?? new Uint8Array();
  return { files, add, contentOf, show, omissions };
}
