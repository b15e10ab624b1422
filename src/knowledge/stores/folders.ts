import { type AnyDatabase, jsonRows, type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { splitRows } from '../../storage/rows.ts';
import { fragment, joinFragments } from '../../storage/sql-template.ts';
import type { FolderStore } from '../syncing/folder-store.ts';
import type { SyncedFolder } from '../types.ts';

interface FolderRow extends Pick<SyncedFolder, 'path' | 'collection' | 'files'> {
  readonly synced_at: number | null;
}

export function createFolderStore(of: StoreDatabase): FolderStore {
  const db = toAnyDatabase(of);
  const isNamed = (owner: string, path: string) =>
    fragment`owner = ${checkOwnerName(owner)} AND path = ${path}`;
  const idOf = async (part: AnyDatabase, owner: string, path: string): Promise<number | undefined> => {
    const row = await part.read(
      (sql) => sql.get<{ id: number }>`SELECT id FROM kb_folders WHERE ${isNamed(owner, path)}`,
    );
    return row?.id;
  };
  const records = async (owner: string, path?: string): Promise<SyncedFolder[]> => {
    const rows = await db.read(
      (sql) => sql.all<FolderRow>`SELECT path, collection, synced_at,
          (SELECT count(*) FROM kb_folder_files WHERE folder = kb_folders.id) AS files FROM kb_folders
        WHERE ${path === undefined ? fragment`owner = ${checkOwnerName(owner)}` : isNamed(owner, path)}
        ORDER BY path`,
    );
    return rows.map(({ synced_at, ...rest }) => ({ ...rest, syncedAt: synced_at ?? undefined }));
  };

  return {
    async openFolder(owner, path, collection) {
      await db.write(
        (sql) => sql.run`INSERT INTO kb_folders (owner, path, collection)
          VALUES (${checkOwnerName(owner)}, ${path}, ${collection}) ON CONFLICT (owner, path) DO NOTHING`,
      );
      const [record] = await records(owner, path);
      if (!record) throw new Error('the folder was forgotten while it was opened');
      return record;
    },

    findFolder: async (owner, path) => (await records(owner, path))[0],
    listFolders: (owner) => records(owner),

    async listFiles(owner, path) {
      const id = await idOf(db, owner, path);
      if (id === undefined) return [];
      return db.read(
        (sql) => sql.all`SELECT path, stamp, digest, entry FROM kb_folder_files WHERE folder = ${id}
          ORDER BY path`,
      );
    },

    saveFiles: (owner, path, { files = [], gone = [] }) =>
      db.transaction(`folders of ${owner}`, async (part) => {
        const folder = await idOf(part, owner, path);
        if (folder === undefined) return;
        for (const some of splitRows(gone)) {
          await part.remove(
            (sql) => sql.run`DELETE FROM kb_folder_files WHERE folder = ${folder}
              AND path IN (SELECT value FROM ${jsonRows(sql, some)})`,
          );
        }
        for (const some of splitRows(files)) {
          const rows = some.map(
            (file) => fragment`(${folder}, ${file.path}, ${file.stamp}, ${file.digest}, ${file.entry})`,
          );
          await part.write(
            (sql) => sql.run`INSERT INTO kb_folder_files (folder, path, stamp, digest, entry)
              VALUES ${joinFragments(rows, ', ')} ON CONFLICT (folder, path) DO UPDATE
              SET stamp = excluded.stamp, digest = excluded.digest, entry = excluded.entry`,
          );
        }
      }),

    async finishFolder(owner, path) {
      await db.write(
        (sql) => sql.run`UPDATE kb_folders SET synced_at = ${Date.now()} WHERE ${isNamed(owner, path)}`,
      );
    },

    forgetFolder: async (owner, path) =>
      (await db.remove((sql) => sql.run`DELETE FROM kb_folders WHERE ${isNamed(owner, path)}`)) > 0,
  };
}
