import type { FileTree, TreeFile } from './tree.ts';

/** Minimum and maximum size of a Git LFS pointer file in bytes. Source: docs/spec.md of git-lfs. */
const [MIN_POINTER_BYTES, MAX_POINTER_BYTES] = [100, 1024];
const BEGIN = 'version https://git-lfs.github.com/spec/v1';
const MAX_OPENED_FILES = 50_000;
const MAX_READS_AT_ONCE = 16;

export async function findLfsPointers(
  tree: Pick<FileTree, 'files' | 'read'>,
  minds: (path: string) => boolean,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly first: string }> {
  // A file that has changed counts as empty. The scan of the file reports the change.
  const textOf = (file: TreeFile) =>
    tree.read(file).then(
      (bytes) => Buffer.from(bytes.subarray(0, 65_536)).toString('latin1'),
      () => '',
    );
  const attributes = tree.files.filter(({ path }) => /(?:^|\/)\.gitattributes$/.test(path)).slice(0, 1000);
  const found: string[] = [];
  if (!(await some(attributes, async (file) => /\bfilter=lfs\b/.test(await textOf(file)), signal)))
    return { count: 0, first: '' };
  const small = tree.files.filter(
    ({ path, bytes }) => bytes >= MIN_POINTER_BYTES && bytes <= MAX_POINTER_BYTES && minds(path),
  );
  await some(
    small.slice(0, MAX_OPENED_FILES),
    async (file) => {
      if ((await textOf(file)).startsWith(BEGIN)) found.push(file.path);
      return false;
    },
    signal,
  );
  return { count: found.length, first: found.sort()[0] ?? '' };
}

async function some(
  files: readonly TreeFile[],
  holds: (file: TreeFile) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  for (let at = 0; at < files.length; at += MAX_READS_AT_ONCE) {
    signal.throwIfAborted();
    if ((await Promise.all(files.slice(at, at + MAX_READS_AT_ONCE).map(holds))).includes(true)) return true;
  }
  return false;
}
