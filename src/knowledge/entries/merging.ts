import { AppError } from '../../errors.ts';
import type { Entry, Knowledge, MergeResult, RemovalResult } from '../types.ts';
import { ENTRY_LIMITS } from './new-entry.ts';

export interface MergingParts {
  readonly find: (owner: string, id: string) => Promise<Entry | undefined>;
  readonly update: Knowledge['updateEntry'];
  readonly remove: (owner: string, ids: readonly string[]) => Promise<RemovalResult>;
}

/** Merges entries into the first, which keeps its id, text, key and time. The others go to the trash at the end. */
export async function mergeEntries(
  { find, update, remove }: MergingParts,
  owner: string,
  named: readonly string[],
  signal: AbortSignal,
): Promise<MergeResult> {
  const ids = [...new Set(named)];
  if (ids.length < 2) throw new AppError('bad_request', 'a merge takes the ids of two entries or more');
  const entries: Entry[] = [];
  for (const id of ids) {
    const entry = await find(owner, id);
    if (!entry) throw new AppError('not_found', `there is no entry ${JSON.stringify(id.slice(0, 200))}`);
    entries.push(entry);
  }
  const [kept, ...others] = entries as [Entry, ...Entry[]];
  const title = entries.find((entry) => entry.title !== '')?.title ?? '';
  const [source = '', ...sources] = new Set(entries.map((entry) => entry.source).filter(Boolean));
  const fit = sources.filter((one) => one.length <= ENTRY_LIMITS.tag);
  const tags = [...new Set([...entries.flatMap((entry) => entry.tags), ...fit])].slice(0, ENTRY_LIMITS.tags);
  const entry = await update(owner, kept.id, { tags, title, source }, signal);
  const removed = await remove(
    owner,
    others.map(({ id }) => id),
  );
  return { entry, removed, left: sources.filter((one) => !tags.includes(one)) };
}
