import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** Folder for compiled code, next to Magpie's code: anyone who can write there can run code as Magpie. */
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
