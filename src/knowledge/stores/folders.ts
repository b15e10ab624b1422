import { sql } from 'kysely';
import { type AnyDatabase, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import type { FolderStore } from '../syncing/folder-store.ts';
import type { SyncedFolder } from '../types.ts';

interface FolderTables {
  kb_folders: { id?: number; owner: string; path: string; collection: string; synced_at: number | null };
  kb_folder_files: { folder: number; path: string; stamp: string; digest: string; entry: string };
}

const ROWS_AT_ONCE = 500;

export function createFolderStore(of: StoreDatabase): FolderStore {
  const db = toAnyDatabase(of);
  const idOf = async (part: AnyDatabase, owner: string, path: string): Promise<number | undefined> => {
    const row = await queryBuilder<FolderTables>(part)
      .selectFrom('kb_folders')
      .select('id')
      .where('owner', '=', checkOwnerName(owner))
      .where('path', '=', path)
      .executeTakeFirst();
    return row?.id;
  };
  const records = async (owner: string, path?: string): Promise<SyncedFolder[]> => {
    let query = queryBuilder<FolderTables>(db)
      .selectFrom('kb_folders')
      .select(['path', 'collection', 'synced_at'])
      .select(sql<number>`(SELECT count(*) FROM kb_folder_files WHERE folder = kb_folders.id)`.as('files'))
      .where('owner', '=', checkOwnerName(owner))
      .orderBy('path');
    if (path !== undefined) query = query.where('path', '=', path);
    const rows = await query.execute();
    return rows.map(({ synced_at, files, ...rest }) => ({
      ...rest,
      syncedAt: synced_at ?? undefined,
      files: Number(files),
    }));
  };

  return {
    async openFolder(owner, path, collection) {
      await queryBuilder<FolderTables>(db)
        .insertInto('kb_folders')
        .values({ owner: checkOwnerName(owner), path, collection, synced_at: null })
        .onConflict((conflict) => conflict.columns(['owner', 'path']).doNothing())
        .execute();
      const [record] = await records(owner, path);
      if (!record) throw new Error('the folder was forgotten while it was opened');
      return record;
    },

    findFolder: async (owner, path) => (await records(owner, path))[0],
    listFolders: (owner) => records(owner),

    async listFiles(owner, path) {
      const id = await idOf(db, owner, path);
      if (id === undefined) return [];
      return queryBuilder<FolderTables>(db)
        .selectFrom('kb_folder_files')
        .select(['path', 'stamp', 'digest', 'entry'])
        .where('folder', '=', id)
        .orderBy('path')
        .execute();
    },

    saveFiles: (owner, path, { files = [], gone = [] }) =>
      db.transaction(`folders of ${owner}`, async (part) => {
        const folder = await idOf(part, owner, path);
        if (folder === undefined) return;
        const tables = queryBuilder<FolderTables>(part);
        for (const some of lots(gone)) {
          await tables
            .deleteFrom('kb_folder_files')
            .where('folder', '=', folder)
            .where('path', 'in', some)
            .execute();
        }
        for (const some of lots(files)) {
          await tables
            .insertInto('kb_folder_files')
            .values(some.map((file) => ({ folder, ...file })))
            .onConflict((conflict) =>
              conflict.columns(['folder', 'path']).doUpdateSet({
                stamp: sql`excluded.stamp`,
                digest: sql`excluded.digest`,
                entry: sql`excluded.entry`,
              }),
            )
            .execute();
        }
      }),

    async finishFolder(owner, path) {
      await queryBuilder<FolderTables>(db)
        .updateTable('kb_folders')
        .set({ synced_at: Date.now() })
        .where('owner', '=', checkOwnerName(owner))
        .where('path', '=', path)
        .execute();
    },

    async forgetFolder(owner, path) {
      const { numDeletedRows } = await queryBuilder<FolderTables>(db)
        .deleteFrom('kb_folders')
        .where('owner', '=', checkOwnerName(owner))
        .where('path', '=', path)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}

function* lots<Item>(items: readonly Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += ROWS_AT_ONCE) yield items.slice(at, at + ROWS_AT_ONCE);
}
