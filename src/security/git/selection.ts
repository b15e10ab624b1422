import type { ScanGapKind, ScanOmissions } from '../scans/omissions.ts';
import type { ReadPredicate, TreeFile } from '../trees/tree.ts';

export interface TreeLimits {
  readonly files: number;
  readonly fileBytes: number;
  readonly treeBytes: number;
  readonly entries: number;
}

export interface TreeOptions {
  readonly limits: TreeLimits;
  readonly deep: boolean;
  readonly minds?: ReadPredicate | undefined;
  readonly signal: AbortSignal;
}

export type FileSelection = ReturnType<typeof createFileSelection>;

const MAX_PATH_CHARACTERS = 4096;
const MAX_PATHS_CHARACTERS = 64 * 2 ** 20;

export function createFileSelection(
  { files: most, fileBytes, treeBytes }: TreeLimits,
  minds: ReadPredicate = (_, as) => as === 'file',
) {
  const files: TreeFile[] = [];
  const counts = new Map<string, { many: string; count: number; kind: ScanGapKind | undefined }>();
  let count = 0;
  let bytes = 0;
  let letters = 0;
  let full = false;
  const leave = (one: string, many: string, kind?: ScanGapKind) => {
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
    /** True if the limit of files or of total path length is reached. Listing can then stop. */
    get full() {
      return full;
    },
    /** Returns true if the file is within the limits. Otherwise counts the file as skipped in the report. */
    fits(path: string, size: number) {
      if (size > fileBytes) return over(path, formatBytes(fileBytes));
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
          `file past the first ${formatBytes(treeBytes)} of the tree`,
          `files past the first ${formatBytes(treeBytes)} of the tree`,
          'limits',
        );
        return false;
      }
      count++;
      bytes += size;
      letters += path.length;
      return true;
    },
    addFile(file: TreeFile) {
      files.push(file);
    },
    leave,
    /** Counts a symbolic link. Links are never followed. */
    leaveLink(path: string) {
      if (minds(path, 'link'))
        leave('lockfile that is a symbolic link', 'lockfiles that are symbolic links', 'links');
      else leave('symbolic link', 'symbolic links');
    },
    sort() {
      files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
    },
    report(omissions: ScanOmissions) {
      for (const [one, { many, count: times, kind }] of counts) {
        const what = `${times} ${times === 1 ? one : many}`;
        if (kind) omissions.miss(kind, what);
        else omissions.leave(what);
      }
      if (full) omissions.miss('limits', `all files past the first ${count}`);
    },
  };
}

/** Formats a size in units of 1,024: `10 MB`, `512 kB`, `3 bytes`. */
export function formatBytes(bytes: number): string {
  if (bytes >= 2 ** 20) return `${Math.round(bytes / 2 ** 18) / 4} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} kB` : `${bytes} bytes`;
}
