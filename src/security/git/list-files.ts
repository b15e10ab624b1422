import type { Dir, Dirent } from 'node:fs';
import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathText } from './path-text.ts';
import type { Selection } from './selection.ts';

/**
 * Folders that are left out where no git says what belongs to the tree: other people's code that a lockfile
 * names anyway, what programs write again, and the stores of version control.
 */
const LEFT_OUT = new Set(
  'node_modules bower_components .git .hg .svn .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .terraform'.split(
    ' ',
  ),
);
const MAX_PATH = 4096;

/**
 * The regular files under `folder`, as bytes of paths from it, in no order. No link is followed; what is left out
 * is counted in `selection`. At most `maxEntries` entries are read.
 */
export async function listFiles(
  folder: string,
  selection: Selection,
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

/** Names are read as latin1, a character a byte, so that those which are not UTF-8 come through. */
function openFolder(root: string, path: string): Promise<Dir> {
  const bytes = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
  return opendir(bytes as unknown as string, { encoding: 'latin1' as BufferEncoding });
}

/** Whether it is a folder that belongs to the tree; what does not is counted. */
function isWanted(entry: Dirent, name: string, selection: Selection): boolean {
  if (entry.isSymbolicLink()) selection.leaveLink(pathText(Buffer.from(name, 'latin1')));
  else if (!entry.isDirectory()) selection.leave('pipe, socket or device', 'pipes, sockets and devices');
  else if (LEFT_OUT.has(entry.name)) selection.leave(`folder ${entry.name}`, `folders ${entry.name}`);
  else if (name.length > MAX_PATH) {
    selection.leave('folder that is too deep', 'folders that are too deep', 'limits');
  } else return true;
  return false;
}
