import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Returns the folder for compiled code. It is next to the code, because anyone who can change the cache decides what runs. */
function compiledCodeFolder(): string {
  const root = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
  return fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
}

/** Caches the code that this thread loads from now on, and returns the folder. Without write access, nothing is cached. */
export function keepCompiledCode(): string {
  const folder = compiledCodeFolder();
  module.enableCompileCache?.(folder);
  return folder;
}

export const compiledCodeEnvironment = () => ({ NODE_COMPILE_CACHE: compiledCodeFolder() });
