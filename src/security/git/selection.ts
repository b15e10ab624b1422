import type { TreeFile } from '../tree.ts';

/** How much of a tree is looked at. */
export interface TreeLimits {
  /** Files. */
  readonly files: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files. */
  readonly treeBytes: number;
}

/** What takes files into a tree, and remembers what it did not take. */
export interface Selection {
  readonly files: readonly TreeFile[];
  /** Whether a file may come in, which is counted either way. */
  fits(path: string, bytes: number): boolean;
  /** One that fits. */
  add(file: TreeFile): void;
  /** Counts one that is left out, in words of singular and plural: `symbolic link`, `symbolic links`. */
  leave(one: string, many: string): void;
  /** Whether nothing more will fit, so that looking on is of no use. */
  readonly full: boolean;
  /** Sorts the files by path. */
  sort(): void;
  /** In plain words. */
  left(): string[];
}

/** Of a path, in characters: what goes beyond is no name that anybody gave. */
const LONGEST_PATH = 4096;
/** Of all paths together, so that deep trees of long names cannot take the memory that a few files may. */
const PATHS = 64 * 2 ** 20;

export function createSelection({ files: most, fileBytes, treeBytes }: TreeLimits): Selection {
  const files: TreeFile[] = [];
  const counts = new Map<string, { many: string; count: number }>();
  let count = 0;
  let bytes = 0;
  let letters = 0;
  let full = false;
  const leave = (one: string, many: string) => {
    const entry = counts.get(one) ?? { many, count: 0 };
    entry.count++;
    counts.set(one, entry);
  };
  const over = (size: string) => {
    leave(`file over ${size}`, `files over ${size}`);
    return false;
  };
  return {
    files,
    get full() {
      return full;
    },
    fits(path, size) {
      if (size > fileBytes) return over(inWords(fileBytes));
      if (path.length > LONGEST_PATH) {
        leave('file with a path that is too long', 'files with a path that is too long');
        return false;
      }
      if (count >= most || letters + path.length > PATHS) {
        full = true;
        return false;
      }
      if (bytes + size > treeBytes) {
        leave(
          `file past the first ${inWords(treeBytes)} of the tree`,
          `files past the first ${inWords(treeBytes)} of the tree`,
        );
        return false;
      }
      count++;
      bytes += size;
      letters += path.length;
      return true;
    },
    add(file) {
      files.push(file);
    },
    leave,
    sort() {
      files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
    left: () => [
      ...[...counts].map(([one, { many, count: times }]) => `${times} ${times === 1 ? one : many}`),
      ...(full ? [`all files past the first ${count}`] : []),
    ],
  };
}

/** `10 MB`, `512 kB`, `3 bytes`: units of 1,024. */
export function inWords(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Math.round(bytes / 2 ** 18) / 4} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} kB` : `${bytes} bytes`;
}
