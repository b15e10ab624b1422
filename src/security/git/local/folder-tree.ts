import type { Dir, Dirent } from 'node:fs';
import { lstat, opendir, readdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { upstreamError } from '../../../errors.ts';
import { limitProcessGroup } from '../../../lib/workers/process-time.ts';
import { createOmissions, type ScanOmissions } from '../../scans/omissions.ts';
import type { TreeFile } from '../../trees/tree.ts';
import { readGitHistory } from '../history.ts';
import { decodePath, readRecords } from '../process.ts';
import { createFileSelection, type FileSelection, type TreeOptions } from '../selection.ts';
import { countSignedCommits, type StoppableTree, yieldNothing } from '../store-tree.ts';
import { writeTreeFiles } from '../write-tree-files.ts';
import type { LocalRepository, LocalStore } from './local-repository.ts';
import { blobId, readRegularFile } from './plain-file.ts';

export interface FolderTreeOptions extends TreeOptions {
  readonly folder: string;
  readonly only?: Buffer[] | undefined;
  readonly local?: LocalRepository & LocalStore;
  progress(message: string): void;
}

const MAX_READS_AT_ONCE = 16;
/** Processor time in ms for git to list a folder. If git needs more, Magpie lists the folder itself. */
const LIST_TIMEOUT_MS = 120_000;
/** Maximum total size in bytes of the file names that git lists. Bounds the memory. */
const MAX_NAMES_BYTES = 256 * 2 ** 20;

export async function openFolderTree(options: FolderTreeOptions): Promise<StoppableTree> {
  const { folder, local, limits, deep, signal } = options;
  const selection = createFileSelection(limits, options.minds);
  const named = options.only ?? (local && (await listed(options, local, selection)));
  const paths = named ?? (await listFiles(folder, selection, limits.entries, signal));
  const odd = await take(options, paths, selection);
  const omissions = createOmissions();
  selection.report(omissions);
  if (named?.length === 0 && (await readdir(folder)).some((name) => name !== '.git')) {
    omissions.miss('ignored', 'the folder: git ignores all that is in it');
  }
  const commit = local?.objects === true ? await headOf(local, signal) : undefined;
  if (deep) tellHistory(omissions, local, commit, local?.objects === true && (await isUnborn(local, signal)));
  const life = new AbortController();
  const pathOf = (path: string) =>
    Buffer.concat([Buffer.from(`${folder}/`), odd.get(path) ?? Buffer.from(path)]);
  const read = async ({ path, bytes, blob }: TreeFile) => {
    const content = await readRegularFile(pathOf(path), bytes);
    if (content && blobId(content) === blob) return content;
    const shown = JSON.stringify(path.length > 200 ? `${path.slice(0, 197)}...` : path);
    throw upstreamError(`${shown} was changed while it was scanned: scan again`);
  };
  const { files } = selection;
  return {
    files,
    left: omissions.left,
    gaps: omissions.gaps,
    commit,
    read,
    materialise: (target, stop) => writeTreeFiles({ files, read, folder: target, signal: stop }),
    signatures:
      local && commit !== undefined
        ? (stop) => countSignedCommits(local.store, commit, AbortSignal.any([stop, life.signal]))
        : undefined,
    history: (stop) =>
      deep && local && commit !== undefined
        ? readGitHistory({ ...local, commit, files, omissions, signal: AbortSignal.any([stop, life.signal]) })
        : yieldNothing(),
    stop: () => life.abort(),
  };
}

function tellHistory(
  omissions: ScanOmissions,
  local: LocalStore | undefined,
  commit: string | undefined,
  unborn: boolean,
): void {
  const miss = (what: string) => omissions.miss('history', what);
  if (!local) omissions.leave('the history: the folder is not under git');
  else if (local.objects !== true) miss(`the history: ${local.objects}`);
  else if (commit === undefined && unborn) omissions.leave('the history: there is no commit yet');
  else if (commit === undefined) miss('the history: no commit can be read');
  else if (local.shallow) miss('the part of the history that a shallow clone does not have');
}

async function isUnborn({ store }: LocalStore, signal: AbortSignal): Promise<boolean> {
  const { ok, out } = await store.run(['for-each-ref', '--count=1'], signal);
  return ok && out.length === 0;
}

async function headOf({ store }: LocalStore, signal: AbortSignal): Promise<string | undefined> {
  const { ok, out } = await store.run(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], signal);
  return ok ? out.toString().trim() : undefined;
}

async function listed(
  { folder, limits, signal }: FolderTreeOptions,
  { store, top }: LocalRepository & LocalStore,
  selection: FileSelection,
): Promise<Buffer[] | undefined> {
  if (top === undefined) return undefined;
  const process = await store.start(
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    signal,
    { cwd: folder, env: { GIT_WORK_TREE: top } },
  );
  process.stdin.end();
  const unwatch = limitProcessGroup(process.group, LIST_TIMEOUT_MS, process.kill);
  void process.ended.catch(() => {}).finally(unwatch);
  const paths: Buffer[] = [];
  let bytes = 0;
  for await (const path of readRecords(process, 0)) {
    bytes += path.length;
    if (paths.length >= limits.entries || bytes > MAX_NAMES_BYTES) {
      const past = `past the first ${paths.length} that git names`;
      selection.leave(`or more names ${past}`, '', 'limits');
      return paths;
    }
    paths.push(Buffer.from(path));
  }
  const { ok } = await process.ended;
  signal.throwIfAborted();
  return ok ? paths : undefined;
}

async function take(
  { folder, limits, signal, progress }: FolderTreeOptions,
  paths: Buffer[],
  selection: FileSelection,
): Promise<Map<string, Buffer>> {
  const odd = new Map<string, Buffer>();
  const inside = insideOf();
  paths.sort(Buffer.compare);
  for (let at = 0; at < paths.length && !selection.full; at += MAX_READS_AT_ONCE) {
    signal.throwIfAborted();
    const some = paths.slice(at, at + MAX_READS_AT_ONCE);
    const sizes = await Promise.all(some.map((path) => sizeOf(folder, path, selection)));
    const fitting = some.filter((path, index) => {
      const bytes = sizes[index];
      return bytes !== undefined && selection.fits(decodePath(path), bytes);
    });
    const contents = await Promise.all(
      fitting.map(async (bytes) => {
        const whole = Buffer.concat([Buffer.from(`${folder}/`), bytes]);
        const content = await readRegularFile(whole, limits.fileBytes);
        return content && (await inside(whole))
          ? { bytes: content.length, blob: blobId(content) }
          : undefined;
      }),
    );
    for (const [index, path] of fitting.entries()) {
      const found = contents[index];
      const text = decodePath(path);
      if (!found) selection.leave('file that cannot be read', 'files that cannot be read', 'unreadable');
      else selection.addFile({ path: text, ...found });
      if (found && !Buffer.from(text).equals(path)) odd.set(text, path);
    }
    if (at % 4096 === 0 && at > 0) progress(`reading files: ${at} of ${paths.length}`);
  }
  selection.sort();
  return odd;
}

async function sizeOf(folder: string, path: Buffer, selection: FileSelection): Promise<number | undefined> {
  const stat = await lstat(Buffer.concat([Buffer.from(`${folder}/`), path])).catch(() => undefined);
  if (stat?.isFile()) return stat.size;
  if (stat?.isSymbolicLink()) selection.leaveLink(decodePath(path));
  else if (stat?.isDirectory())
    selection.leave('repository inside it', 'repositories inside it', 'submodules');
  else if (stat) selection.leave('pipe, socket or device', 'pipes, sockets and devices');
  return undefined;
}

/** Returns a check that no folder in a path is a symbolic link. Run the check after reading the file. */
function insideOf(): (path: Buffer) => Promise<boolean> {
  let last: { readonly parent: string; readonly real: Promise<boolean> } | undefined;
  return (path) => {
    const parent = dirname(path.toString('latin1'));
    if (last?.parent !== parent) {
      const bytes = Buffer.from(parent, 'latin1');
      const real = realpath(bytes, { encoding: 'buffer' }).then(
        (found) => found.equals(bytes),
        () => false,
      );
      last = { parent, real };
    }
    return last.real;
  };
}

const LEFT_OUT = new Set(
  'node_modules bower_components .git .hg .svn .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .terraform'.split(
    ' ',
  ),
);
const MAX_PATH = 4096;

/** Lists the relative paths of regular files as bytes, unsorted. Does not follow symbolic links. */
async function listFiles(folder: string, selection: FileSelection, maxEntries: number, signal: AbortSignal) {
  const files: Buffer[] = [];
  const folders: string[] = [''];
  let entries = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    try {
      for await (const entry of await openFolder(folder, at)) {
        signal.throwIfAborted();
        if (++entries > maxEntries) {
          selection.leave(`or more entries past the first ${maxEntries}`, '', 'limits');
          return files;
        }
        const name = join(at, entry.name);
        if (entry.isFile()) files.push(Buffer.from(name, 'latin1'));
        else if (isWanted(entry, name, selection)) folders.push(name);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error && 'code' in error)) throw error;
      selection.leave('folder that cannot be read', 'folders that cannot be read', 'unreadable');
    }
  }
  return files;
}

/** Opens a folder. File names are decoded as latin1, which keeps all bytes of names that are not UTF-8. */
function openFolder(root: string, path: string): Promise<Dir> {
  const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  return opendir(bytes as unknown as string, { encoding: 'latin1' as BufferEncoding });
}

function isWanted(entry: Dirent, name: string, selection: FileSelection): boolean {
  if (entry.isSymbolicLink()) selection.leaveLink(decodePath(Buffer.from(name, 'latin1')));
  else if (!entry.isDirectory()) selection.leave('pipe, socket or device', 'pipes, sockets and devices');
  else if (LEFT_OUT.has(entry.name)) selection.leave(`folder ${entry.name}`, `folders ${entry.name}`);
  else if (name.length > MAX_PATH) {
    selection.leave('folder that is too deep', 'folders that are too deep', 'limits');
  } else return true;
  return false;
}
