import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Folder of the compile cache. Magpie runs this code, so protect the folder like Magpie's own code. */
function compiledCodeFolder(): string {
  const root = import.meta.url.endsWith('.ts') ? '../../..' : '../../../..';
  return fileURLToPath(new URL(`${root}/node_modules/.cache/magpie`, import.meta.url));
}

export function keepCompiledCode(): string {
  const folder = compiledCodeFolder();
  module.enableCompileCache?.(folder);
  return folder;
}

export const compiledCodeEnvironment = () => ({ NODE_COMPILE_CACHE: compiledCodeFolder() });
