import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Has Node.js keep the compiled code of what this thread loads from here on, for the next start. Gives the folder. It lies beside the
 * code, and not in a folder for temporary files, where Node.js would put it: anyone who can change it decides what is run.
 * Where that folder cannot be written, or Node.js keeps nothing, this does nothing.
 */
export function keepCompiledCode(): string {
  const root = import.meta.url.endsWith('.ts') ? '../..' : '../../..';
  const folder = fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
  module.enableCompileCache?.(folder);
  return folder;
}
