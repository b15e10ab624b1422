import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { omitUndefined } from '../../../lib/omit-undefined.ts';
import { checkTimes } from '../../entries/new-entry.ts';
import type { Knowledge, KnowledgeEntry } from '../../types.ts';
import { fileTimeToMicros } from '../import-values.ts';

/** Name of the hidden file in which an export notes the files that it wrote. */
export const EXPORT_LOG_FILE = '.magpie-export.jsonl';

/**
 * Returns the time of a file's last change, or 0 for a file that is as it was exported. Returns undefined without
 * the log of an export, because a copy of an unedited file also has a late time.
 */
export function findEditTime(content: Uint8Array, modifiedAt?: number, exported?: ReadonlySet<string>) {
  if (!exported?.size) return undefined;
  return exported.has(computeFileDigest(content)) ? 0 : fileTimeToMicros(modifiedAt);
}

export function computeFileDigest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex').slice(0, 32);
}

/** Returns the digests of the files that an export wrote into a folder. Copies of these files were not edited. */
export async function readExportedDigests(folder: string): Promise<ReadonlySet<string>> {
  const read = (at: string) => readFile(join(at, EXPORT_LOG_FILE), 'utf8');
  // The folder may be that of one collection.
  const log = await read(folder).catch(() => read(dirname(folder)).catch(() => ''));
  return new Set(log.match(/[0-9a-f]{32}/g));
}

type Change = Parameters<Knowledge['updateEntry']>[2] &
  Readonly<Partial<Record<'updatedAt' | 'editedAt', number | undefined>>>;

/** Changes the entry of which a note is an export, unless the entry is newer. Returns true if it changes. Throws AppError `bad_request` for a future time. */
export async function updateExported(
  knowledge: Pick<Knowledge, 'updateEntry'>,
  owner: string,
  there: KnowledgeEntry,
  { updatedAt = there.updatedAt, editedAt = updatedAt, ...given }: Change,
  signal: AbortSignal,
): Promise<boolean> {
  const change = omitUndefined(given);
  const before = { validUntil: 0, ...there };
  const isSame = JSON.stringify({ ...before, ...change }) === JSON.stringify(before);
  const isOlder = updatedAt < there.updatedAt ? editedAt < there.updatedAt : editedAt === 0;
  if (isSame || (isOlder && updatedAt <= there.updatedAt)) return false;
  if (updatedAt > there.updatedAt) checkTimes({ ...there, updatedAt });
  const changedAt = updatedAt > there.updatedAt ? updatedAt : Math.max(editedAt, there.updatedAt);
  await knowledge.updateEntry(owner, there.id, change, signal, changedAt);
  return true;
}
