import { type StoreDatabase, toAnyDatabase } from '../../../storage/any-database.ts';
import { checkOwnerName } from '../../../storage/owner.ts';
import { fragment, raw } from '../../../storage/sql-template.ts';
import type { CrawlFailure, CrawlJob, CrawlJobStore } from '../../crawling/crawl-job-store.ts';

interface CrawlJobRow extends Pick<CrawlJob, 'id' | 'owner' | 'source' | 'depth'> {
  readonly terms: string;
  readonly created_at: number;
  readonly runner: string | null;
  readonly opened_at: number | null;
  /** When the job failed (ms since 1970), if before its first page. Other ended jobs are deleted. */
  readonly ended_at: number | null;
  readonly failure: string | null;
}

const KEPT_MS = 600_000;

export function createCrawlJobStore(of: StoreDatabase): CrawlJobStore {
  const db = toAnyDatabase(of);

  return {
    insertJob: (owner, { id, source, depth, terms, createdAt }) =>
      db.write(function* (sql) {
        yield* sql.send`DELETE FROM crawl_jobs WHERE ended_at < ${createdAt - KEPT_MS}`;
        const inserted = yield* sql.run`INSERT INTO crawl_jobs (id, owner, source, depth, terms, created_at)
          VALUES (${id}, ${checkOwnerName(owner)}, ${source}, ${depth}, ${terms}, ${createdAt})
          ON CONFLICT DO NOTHING`;
        return inserted === 1;
      }),

    async takeJob(id, runner) {
      const row = await db.write(
        (sql) => sql.get<CrawlJobRow>`UPDATE crawl_jobs SET runner = ${runner}
          WHERE id = ${id} AND ended_at IS NULL RETURNING *`,
      );
      return row && { ...jobOf(row), terms: row.terms };
    },

    openJob: async (id, runner, at) =>
      (await db.write(
        (sql) => sql.run`UPDATE crawl_jobs SET opened_at = coalesce(opened_at, ${at})
          WHERE id = ${id} AND runner = ${runner} AND ended_at IS NULL`,
      )) === 1,

    endJob: (id, { runner, failure }) =>
      db.write(function* (sql) {
        const isOfRunner = runner === undefined ? raw('TRUE') : fragment`runner = ${runner}`;
        const isOpen = fragment`id = ${id} AND ended_at IS NULL AND ${isOfRunner}`;
        const begun = raw(failure === undefined ? 'TRUE' : 'opened_at IS NOT NULL');
        const deleted = yield* sql.run`DELETE FROM crawl_jobs WHERE ${isOpen} AND ${begun}`;
        if (deleted === 1 || failure === undefined) return deleted === 1;
        return (
          (yield* sql.run`UPDATE crawl_jobs SET ended_at = ${Date.now()}, failure = ${JSON.stringify(failure)}
            WHERE ${isOpen} AND opened_at IS NULL`) === 1
        );
      }),

    async readJob(id) {
      const row = await db.read((sql) => sql.get<CrawlJobRow>`SELECT * FROM crawl_jobs WHERE id = ${id}`);
      return row && jobOf(row);
    },

    async listJobs(owner, source) {
      const ofSource = source === undefined ? raw('TRUE') : fragment`source = ${source}`;
      const rows = await db.read(
        (sql) => sql.all<CrawlJobRow>`SELECT * FROM crawl_jobs
          WHERE ended_at IS NULL AND owner = ${checkOwnerName(owner)} AND ${ofSource}`,
      );
      return rows.map(jobOf);
    },
  };
}

function jobOf(row: CrawlJobRow): CrawlJob {
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
