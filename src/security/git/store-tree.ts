import { createOmissions } from '../scans/omissions.ts';
import type { FileTree } from '../trees/tree.ts';
import { type GitHistoryOptions, readGitHistory } from './history.ts';
import { openObjectReader } from './object-reader.ts';
import { brokenRepositoryError, decodePath, readRecords } from './process.ts';
import { createFileSelection, type FileSelection, type TreeOptions } from './selection.ts';
import type { GitStore } from './store.ts';
import { writeTreeFiles } from './write-tree-files.ts';

export interface StoppableTree extends FileTree {
  stop(): void;
}

export interface StoreTreeOptions
  extends Pick<GitHistoryOptions, 'store' | 'commit' | 'prefix'>,
    TreeOptions {}

export async function openStoreTree(options: StoreTreeOptions): Promise<StoppableTree> {
  const { store, commit, limits, deep, prefix } = options;
  const selection = createFileSelection(limits, options.minds);
  await list(options, selection);
  const omissions = createOmissions();
  selection.report(omissions);
  const life = new AbortController();
  const contents = openObjectReader(await store.start(['cat-file', '--batch'], life.signal), 'contents');
  const { files } = selection;
  const read = async ({ blob, path }: { blob: string; path: string }) => {
    const object = await contents.readObject(blob);
    if (object?.type !== 'blob')
      throw brokenRepositoryError(`${JSON.stringify(path.slice(0, 200))} is not there`);
    return object.content;
  };
  return {
    files,
    left: omissions.left,
    gaps: omissions.gaps,
    commit,
    read,
    materialise: (folder, stop) => writeTreeFiles({ files, read, folder, signal: stop }),
    signatures: (stop) => countSignedCommits(store, commit, AbortSignal.any([stop, life.signal])),
    history: (stop) =>
      deep
        ? readGitHistory({
            store,
            commit,
            files,
            omissions,
            prefix,
            signal: AbortSignal.any([stop, life.signal]),
          })
        : yieldNothing(),
    stop() {
      contents.close();
      life.abort();
    },
  };
}

export async function* yieldNothing(): AsyncGenerator<never> {}

const LINE = /^(\d{6}) (\w+) ([0-9a-f]{40,64}) +(\d+|-|BAD)\t/;

async function list(options: StoreTreeOptions, selection: FileSelection): Promise<void> {
  const { store, commit, prefix, signal } = options;
  const process = await store.start(
    ['ls-tree', '-r', '-z', '-l', '--full-tree', commit, ...(prefix ? [prefix] : [])],
    signal,
    { env: { GIT_LITERAL_PATHSPECS: '1' } },
  );
  process.stdin.end();
  for await (const record of readRecords(process, 0)) {
    // The path after the tab may contain any bytes. The record before the tab is ASCII.
    const tab = record.indexOf(9);
    const [, mode = '', type, blob = '', size = ''] = LINE.exec(record.toString('latin1', 0, tab + 1)) ?? [];
    const path = decodePath(record.subarray(tab + 1)).slice(prefix.length);
    if (mode === '120000') selection.leaveLink(path);
    else if (mode === '160000') selection.leave('submodule', 'submodules', 'submodules');
    else if (type !== 'blob') throw brokenRepositoryError('its tree is malformed');
    // Git prints the size `BAD` for a file that the server did not send because it is too large.
    else if (selection.fits(path, size === 'BAD' ? Number.POSITIVE_INFINITY : Number(size))) {
      selection.addFile({ path, bytes: Number(size), blob });
    }
    if (selection.full) return;
  }
  const { ok, stderr } = await process.ended;
  signal.throwIfAborted();
  if (!ok) throw brokenRepositoryError('its tree is malformed', stderr);
}

const MAX_COMMITS = '50';

/** Counts signed commits among the newest 50. Does not verify them, because git would run gpg for that. */
export async function countSignedCommits(store: Pick<GitStore, 'run'>, commit: string, signal: AbortSignal) {
  const { ok, out } = await store.run(['rev-list', '--header', `--max-count=${MAX_COMMITS}`, commit], signal);
  const commits = ok
    ? out
        .toString('latin1')
        .split('\0')
        .filter((one) => one.trim() !== '')
    : [];
  const signed = commits.filter((one) => /^gpgsig(?:-sha256)? /m.test(headersOf(one)));
  return { seen: commits.length, signed: signed.length };
}

function headersOf(commit: string): string {
  const end = commit.indexOf('\n\n');
  return end < 0 ? commit : commit.slice(0, end);
}
