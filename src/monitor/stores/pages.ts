import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { PageStore, StoredPage } from '../page-store.ts';
import { plainText } from './rows.ts';

interface PageRow {
  readonly owner: string;
  readonly slug: string;
  readonly title: string;
  readonly addresses: number;
  readonly salt: string;
}

/** Status pages in SQLite. */
export function createSqlitePageStore(db: Database): PageStore {
  const find = (column: 'owner' | 'slug', value: string) =>
    db.read((sql) => {
      const row = sql.get<PageRow>(`SELECT * FROM monitor_pages WHERE ${column} = ?`, value);
      return row && pageOf(row);
    });
  return {
    putPage: ({ owner, slug, title, addresses, salt }) =>
      db.write((sql) => {
        const taken = sql.get(
          'SELECT 1 FROM monitor_pages WHERE slug = ? AND owner <> ?',
          slug,
          legalOwner(owner),
        );
        if (taken !== undefined) return false;
        sql.run(
          'INSERT OR REPLACE INTO monitor_pages (owner, slug, title, addresses, salt) VALUES (?, ?, ?, ?, ?)',
          legalOwner(owner),
          slug,
          plainText(title),
          Number(addresses),
          salt,
        );
        return true;
      }),
    findPage: (owner) => find('owner', legalOwner(owner)),
    findBySlug: (slug) => find('slug', slug),
    async removePage(owner) {
      await db.write((sql) => sql.run('DELETE FROM monitor_pages WHERE owner = ?', legalOwner(owner)));
    },
  };
}

function pageOf({ owner, slug, title, addresses, salt }: PageRow): StoredPage {
  return { owner, slug, title, addresses: addresses === 1, salt };
}
