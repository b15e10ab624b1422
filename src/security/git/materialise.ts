import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TreeFile } from '../trees/tree.ts';

export interface MaterialiseOptions {
  readonly files: readonly TreeFile[];
  read(file: TreeFile): Promise<Uint8Array>;
  /** New and empty. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

const MAX_WRITES_AT_ONCE = 8;
/** Most bytes of one name, as file systems have it, and of a path. */
const MAX_NAME_BYTES = 255;
const MAX_PATH_BYTES = 1024;
/** A name that some system takes for `.git`, for a folder above, for a stream, or for another name. */
const HARMFUL = /^(\.git|git~\d+)$|[. ]$|[\\:]/i;
/** Controls, and what cannot be seen: HFS+ drops some of it, so that `.g\u200cit` is `.git`. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}]/u;

/**
 * Writes plain files of mode 600 under names that are harmless on any disk; no link is made, none is followed, and
 * nothing is written twice where the disk takes two names for one. Gives how many files were not written.
 */
export async function materialise({ files, read, folder, signal }: MaterialiseOptions): Promise<number> {
  let skipped = 0;
  let next = 0;
  const write = async () => {
    for (let file = files[next++]; file; file = files[next++]) {
      signal.throwIfAborted();
      if (!isHarmless(file.path)) skipped++;
      else if (!(await writeNew(join(folder, file.path), await read(file)))) skipped++;
    }
  };
  await Promise.all(Array.from({ length: MAX_WRITES_AT_ONCE }, write));
  return skipped;
}

/** Whether a path of a repository may become one on a disk. */
export function isHarmless(path: string): boolean {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES || UNSEEN.test(path)) return false;
  return path
    .split('/')
    .every((name) => name !== '' && Buffer.byteLength(name) <= MAX_NAME_BYTES && !HARMFUL.test(name));
}

/** False where the name is taken, by a file or by a folder. */
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
