import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Returns the folder for compiled code. It is next to Magpie's code, because anyone who can write to it can run code. */
function compiledCodeFolder(): string {
  const root = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
  return fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
}

/** Stores the compiled form of code that is loaded from now on, for faster starts. Returns the folder. */
export function keepCompiledCode(): string {
  const folder = compiledCodeFolder();
  module.enableCompileCache?.(folder);
  return folder;
}

export const compiledCodeEnvironment = () => ({ NODE_COMPILE_CACHE: compiledCodeFolder() });
