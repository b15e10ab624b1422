import { legalOwner } from '../../storage/owner.ts';
import type { Database } from '../../storage/sqlite.ts';
import type { Crawl, CrawlInfo, CrawlStore, Settled, Waiting } from '../crawl-store.ts';

/** Addresses that one crawl remembers; links beyond are not followed. */
const ADDRESSES = 500_000;
const LISTED = 1000;

interface CrawlRow {
  readonly id: number;
  readonly run: number;
  readonly options: string;
  readonly finished_at: number | null;
}

type AddressRow = { readonly [K in 'url' | 'etag' | 'modified' | 'digest']: string | null } & {
  readonly depth: number;
};

/** Crawls in SQLite, on disk before each call resolves. */
export function createSqliteCrawlStore(db: Database): CrawlStore {
  const begin = (owner: string, source: string, kind: string, options: string) =>
    db.get<CrawlRow>(
      `INSERT INTO crawls (owner, source, kind, options, run, started_at) VALUES (?, ?, ?, ?, 1, ?)
       RETURNING id, run, options, finished_at`,
      owner,
      source,
      kind,
      options,
      Date.now(),
    );

  const beginAgain = ({ id, run }: CrawlRow, again: boolean) => {
    db.run(
      'UPDATE crawls SET run = ?, started_at = ?, finished_at = NULL WHERE id = ?',
      run + 1,
      Date.now(),
      id,
    );
    if (!again) return;
    db.run(
      "UPDATE crawl_addresses SET run = ?, state = 'waiting' WHERE crawl = ? AND run = ?",
      run + 1,
      id,
      run,
    );
  };

  /** Addresses by crawl, so that they are not counted for each page anew; of a crawl begun again, at most too many. */
  const sizes = new Map<number, number>();
  const count = (id: number) =>
    db.get<{ n: number }>('SELECT count(*) AS n FROM crawl_addresses WHERE crawl = ?', id)?.n ?? 0;

  const settleOne = ({ id, run }: Crawl, { url, state, etag, modified, digest }: Settled) =>
    db.run(
      `INSERT INTO crawl_addresses (crawl, url, run, depth, state, etag, modified, digest)
       VALUES (?, ?, ?, 0, ?, ?, ?, ?) ON CONFLICT (crawl, url) DO UPDATE SET
         run = excluded.run, state = excluded.state, etag = excluded.etag, modified = excluded.modified,
         digest = excluded.digest`,
      id,
      url,
      run,
      state,
      etag ?? null,
      modified ?? null,
      digest ?? null,
    );

  return {
    async open(owner, source, { kind, options, again }) {
      return db.transactionSync((): Crawl => {
        const known = db.get<CrawlRow>(
          'SELECT id, run, options, finished_at FROM crawls WHERE owner = ? AND source = ?',
          legalOwner(owner),
          source,
        );
        if (!known) {
          const { id = 0, run = 1 } = begin(owner, source, kind, options) ?? {};
          return { id, run, resumed: false, sameOptions: false };
        }
        const resumed = known.finished_at === null;
        if (!resumed) beginAgain(known, again);
        db.run('UPDATE crawls SET kind = ?, options = ? WHERE id = ?', kind, options, known.id);
        const run = resumed ? known.run : known.run + 1;
        return { id: known.id, run, resumed, sameOptions: known.options === options };
      });
    },

    async add({ id, run }, addresses) {
      return db.transactionSync(() => {
        const present = sizes.get(id) ?? count(id);
        let added = 0;
        for (const { url, depth } of addresses.slice(0, Math.max(0, ADDRESSES - present))) {
          added += db.run(
            `INSERT INTO crawl_addresses (crawl, url, run, depth, state) VALUES (?, ?, ?, ?, 'waiting')
             ON CONFLICT (crawl, url) DO UPDATE SET run = excluded.run, depth = excluded.depth, state = 'waiting'
             WHERE run < excluded.run`,
            id,
            url,
            run,
            depth,
          );
        }
        sizes.set(id, present + added);
        return added;
      });
    },

    async waiting({ id, run }, limit) {
      const rows = db.all<AddressRow>(
        `SELECT url, depth, etag, modified, digest FROM crawl_addresses
         WHERE crawl = ? AND run = ? AND state = 'waiting' ORDER BY depth, id LIMIT ?`,
        id,
        run,
        limit,
      );
      return rows.map(fromRow);
    },

    async countWaiting({ id, run }) {
      const row = db.get<{ n: number }>(
        "SELECT count(*) AS n FROM crawl_addresses WHERE crawl = ? AND run = ? AND state = 'waiting'",
        id,
        run,
      );
      return row?.n ?? 0;
    },

    async stateOf({ id, run }, url) {
      return db.get<{ state: Settled['state'] | 'waiting' }>(
        'SELECT state FROM crawl_addresses WHERE crawl = ? AND url = ? AND run = ?',
        id,
        url,
        run,
      )?.state;
    },

    async settle(crawl, addresses) {
      if (addresses.length === 0) return;
      db.transactionSync(() => {
        for (const one of addresses) settleOne(crawl, one);
      });
    },

    async unmet({ id, run }, limit) {
      const rows = db.all<{ url: string }>(
        "SELECT url FROM crawl_addresses WHERE crawl = ? AND run < ? AND state = 'read' LIMIT ?",
        id,
        run,
        limit,
      );
      return rows.map(({ url }) => url);
    },

    async drop({ id }, urls) {
      db.transactionSync(() => {
        for (const url of urls) db.run('DELETE FROM crawl_addresses WHERE crawl = ? AND url = ?', id, url);
      });
    },

    async finish({ id }) {
      db.run('UPDATE crawls SET finished_at = ? WHERE id = ?', Date.now(), id);
    },

    async list(owner) {
      const rows = db.all<Omit<CrawlInfo, 'finishedAt'> & { finishedAt: number | null }>(
        `SELECT source, kind, started_at AS startedAt, finished_at AS finishedAt,
           (SELECT count(*) FROM crawl_addresses WHERE crawl = c.id AND state = 'read') AS read,
           (SELECT count(*) FROM crawl_addresses WHERE crawl = c.id AND state = 'waiting' AND run = c.run) AS waiting
         FROM crawls AS c WHERE owner = ? ORDER BY started_at DESC, id DESC LIMIT ?`,
        legalOwner(owner),
        LISTED,
      );
      return rows.map(({ finishedAt, ...rest }) => ({ ...rest, finishedAt: finishedAt ?? undefined }));
    },

    async forget(owner, prefix = '') {
      return db.run(
        `DELETE FROM crawls WHERE owner = ? AND substr(source, 1, length(?)) = ?
           AND (substr(?, -1) IN ('', '/') OR substr(source, length(?) + 1, 1) IN ('', '/', '?', '#'))`,
        legalOwner(owner),
        prefix,
        prefix,
        prefix,
        prefix,
      );
    },
  };
}

/** NULL is what SQLite has for a value that is not there. */
function fromRow({ url, depth, etag, modified, digest }: AddressRow): Waiting {
  return {
    url: url ?? '',
    depth,
    etag: etag ?? undefined,
    modified: modified ?? undefined,
    digest: digest ?? undefined,
  };
}
