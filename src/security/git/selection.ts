import type { GapKind, Omissions } from '../scans/omissions.ts';
import type { Minds, TreeFile } from '../trees/tree.ts';

/** How much of a tree is read. */
export interface TreeLimits {
  /** Files. */
  readonly files: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files. */
  readonly treeBytes: number;
  /** Names of any kind that are read: a folder may hold many more things than files. */
  readonly entries: number;
}

/** What takes files into a tree, and remembers what it did not take. */
export interface Selection {
  readonly files: readonly TreeFile[];
  /** Whether a file may come in, which is counted either way. */
  fits(path: string, bytes: number): boolean;
  /** One that fits. */
  addFile(file: TreeFile): void;
  /**
   * Counts one that is left out, in words of singular and plural: `symbolic link`, `symbolic links`. A gap where it is
   * of a kind.
   */
  leave(one: string, many: string, kind?: GapKind): void;
  /** A symbolic link, which is never followed. */
  leaveLink(path: string): void;
  /** Whether nothing more will fit, so that reading further is of no use. */
  readonly full: boolean;
  /** Sorts the files by path. */
  sort(): void;
  /** Reports what was left out. */
  report(omissions: Omissions): void;
}

/** Of a path, in characters: longer ones are not names that people give. */
const MAX_PATH_CHARACTERS = 4096;
/** Of all paths together, so that deep trees of long names cannot take the memory that a few files may. */
const MAX_PATHS_CHARACTERS = 64 * 2 ** 20;

/** `minds` says which paths a scanner reads: leaving out others is not a gap. */
export function createSelection(
  { files: most, fileBytes, treeBytes }: TreeLimits,
  minds: Minds = (_, as) => as === 'file',
): Selection {
  const files: TreeFile[] = [];
  const counts = new Map<string, { many: string; count: number; kind: GapKind | undefined }>();
  let count = 0;
  let bytes = 0;
  let letters = 0;
  let full = false;
  const leave = (one: string, many: string, kind?: GapKind) => {
    const entry = counts.get(one) ?? { many, count: 0, kind };
    entry.count++;
    counts.set(one, entry);
  };
  const over = (path: string, size: string) => {
    if (minds(path, 'file')) leave(`file over ${size}`, `files over ${size}`, 'large-files');
    else leave(`file over ${size} that no scanner reads`, `files over ${size} that no scanner reads`);
    return false;
  };
  return {
    files,
    get full() {
      return full;
    },
    fits(path, size) {
      if (size > fileBytes) return over(path, inWords(fileBytes));
      if (path.length > MAX_PATH_CHARACTERS) {
        leave('file with a path that is too long', 'files with a path that is too long', 'limits');
        return false;
      }
      if (count >= most || letters + path.length > MAX_PATHS_CHARACTERS) {
        full = true;
        return false;
      }
      if (bytes + size > treeBytes) {
        leave(
          `file past the first ${inWords(treeBytes)} of the tree`,
          `files past the first ${inWords(treeBytes)} of the tree`,
          'limits',
        );
        return false;
      }
      count++;
      bytes += size;
      letters += path.length;
      return true;
    },
    addFile(file) {
      files.push(file);
    },
    leave,
    leaveLink(path) {
      if (minds(path, 'link'))
        leave('lockfile that is a symbolic link', 'lockfiles that are symbolic links', 'links');
      else leave('symbolic link', 'symbolic links');
    },
    sort() {
      files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
    report(omissions) {
      for (const [one, { many, count: times, kind }] of counts) {
        const what = `${times} ${times === 1 ? one : many}`;
        if (kind) omissions.miss(kind, what);
        else omissions.leave(what);
      }
      if (full) omissions.miss('limits', `all files past the first ${count}`);
    },
  };
}

/** `10 MB`, `512 kB`, `3 bytes`: units of 1,024. */
export function inWords(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Math.round(bytes / 2 ** 18) / 4} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} kB` : `${bytes} bytes`;
}
