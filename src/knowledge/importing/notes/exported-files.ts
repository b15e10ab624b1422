import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Name of the hidden file in which an export notes the files that it wrote. */
export const EXPORT_LOG_FILE = '.magpie-export.jsonl';

export function computeFileDigest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Returns the digests of the files that an export wrote into a folder. Copies of these files were not edited. */
export async function readExportedDigests(folder: string): Promise<ReadonlySet<string>> {
  const log = await readFile(join(folder, EXPORT_LOG_FILE), 'utf8').catch(() => '');
  return new Set(log.match(/[0-9a-f]{32}/g));
}
