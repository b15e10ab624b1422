import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file, and undefined where there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * Puts a text in a file's place in one step, with the rights that the file had, and keeps the old one beside it. A link stays a
 * link. Resolves with the path of the old one; undefined where there was none.
 */
export async function replaceFile(file: string, text: string, now: Date): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  const target = await realpath(file).catch(() => file);
  const old = await readIfThere(target);
  const mode = old === undefined ? 0o600 : (await stat(target)).mode & 0o777;
  const stamp = now.toISOString().replace(/[-:]|\.\d+Z$/g, '');
  const backup = old === undefined ? undefined : `${target}.before-magpie-${stamp}`;
  if (backup !== undefined) await writeFile(backup, old ?? '', { mode });
  const fresh = `${target}.${randomUUID()}`;
  await writeFile(fresh, text, { mode, flush: true });
  await chmod(fresh, mode);
  await rename(fresh, target);
  return backup;
}
