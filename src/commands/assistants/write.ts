import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function readFileIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export async function replaceFile(file: string, text: string, now: Date): Promise<string | undefined> {
  await mkdir(dirname(file), { recursive: true });
  const target = await realpath(file).catch(() => file);
  const old = await readFileIfExists(target);
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
