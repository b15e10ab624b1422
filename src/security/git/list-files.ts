import type { Dir, Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { decodePath } from './process.ts';
import type { FileSelection } from './selection.ts';

const LEFT_OUT = new Set(
  'node_modules bower_components .git .hg .svn .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .terraform'.split(
    ' ',
  ),
);
const MAX_PATH = 4096;

/** Lists the relative paths of regular files as bytes, unsorted. Does not follow symbolic links. */
export async function listFiles(
  folder: string,
  selection: FileSelection,
  maxEntries: number,
  signal: AbortSignal,
): Promise<Buffer[]> {
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
