import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathText } from './path-text.ts';
import type { Selection } from './selection.ts';

/**
 * Folders that are left out where no git says what belongs to the tree: other people's code that a lockfile
 * names anyway, what programs make anew, and the stores of version control.
 */
const LEFT_OUT = new Set(
  'node_modules bower_components .git .hg .svn .venv venv __pycache__ .tox .nox .mypy_cache .pytest_cache .gradle .terraform'.split(
    ' ',
  ),
);
const LONGEST = 4096;

/**
 * The regular files under `folder`, as bytes of paths from it, in no order. No link is followed; what is left out
 * is counted in `selection`. At most `most` entries are looked at.
 */
export async function walk(
  folder: string,
  selection: Selection,
  most: number,
  signal: AbortSignal,
): Promise<Buffer[]> {
  const files: Buffer[] = [];
  const folders: string[] = [''];
  let entries = 0;
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    // Read as latin1: a sign a byte, so that names which are no UTF-8 come through.
    const path = Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(at, 'latin1')]);
    try {
      for await (const entry of await opendir(path as unknown as string, {
        encoding: 'latin1' as BufferEncoding,
      })) {
        signal.throwIfAborted();
        if (++entries > most) {
          selection.leave(`or more entries past the first ${most}`, '', 'limits');
          return files;
        }
        const name = join(at, entry.name);
        if (entry.isSymbolicLink()) selection.leaveLink(pathText(Buffer.from(name, 'latin1')));
        else if (entry.isFile()) files.push(Buffer.from(name, 'latin1'));
        else if (!entry.isDirectory())
          selection.leave('pipe, socket or device', 'pipes, sockets and devices');
        else if (LEFT_OUT.has(entry.name)) selection.leave(`folder ${entry.name}`, `folders ${entry.name}`);
        else if (name.length > LONGEST)
          selection.leave('folder that is too deep', 'folders that are too deep', 'limits');
        else folders.push(name);
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error && 'code' in error)) throw error;
      selection.leave('folder that cannot be read', 'folders that cannot be read', 'unreadable');
    }
  }
  return files;
}
