import { type StoreDatabase, toAnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { insertSql, readFirstRow } from '../../storage/rows.ts';
import { sanitizeDatabaseText } from '../../storage/sanitize-text.ts';
import type { StatusPageStore, StoredStatusPage } from '../status-page/status-page-store.ts';

type StatusPageRow = Omit<StoredStatusPage, 'addresses'> & { readonly addresses: number };

export function createStatusPageStore(of: StoreDatabase): StatusPageStore {
  const db = toAnyDatabase(of);
  const find = async (column: 'owner' | 'slug', value: string) => {
    const text = `SELECT owner, slug, title, addresses, salt FROM monitor_pages WHERE ${column} = ?`;
    const row = await readFirstRow<StatusPageRow>(db, text, value);
    return row && { ...row, addresses: row.addresses === 1 };
  };
  return {
    putPage: ({ owner, slug, title, addresses, salt }) =>
      db.write(function* (sql) {
        yield* sql.lockName('monitor pages');
        const taken = yield* sql.get`SELECT 1 FROM monitor_pages
          WHERE slug = ${slug} AND owner <> ${checkOwnerName(owner)}`;
        if (taken !== undefined) return false;
        const row = { owner, slug, title: sanitizeDatabaseText(title), addresses: Number(addresses), salt };
        yield* sql.send(...insertSql('monitor_pages', row, ['owner']));
        return true;
      }),
    findPage: (owner) => find('owner', checkOwnerName(owner)),
    findBySlug: (slug) => find('slug', slug),
    async removePage(owner) {
      await db.write((sql) => sql.run`DELETE FROM monitor_pages WHERE owner = ${checkOwnerName(owner)}`);
    },
  };
}
