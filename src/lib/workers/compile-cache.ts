import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Where Node.js keeps compiled code. It lies beside the code, and not in a folder for temporary files, where Node.js would
 * put it: anyone who can change it decides what is run.
 */
function compiledCodeFolder(): string {
  const root = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
  return fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
}

/**
 * Has Node.js keep the compiled code of what this thread loads from here on, for the next start. Gives the folder. Where that
 * folder cannot be written, or Node.js keeps nothing, this does nothing.
 */
export function keepCompiledCode(): string {
  const folder = compiledCodeFolder();
  module.enableCompileCache?.(folder);
  return folder;
}

/** The environment of a process whose first module, and whose threads, are to find their compiled code too. */
export const compiledCodeEnvironment = () => ({ NODE_COMPILE_CACHE: compiledCodeFolder() });
