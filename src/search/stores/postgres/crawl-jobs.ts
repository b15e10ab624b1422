import type { Selectable } from 'kysely';
import { type StoreDatabase, toAnyDatabase } from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import { queryBuilder } from '../../../storage/query-builder.ts';
import type { CrawlFailure, CrawlJob, CrawlJobStore } from '../../crawling/crawl-job-store.ts';

interface CrawlJobTables {
  crawl_jobs: {
    id: string;
    owner: string;
    source: string;
    depth: number;
    terms: string;
    created_at: number;
    runner: string | null;
    opened_at: number | null;
    /** When the job failed (ms since 1970), if before its first page. Other ended jobs are deleted. */
    ended_at: number | null;
    failure: string | null;
  };
}

const KEPT_MS = 600_000;

export function createCrawlJobStore(of: StoreDatabase): CrawlJobStore {
  const tables = queryBuilder<CrawlJobTables>(toAnyDatabase(of));
  const open = () => tables.selectFrom('crawl_jobs').selectAll().where('ended_at', 'is', null);

  return {
    async insertJob(owner, { id, source, depth, terms, createdAt }) {
      await tables
        .deleteFrom('crawl_jobs')
        .where('ended_at', '<', createdAt - KEPT_MS)
        .execute();
      const row = { id, owner: checkOwnerName(owner), source, depth, terms, created_at: createdAt };
      const { numInsertedOrUpdatedRows } = await tables
        .insertInto('crawl_jobs')
        .values({ ...row, runner: null, opened_at: null, ended_at: null, failure: null })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows === 1n;
    },

    async takeJob(id, runner) {
      const row = await tables
        .updateTable('crawl_jobs')
        .set({ runner })
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      return row && { ...jobOf(row), terms: row.terms };
    },

    async openJob(id, runner, at) {
      const { numUpdatedRows } = await tables
        .updateTable('crawl_jobs')
        .set(({ fn, ref, val }) => ({ opened_at: fn.coalesce(ref('opened_at'), val(at)) }))
        .where('id', '=', id)
        .where('runner', '=', runner)
        .where('ended_at', 'is', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },

    async endJob(id, { runner, failure }) {
      let deletion = tables.deleteFrom('crawl_jobs').where('id', '=', id).where('ended_at', 'is', null);
      if (runner !== undefined) deletion = deletion.where('runner', '=', runner);
      if (failure !== undefined) deletion = deletion.where('opened_at', 'is not', null);
      const { numDeletedRows } = await deletion.executeTakeFirstOrThrow();
      if (numDeletedRows === 1n || failure === undefined) return numDeletedRows === 1n;
      let update = tables
        .updateTable('crawl_jobs')
        .set({ ended_at: Date.now(), failure: JSON.stringify(failure) })
        .where('id', '=', id)
        .where('opened_at', 'is', null)
        .where('ended_at', 'is', null);
      if (runner !== undefined) update = update.where('runner', '=', runner);
      return (await update.executeTakeFirstOrThrow()).numUpdatedRows === 1n;
    },

    async readJob(id) {
      const row = await tables.selectFrom('crawl_jobs').selectAll().where('id', '=', id).executeTakeFirst();
      return row && jobOf(row);
    },

    async listJobs(owner, source) {
      const own = open().where('owner', '=', checkOwnerName(owner));
      const rows = await (source === undefined ? own : own.where('source', '=', source)).execute();
      return rows.map(jobOf);
    },
  };
}

function jobOf(row: Selectable<CrawlJobTables['crawl_jobs']>): CrawlJob {
  return {
    id: row.id,
    owner: row.owner,
    source: row.source,
    depth: row.depth,
    createdAt: row.created_at,
    ...(row.runner !== null && { runner: row.runner }),
    ...(row.opened_at !== null && { openedAt: row.opened_at }),
    ...(row.failure !== null && { failure: JSON.parse(row.failure) as CrawlFailure }),
  };
}
