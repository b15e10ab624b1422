import { hasNoExtension, scriptExtension } from '../../lib/script-language.ts';
import type { FileTree, TreeFile } from '../trees/tree.ts';

/** Maximum number of files without extension to open. If there are more, most of them contain data. */
const MAX_OPENED_FILES = 5000;
const MAX_SCRIPT_BYTES = 2_000_000;
const MIN_SCRIPT_BYTES = 8;
const MAX_READS_AT_ONCE = 16;

export async function findScriptExtensions(
  tree: Pick<FileTree, 'files' | 'read'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const asked = tree.files
    .filter(
      ({ path, bytes }) => bytes >= MIN_SCRIPT_BYTES && bytes <= MAX_SCRIPT_BYTES && hasNoExtension(path),
    )
    .slice(0, MAX_OPENED_FILES);
  const found = new Map<string, string>();
  const ask = async (file: TreeFile) => {
    // An unreadable file counts as empty. The scan of the file reports the error.
    const content = await tree.read(file).catch(() => new Uint8Array());
    const ending = scriptExtension(Buffer.from(content.subarray(0, 300)).toString('latin1'));
    if (ending !== undefined) found.set(file.path, ending);
  };
  for (let at = 0; at < asked.length; at += MAX_READS_AT_ONCE) {
    signal.throwIfAborted();
    await Promise.all(asked.slice(at, at + MAX_READS_AT_ONCE).map(ask));
  }
  return found;
}
