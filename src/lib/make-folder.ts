import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents, accessible only to the current user. Creates them one by one, since Node's recursive
 * `mkdir` never returns under a folder such as /proc, in which nothing can be created. Throws the system's error.
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let path = folder; !existsSync(path) && path !== dirname(path); path = dirname(path))
    missing.push(path);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path, { mode: 0o700 });
    } catch (error) {
      // Another process may have created it meanwhile.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
  // If a file is in the place of the folder, this throws the system's error.
  if (missing.length === 0) mkdirSync(folder, { recursive: true });
}
