import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TreeFile } from '../trees/tree.ts';

const MAX_WRITES_AT_ONCE = 8;
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1024;
/** Matches names that are special on some system: `.git`, `git~1`, `a\b`, `a:b`, final dots or spaces. */
const HARMFUL = /^(\.git|git~\d+)$|[. ]$|[\\:]/i;
/** Matches control and invisible characters. The file system HFS+ reads `.g\u200cit` as `.git`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u;

/** Writes files into a folder. Skips repeated names and unsafe names. Returns the number of skipped files. */
export async function writeTreeFiles({
  files,
  read,
  folder,
  signal,
}: {
  readonly files: readonly TreeFile[];
  read(file: TreeFile): Promise<Uint8Array>;
  /** Target folder, which must be new and empty. */
  readonly folder: string;
  readonly signal: AbortSignal;
}): Promise<number> {
  let skipped = 0;
  let next = 0;
  const write = async () => {
    for (let file = files[next++]; file; file = files[next++]) {
      signal.throwIfAborted();
      if (!isSafePath(file.path)) skipped++;
      else if (!(await writeNew(join(folder, file.path), await read(file)))) skipped++;
    }
  };
  await Promise.all(Array.from({ length: MAX_WRITES_AT_ONCE }, write));
  return skipped;
}

export function isSafePath(path: string): boolean {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || UNSEEN.test(path)) return false;
  return path
    .split('/')
    .every((name) => name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && !HARMFUL.test(name));
}

async function writeNew(path: string, content: Uint8Array): Promise<boolean> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EILSEQ', 'EINVAL'].includes(code)) return false;
    throw error;
  }
}
