import { isRunnerDead } from '../../lib/concurrency/runner.ts';
import type { AnyDatabase } from '../../storage/any-database.ts';
import { checkOwnerName } from '../../storage/owner.ts';
import { queryBuilder } from '../../storage/query-builder.ts';
import { isHoldOfJob } from '../crawling/crawl-hold.ts';
import type { CrawlStore } from '../crawling/crawl-store.ts';
import type { CrawlTables } from './crawl-tables.ts';

export function createCrawlRuns(db: AnyDatabase) {
  const tables = queryBuilder<CrawlTables>(db);
  return {
    holdCrawl: ({ id }, { runner, job }) =>
      db.transaction(`crawl ${id}`, async (part) => {
        const crawls = queryBuilder<CrawlTables>(part);
        const held = await crawls
          .selectFrom('crawls')
          .select(['runner', 'beat_at', 'outcome'])
          .where('id', '=', id)
          .executeTakeFirst();
        const now = Date.now();
        if (!held) return undefined;
        const isOfJob = isHoldOfJob(job, held.runner);
        const isFree = held.runner === null || isRunnerDead(held.runner, now - (held.beat_at ?? 0));
        if (!isOfJob && !isFree) return undefined;
        const name = job === undefined ? runner : `${runner} ${job}`;
        const outcome = isOfJob ? held.outcome : null;
        const hold = { runner: name, beat_at: now, stop: 0, ended_at: null, outcome };
        await crawls.updateTable('crawls').set(hold).where('id', '=', id).execute();
        return { name, ...(outcome !== null && { outcome }) };
      }),

    async reportCrawl({ id }, name, outcome) {
      const row = await tables
        .updateTable('crawls')
        .set({ beat_at: Date.now(), outcome })
        .where('id', '=', id)
        .where('runner', '=', name)
        .returning('stop')
        .executeTakeFirst();
      return row?.stop === 0;
    },

    async letCrawlGo({ id }, name, outcome) {
      await tables
        .updateTable('crawls')
        .set({ runner: null, ended_at: Date.now(), outcome })
        .where('id', '=', id)
        .where('runner', '=', name)
        .execute();
    },

    async askToStop(owner, source) {
      const { numUpdatedRows } = await tables
        .updateTable('crawls')
        .set({ stop: 1 })
        .where('owner', '=', checkOwnerName(owner))
        .where('source', '=', source)
        .where('runner', 'is not', null)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async trimCrawls(owner, { crawls: most, addresses: mostAddresses }) {
      const ended = await tables
        .selectFrom('crawls')
        .select(['id'])
        .select((of) =>
          of
            .selectFrom('crawl_addresses')
            .select(({ fn }) => fn.countAll<number>().as('count'))
            .whereRef('crawl_addresses.crawl', '=', 'crawls.id')
            .as('addresses'),
        )
        .where('owner', '=', checkOwnerName(owner))
        .where('kind', '!=', 'folder')
        .where('runner', 'is', null)
        .orderBy('started_at', 'desc')
        .orderBy('id', 'desc')
        .execute();
      let sum = 0;
      const old = ended.filter(({ addresses }, at) => {
        sum += addresses ?? 0;
        return at >= most || (at > 0 && sum > mostAddresses);
      });
      if (old.length === 0) return;
      const ids = old.map(({ id }) => id);
      await tables.deleteFrom('crawls').where('id', 'in', ids).where('runner', 'is', null).execute();
    },
  } satisfies Partial<CrawlStore>;
}
