import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import type { Knowledge, KnowledgeEntry } from '../../types.ts';
import { fileTimeToMicros } from '../import-values.ts';

/** Name of the hidden file in which an export notes the files that it wrote. */
export const EXPORT_LOG_FILE = '.magpie-export.jsonl';

/** Returns the time of a file's last change, or 0 for a file that is as it was exported. */
export function findEditTime(content: Uint8Array, modifiedAt?: number, exported?: ReadonlySet<string>) {
  return exported?.has(computeFileDigest(content)) ? 0 : fileTimeToMicros(modifiedAt);
}

export function computeFileDigest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Returns the digests of the files that an export wrote into a folder. Copies of these files were not edited. */
export async function readExportedDigests(folder: string): Promise<ReadonlySet<string>> {
  const log = await readFile(join(folder, EXPORT_LOG_FILE), 'utf8').catch(() => '');
  return new Set(log.match(/[0-9a-f]{32}/g));
}

type Change = Parameters<Knowledge['updateEntry']>[2] &
  Readonly<Partial<Record<'updatedAt' | 'editedAt', number | undefined>>>;

/** Changes the entry of which a note is an export, unless the entry is newer. Returns true if it changes. */
export async function updateExported(
  knowledge: Pick<Knowledge, 'updateEntry'>,
  owner: string,
  there: KnowledgeEntry,
  { updatedAt = there.updatedAt, editedAt = updatedAt, ...given }: Change,
  signal: AbortSignal,
): Promise<boolean> {
  const change = omitUndefined(given);
  const isSame = JSON.stringify({ ...there, ...change }) === JSON.stringify(there);
  const isOlder = updatedAt < there.updatedAt ? editedAt < there.updatedAt : editedAt === 0;
  if (isSame || (isOlder && updatedAt <= there.updatedAt)) return false;
  const changedAt = updatedAt > there.updatedAt ? updatedAt : Math.max(editedAt, there.updatedAt);
  await knowledge.updateEntry(owner, there.id, change, signal, changedAt);
  return true;
}
