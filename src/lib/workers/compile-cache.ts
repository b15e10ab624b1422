import module from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * Returns the folder in which Node.js caches compiled code. It lies next to the code, not in the temporary folder that Node.js
 * would use, since anyone who can change the cache decides what code runs.
 */
function compiledCodeFolder(): string {
  const root = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
  return fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
}

/**
 * Lets Node.js cache the compiled code of everything that this thread loads from now on, and returns the folder of the cache. If
 * the folder is not writable or Node.js has no such cache, nothing is cached.
 */
export function keepCompiledCode(): string {
  const folder = compiledCodeFolder();
  module.enableCompileCache?.(folder);
  return folder;
}

/** Returns the environment variables by which a new process and its threads use the compile cache from their first module on. */
export const compiledCodeEnvironment = () => ({ NODE_COMPILE_CACHE: compiledCodeFolder() });
