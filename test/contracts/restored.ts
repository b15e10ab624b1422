import type { EntryStore } from '../../src/knowledge/store.ts';
import type { RestoreTarget } from '../../src/knowledge/types.ts';

/** A restore, with the ids of all its steps. */
export async function restored(
  store: EntryStore,
  owner: string,
  which: RestoreTarget,
  collection?: string,
): Promise<{ readonly ids: string[]; readonly known: number; readonly unkeyed?: number | undefined }> {
  const ids: string[] = [];
  const { records, unkeyed, ...rest } = await store.restoreFromTrash(
    owner,
    which,
    (some) => void ids.push(...some),
    collection,
  );
  if (records !== ids.length) throw new Error(`${records} are back, and ${ids.length} were announced`);
  return { ids, ...rest, ...(unkeyed && { unkeyed }) };
}
